import { attempt } from '../base/attempt';
import { findGateFindings, type GateContext, type GateFinding } from '../diff/gate-findings';
import type { FleetState } from '../diff/fleet-state';
import { declareRemedy } from '../plan/declared-remedy';
import type { Remedy } from '../scheduler/remedy';
import { compareSupposed } from './compare-against';
import type { ValidDecision } from './decide-valid-resources';

/** What the gate refuses where a change declares a remedy of a deployment too. Undefined: it was not tried. */
export type RemedyTrial = (deployment: string, remedy: Remedy) => readonly GateFinding[] | undefined;

/** Creates a function that tries remedies, each once. */
export function createRemedyTrial(
  before: FleetState,
  decided: ValidDecision,
  context: Pick<GateContext, 'applied' | 'acceptRemovals'>,
): RemedyTrial {
  const known = new Map<string, readonly GateFinding[] | undefined>();
  const run: RemedyTrial = (deployment, remedy) => {
    const fleet = decided.problems.length > 0 ? undefined : declareRemedy(decided.fleet, deployment, remedy);
    if (!fleet) return undefined;
    const tried = attempt(() => {
      const { diff, decision } = compareSupposed(fleet, before, decided);
      return findGateFindings(diff, { ...context, before: before.decision, after: decision });
    });
    return 'value' in tried ? tried.value : undefined;
  };
  return (deployment, remedy) => {
    const key = `${deployment} ${JSON.stringify(remedy)}`;
    if (!known.has(key)) known.set(key, run(deployment, remedy));
    return known.get(key);
  };
}
