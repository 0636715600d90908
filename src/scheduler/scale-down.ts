import { compareText, groupBy } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { findUntolerated } from './filters';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';

/**
 * Drops the replicas that a deployment has beyond what it asks for: first those that start to leave and that nothing
 * will replace, then from pools that have promised more than
 * they have, then from clusters that take no new ones (an untolerated `NoSchedule` taint), then from the cluster
 * with the most of them, the highest index first.
 */
export function scaleDown(
  state: SchedulingState,
  workload: CompiledDeployment,
  going: readonly AssignedReplica[],
): void {
  if (workload.paused) return;
  const replaced = Math.max(0, workload.replicas - state.staying(workload).length);
  for (const placed of going.slice(replaced)) state.drop(placed, { kind: 'scaled-down' });
  for (let surplus = state.staying(workload).length - workload.replicas; surplus > 0; surplus--) {
    const placed = state
      .staying(workload)
      .filter(({ placement }) => !state.clusters.get(placement.cluster)?.paused);
    const rank = rankForRemoval(state, workload, placed);
    const [first, ...others] = placed;
    if (!first) return;
    const goes = others.reduce(
      (a, b) => ((compareDescending(rank(a), rank(b)) || compareLastFirst(a, b)) <= 0 ? a : b),
      first,
    );
    state.drop(goes, { kind: 'scaled-down' });
  }
}

/** How much speaks for dropping a replica, the weightiest first. */
function rankForRemoval(
  state: SchedulingState,
  workload: CompiledDeployment,
  placed: readonly AssignedReplica[],
): (one: AssignedReplica) => number[] {
  const pools = new Set(placed.flatMap(({ assignment }) => assignment.charges.map(({ pool }) => pool)));
  const full = new Set([...pools].filter((pool) => state.ledger.isOvercommitted(pool)));
  const own = groupBy(placed, ({ placement }) => placement.cluster);
  return ({ placement: { cluster }, assignment }) => [
    assignment.charges.some(({ pool }) => full.has(pool)) ? 1 : 0,
    isClosed(state, workload, cluster) ? 1 : 0,
    own.get(cluster)?.length ?? 0,
  ];
}

function isClosed(state: SchedulingState, { demand }: CompiledDeployment, cluster: string): boolean {
  const taints = state.clusters.get(cluster)?.taints ?? [];
  return findUntolerated(taints, demand.tolerations) !== undefined;
}

function compareDescending(a: readonly number[], b: readonly number[]): number {
  return b.map((value, i) => value - (a[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function compareLastFirst({ placement: a }: AssignedReplica, { placement: b }: AssignedReplica): number {
  return compareText(b.cluster, a.cluster) || b.index - a.index;
}
