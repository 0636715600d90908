import type { CompiledDeployment } from './compiled-fleet';
import type { Assignment } from './fit-replica';
import type { Charge } from './ledger';
import { haveSamePools, placementKeyOf } from './placement';
import { createReasonLookup, type PlacedModel, type PolicyReason } from './placement-reasons';
import type { AssignedReplica } from './retained-replicas';
import { scheduleState } from './schedule';
import type { SchedulingState } from './scheduling-state';

/** The pools of a replica, and what it costs there. */
export interface PricedPools {
  /** The pool of each engine, by the name of the engine. */
  readonly pools: Assignment['poolNames'];

  /** The price of what the replica takes of nodes, without what is reserved for rollouts. Absent: a pool has none. */
  readonly pricePerHour?: number;

  /** The same with the fewest copies that an autoscaler keeps. Absent: no copies scale. */
  readonly leastPerHour?: number;
}

/** A place for a replica, and what it costs. */
export interface PricedPlace extends PricedPools {
  readonly cluster: string;
}

/** What a deployment would get now if the lock had none of its replicas, and all others stayed. */
export interface UnlockedChoice {
  /** What chooses. Absent: no policy does, but a search for an arrangement in which all replicas have a place. */
  readonly by?: PolicyReason;

  /** Places of the lock that would not be chosen. Empty: the same places would be chosen. */
  readonly kept: readonly PricedPlace[];

  /** What would be chosen instead of them. */
  readonly instead: readonly PricedPlace[];
}

/**
 * Finds what a deployment would get without its lines in the lock. Nothing if no line of the lock decides a place.
 *
 * @param state all replicas of the fleet
 */
export function findUnlockedChoice(
  { model, schedule, given }: PlacedModel,
  deployment: CompiledDeployment,
  state: SchedulingState,
): UnlockedChoice | undefined {
  const { id } = deployment;
  const lines = new Set(given.map(placementKeyOf));
  const now = state.staying(deployment);
  if (!now.some(({ placement }) => lines.has(placementKeyOf(placement)))) return undefined;
  // Whoever waits for a place must not take the room that this deployment gives up.
  const deployments = model.deployments.map((one) => ({ ...one, paused: one.id !== id }));
  const others = schedule.placements.filter((line) => line.deployment !== id);
  const unlocked = scheduleState({ ...model, deployments }, others, state.matcher);
  const chosen = unlocked.staying(deployment);
  const [first] = chosen;
  const isArranged = chosen.some((replica) => unlocked.origins.has(replica));
  const { filledInOrder } = unlocked;
  const fresh = { placements: unlocked.placements(), evictions: [], shortfalls: [], filledInOrder };
  const reason =
    first && !isArranged
      ? createReasonLookup({ model, schedule: fresh, given: [] }, deployment)(first.placement)
      : undefined;
  return {
    ...(reason?.kind === 'policy' && { by: reason }),
    kept: subtract(now, chosen),
    instead: subtract(chosen, now),
  };
}

/** The pools of an assignment, with their price. */
export function toPricedPools({ poolNames: pools, charges }: Assignment): PricedPools {
  const taken = charges.filter(({ share }) => share > 0);
  const sum = (podsOf: (charge: Charge) => number): number =>
    taken.reduce((all, one) => all + (one.pool.price ?? Infinity) * one.share * podsOf(one), 0);
  const pricePerHour = sum(({ pods, surge }) => pods - surge);
  if (!Number.isFinite(pricePerHour)) return { pools };
  const scales = taken.some(({ scaled }) => scaled);
  return {
    pools,
    pricePerHour,
    ...(scales && { leastPerHour: sum(({ pods, surge, scaled = 0 }) => pods - surge - scaled) }),
  };
}

/** The places of replicas that have no counterpart on the same pools in another list. */
function subtract(replicas: readonly AssignedReplica[], others: readonly AssignedReplica[]): PricedPlace[] {
  const left = [...others];
  return replicas.flatMap(({ placement: { cluster, pools }, assignment }) => {
    const same = left.findIndex(
      (one) => one.placement.cluster === cluster && haveSamePools(one.placement.pools, pools),
    );
    if (same < 0) return [{ cluster, ...toPricedPools(assignment) }];
    left.splice(same, 1);
    return [];
  });
}
