import { isStepFault, type Scenario, type Step, STEP_SYNTAX } from '../../../src/analyze/what-if/scenario';
import type { Resource } from '../../../src/api/kinds';
import { decide } from '../../../src/plan/decide';
import type { Decision } from '../../../src/plan/decision';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { fleetOf } from '../../scheduler/build';

/** A fleet that was accepted as it is decided. */
export function settled(...resources: Resource[]): Decision {
  return settledFrom(undefined, ...resources);
}

/** The same, after what was decided before. */
export function settledFrom(before: Decision | undefined, ...resources: Resource[]): Decision {
  const fleet = fleetOf(...resources);
  const { lock } = decide(fleet, () => '', before?.lock ?? EMPTY_LOCK);
  return decide(fleet, () => '', lock);
}

/** A scenario as a user writes it: `drain eu`, `scale ml/q=3`. */
export function scenarioOf({ fleet }: Decision, ...written: readonly string[]): Scenario {
  const steps = written.map((one): Step => {
    const [kind = '', text = ''] = one.split(' ');
    const read = STEP_SYNTAX[kind as Step['kind']].read(text, fleet);
    if (isStepFault(read)) throw new Error(read.message);
    return read;
  });
  return { name: written.join(', '), steps };
}
