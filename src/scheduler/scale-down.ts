import { compareText, groupBy } from '../base/order';
import type { CompiledDeployment } from './compiled-fleet';
import { findUntolerated } from './filters';
import type { AssignedReplica } from './retained-replicas';
import type { SchedulingState } from './scheduling-state';

/**
 * Drops the surplus replicas of a deployment: first those that start to leave and get no replacement, then those on
 * overcommitted pools, then those on clusters that take no new ones (an untolerated `NoSchedule` taint), then those
 * on the cluster with the most of them, the highest index first.
 */
export function scaleDown(
  state: SchedulingState,
  deployment: CompiledDeployment,
  draining: readonly AssignedReplica[],
): void {
  if (deployment.paused) return;
  const replaced = Math.max(0, deployment.replicas - state.staying(deployment).length);
  for (const placed of draining.slice(replaced)) state.drop(placed, { kind: 'scaled-down' });
  for (let surplus = state.staying(deployment).length - deployment.replicas; surplus > 0; surplus--) {
    const placed = state.staying(deployment).filter(({ placement }) => !state.clusters.get(placement.cluster)?.paused);
    const rank = rankForRemoval(state, deployment, placed);
    const [first, ...others] = placed;
    if (!first) return;
    const victim = others.reduce(
      (a, b) => ((compareDescending(rank(a), rank(b)) || compareLastFirst(a, b)) <= 0 ? a : b),
      first,
    );
    state.drop(victim, { kind: 'scaled-down' });
  }
}

/** The criteria for dropping a replica, the strongest first; higher values are dropped first. */
function rankForRemoval(
  state: SchedulingState,
  deployment: CompiledDeployment,
  placed: readonly AssignedReplica[],
): (replica: AssignedReplica) => number[] {
  const pools = new Set(placed.flatMap(({ assignment }) => assignment.charges.map(({ pool }) => pool)));
  const full = new Set([...pools].filter((pool) => state.ledger.isOvercommitted(pool)));
  const byCluster = groupBy(placed, ({ placement }) => placement.cluster);
  return ({ placement: { cluster }, assignment }) => {
    const taints = state.clusters.get(cluster)?.taints ?? [];
    return [
      assignment.charges.some(({ pool }) => full.has(pool)) ? 1 : 0,
      findUntolerated(taints, deployment.demand.tolerations) ? 1 : 0,
      byCluster.get(cluster)?.length ?? 0,
    ];
  };
}

function compareDescending(a: readonly number[], b: readonly number[]): number {
  return b.map((value, i) => value - (a[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function compareLastFirst({ placement: a }: AssignedReplica, { placement: b }: AssignedReplica): number {
  return compareText(b.cluster, a.cluster) || b.index - a.index;
}
