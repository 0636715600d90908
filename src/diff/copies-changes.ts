import type { Engine } from '../api/engine';
import { type Copies, isAutoscaled } from '../api/engine-copies';
import { resourceIdOf } from '../api/kinds';
import { qualifiedNameOf } from '../api/resource';
import type { ModelDeployment } from '../api/model-deployment';
import { isDeepEqual } from '../base/deep-equal';
import { groupBy } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { locationKeyOf } from '../plan/replica-moves';
import { countAccelerators } from '../replicas/replica';
import { groupByDeployment, haveSamePools, type Placement } from '../scheduler/placement';
import { diffFields, type FieldChange } from './field-changes';
import type { ChangesById } from './replica-causes';
import type { StateTransition } from './replica-changes';

/** What a change does to the copies of one engine. */
export interface EngineCopiesChange {
  readonly engine: string;
  readonly before: Copies;
  readonly after: Copies;

  /** Whether the signals or the pace of the autoscaler change. False where there is none before or after. */
  readonly scaling: boolean;

  /** The fields of `scaling` that change, where it does. */
  readonly scalingFields?: readonly FieldChange[];
}

/** Whether no autoscaler chooses the copies of an engine, neither before nor after. */
export function isFixed({ before, after }: EngineCopiesChange): boolean {
  return ![before, after].some((copies) => isAutoscaled({ copies }));
}

/** Whether an autoscaler chooses the copies of an engine, both before and after. */
export function isAutoscaledThroughout({ before, after }: EngineCopiesChange): boolean {
  return [before, after].every((copies) => isAutoscaled({ copies }));
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

/**
 * Compares the copies of engines and the signals of autoscalers, by deployment. Fixed numbers count only for replicas that
 * stay where they are: others are made anew with all of their copies.
 */
export function diffCopies({ before, after }: StateTransition, changed: ChangesById): CopiesChange[] {
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const [placesBefore, placesAfter] = [before, after].map(({ schedule }) => groupByDeployment(schedule.placements));
  const stays = (id: string): boolean => {
    const is = (placesAfter?.get(id) ?? []).filter(({ draining }) => !draining);
    return is.length > 0 && (placesBefore?.get(id) ?? []).some((one) => is.some((other) => isAtSamePlace(one, other)));
  };
  const found = after.fleet.deployments.flatMap((is) => {
    const id = qualifiedNameOf(is);
    const was = changed.get(resourceIdOf(is))?.action === 'changed' ? earlier.get(id) : undefined;
    if (!was) return [];
    const [old, now] = [enginesOf(was), enginesOf(is)];
    const engines = now.flatMap((engine) =>
      diffEngine(
        old.find(({ name }) => name === engine.name),
        engine,
        stays(id),
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

function isAtSamePlace(a: Placement, b: Placement): boolean {
  return locationKeyOf(a) === locationKeyOf(b) && haveSamePools(a.pools, b.pools);
}

function diffEngine(was: Engine | undefined, is: Engine, stays: boolean): EngineCopiesChange[] {
  if (!was || !(stays || isAutoscaled(was) || isAutoscaled(is))) return [];
  const scaling = isAutoscaled(was) && isAutoscaled(is) && !isDeepEqual(was.scaling, is.scaling);
  if (!scaling && isDeepEqual(was.copies, is.copies)) return [];
  const fields = scaling && { scalingFields: diffFields(was.scaling, is.scaling) };
  return [{ engine: is.name, before: was.copies, after: is.copies, scaling, ...fields }];
}

/**
 * Creates a function that counts the accelerators of the replicas of a deployment.
 *
 * @param isCounted whether it counts a replica. Default: those that are not draining. None counts that is lost
 */
export function createAcceleratorCounter(
  { schedule, replicas }: PlacedFleet,
  isCounted = ({ draining }: Placement): boolean => !draining,
): (id: string) => number {
  const counted = replicas.filter((_, i) => {
    const placement = schedule.placements[i];
    return placement !== undefined && placement.lost !== true && isCounted(placement);
  });
  const byId = groupBy(counted, ({ deployment }) => qualifiedNameOf(deployment));
  return (id) => (byId.get(id) ?? []).reduce((total, replica) => total + countAccelerators(replica), 0);
}
