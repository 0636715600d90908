import type { Pool } from './compiled-fleet';
import type { Charge } from './ledger';
import type { AssignedReplica } from './retained-replicas';
import type { SurgeWithoutRoom } from './schedule-result';
import type { SchedulingState } from './scheduling-state';

/**
 * Takes back the room that rollouts reserve on overcommitted pools, so that a surge evicts no replica. As few replicas
 * as possible lose it: those of the lowest priority first, of them those that reserve the most.
 */
export function yieldSurges(state: SchedulingState): SurgeWithoutRoom[] {
  const full = new Set(state.ledger.overcommittedPools());
  if (full.size === 0) return [];
  return chooseYielding(state, full).map((placed) => {
    const { placement, assignment } = placed;
    state.remove(placed);
    state.place(placement, { ...assignment, charges: assignment.charges.map(withoutSurge) });
    const surge = surgeOf(placed);
    const pools = [...new Set(surge.map(({ pool }) => pool))].map((pool) => {
      return { pool: pool.name, nodes: state.ledger.missingNodes(pool, surge) };
    });
    const { deployment, cluster, index } = placement;
    return { deployment, cluster, index, pools: pools.filter(({ nodes }) => nodes > 0) };
  });
}

/** Chooses the replicas that give up what they reserve. Leaves the ledger as it is. */
function chooseYielding(state: SchedulingState, full: ReadonlySet<Pool>): AssignedReplica[] {
  const { ledger } = state;
  const isShort = (surge: readonly Charge[]): boolean =>
    surge.some(({ pool }) => full.has(pool) && ledger.isOvercommitted(pool));
  const tried = listSurging(state, full).filter((placed) => {
    const surge = surgeOf(placed);
    if (!isShort(surge)) return false;
    ledger.remove(surge);
    return true;
  });
  // Those that came last may have been enough.
  const yielding = tried.toReversed().filter((placed) => {
    const surge = surgeOf(placed);
    ledger.add(surge);
    if (!isShort(surge)) return false;
    ledger.remove(surge);
    return true;
  });
  for (const placed of yielding) ledger.add(surgeOf(placed));
  return yielding;
}

/** The replicas that reserve room on some pools, in the order in which they give it up. */
function listSurging(state: SchedulingState, full: ReadonlySet<Pool>): AssignedReplica[] {
  const all = state.model.deployments.toReversed().flatMap((deployment) =>
    state.staying(deployment).map((placed) => {
      return { priority: deployment.priority, placed, size: sizeOf(surgeOf(placed)) };
    }),
  );
  return all
    .filter(({ placed }) => surgeOf(placed).some(({ pool }) => full.has(pool)))
    .sort((a, b) => a.priority - b.priority || b.size - a.size)
    .map(({ placed }) => placed);
}

/** What a replica reserves for rollouts. */
export function surgeOf({ assignment }: AssignedReplica): Charge[] {
  return assignment.charges.flatMap((charge) => (charge.surge > 0 ? [{ ...charge, pods: charge.surge }] : []));
}

/** What the replicas of deployments that surge reserve for rollouts. */
export function listReserves(state: SchedulingState): Charge[] {
  const surging = state.model.deployments.filter(({ demand }) =>
    demand.engines.some(({ members }) => members.some(({ surge }) => surge > 0)),
  );
  return surging.flatMap((one) => [...state.staying(one), ...state.draining(one)].flatMap(surgeOf));
}

function withoutSurge(charge: Charge): Charge {
  return { ...charge, pods: charge.pods - charge.surge, surge: 0 };
}

/** The nodes that charges take, as a sum of shares. */
function sizeOf(charges: readonly Charge[]): number {
  return charges.reduce((sum, { pods, share }) => sum + pods * share, 0);
}
