import type { Engine } from '../api/engine';
import { type Copies, isAutoscaled } from '../api/engine-copies';
import { resourceIdOf } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { ModelDeployment } from '../api/model-deployment';
import { isDeepEqual } from '../base/deep-equal';
import { groupBy } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { countAccelerators } from '../replicas/replica';
import type { ChangesById } from './replica-causes';
import type { StateTransition } from './replica-changes';

/** What a change does to the copies of one engine of which an autoscaler chooses the number, before or after. */
export interface EngineCopiesChange {
  readonly engine: string;
  readonly before: Copies;
  readonly after: Copies;

  /** Whether the signals or the pace of the autoscaler change. False where there is none before or after. */
  readonly scaling: boolean;
}

/** What a change does to the copies of a deployment. */
export interface CopiesChange {
  /** `namespace/name`. */
  readonly deployment: string;

  /** The engines that change, in the order of the deployment. */
  readonly engines: readonly EngineCopiesChange[];

  /** Whether the deployment has other engines too, so that names are needed to tell them apart. */
  readonly several: boolean;

  /** The accelerators that the plan reserves for all replicas that are not draining. */
  readonly accelerators: { readonly before: number; readonly after: number };
}

/** Compares the bounds of copies and the signals of autoscalers, by deployment. */
export function diffCopies({ before, after }: StateTransition, changed: ChangesById): CopiesChange[] {
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const found = after.fleet.deployments.flatMap((is) => {
    const id = qualifiedNameOf(is);
    const was = changed.get(resourceIdOf(is))?.action === 'changed' ? earlier.get(id) : undefined;
    if (!was) return [];
    const [old, now] = [enginesOf(was), enginesOf(is)];
    const engines = now.flatMap((engine) =>
      diffEngine(
        old.find(({ name }) => name === engine.name),
        engine,
      ),
    );
    return engines.length === 0 ? [] : [{ deployment: id, engines, several: now.length > 1 }];
  });
  if (found.length === 0) return [];
  const [countBefore, countAfter] = [createAcceleratorCounter(before), createAcceleratorCounter(after)];
  return found.map((one) => ({
    ...one,
    accelerators: { before: countBefore(one.deployment), after: countAfter(one.deployment) },
  }));
}

function enginesOf({ spec }: ModelDeployment): readonly Engine[] {
  return spec.template.spec.engines;
}

function diffEngine(was: Engine | undefined, is: Engine): EngineCopiesChange[] {
  if (!was || !(isAutoscaled(was) || isAutoscaled(is))) return [];
  const scaling = isAutoscaled(was) && isAutoscaled(is) && !isDeepEqual(was.scaling, is.scaling);
  if (!scaling && isDeepEqual(was.copies, is.copies)) return [];
  return [{ engine: is.name, before: was.copies, after: is.copies, scaling }];
}

/**
 * Creates a function that counts the accelerators of the replicas of a deployment.
 *
 * @param draining whether it counts those that are draining instead of the others. Default: false
 */
export function createAcceleratorCounter(
  { schedule, replicas }: PlacedFleet,
  draining = false,
): (id: string) => number {
  const counted = replicas.filter((_, i) => (schedule.placements[i]?.draining === true) === draining);
  const byId = groupBy(counted, ({ deployment }) => qualifiedNameOf(deployment));
  return (id) => (byId.get(id) ?? []).reduce((total, replica) => total + countAccelerators(replica), 0);
}
