import { compareText, groupBy } from '../base/order';
import type { CompiledDeployment, Pool } from './compiled-fleet';
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
  if (draining.length === 0 && state.staying(deployment).length <= deployment.replicas) return;
  const replaced = Math.max(0, deployment.replicas - state.staying(deployment).length);
  state.dropAll(draining.slice(replaced).map((placed) => ({ placed, reason: SCALED_DOWN })));
  const surplus = state.staying(deployment).length - deployment.replicas;
  if (surplus > 0) state.dropAll(chooseSurplus(state, deployment, surplus));
}

const SCALED_DOWN = { kind: 'scaled-down' } as const;

/** Replicas of one deployment on the same pools of one cluster. They differ only in their index. */
interface Peers {
  readonly cluster: string;
  readonly pools: readonly Pool[];

  /** Whether the cluster takes no new replicas. */
  readonly untolerated: boolean;

  /** By index. The last is dropped first. */
  readonly replicas: AssignedReplica[];
}

/** Chooses replicas to drop, one after the other, because each changes what its pools lack. */
function* chooseSurplus(
  state: SchedulingState,
  deployment: CompiledDeployment,
  surplus: number,
): Generator<{ readonly placed: AssignedReplica; readonly reason: typeof SCALED_DOWN }> {
  const groups = groupPeers(state, deployment);
  const counts = new Map<string, number>();
  for (const { cluster, replicas } of groups) counts.set(cluster, (counts.get(cluster) ?? 0) + replicas.length);
  const full = new Map<Pool, boolean>();
  const isFull = (pool: Pool): boolean => {
    const known = full.get(pool) ?? state.ledger.isOvercommitted(pool);
    full.set(pool, known);
    return known;
  };
  // The criteria, the strongest first; higher values are dropped first.
  const rank = ({ cluster, pools, untolerated }: Peers): number[] => [
    pools.some(isFull) ? 1 : 0,
    untolerated ? 1 : 0,
    counts.get(cluster) ?? 0,
  ];
  for (let left = surplus; left > 0; left--) {
    const chosen = findFirst(groups, rank);
    const placed = chosen?.replicas.pop();
    if (!chosen || !placed) return;
    yield { placed, reason: SCALED_DOWN };
    counts.set(chosen.cluster, (counts.get(chosen.cluster) ?? 0) - 1);
    for (const pool of chosen.pools) full.delete(pool);
  }
}

/** The replicas that may be dropped, which are not on paused clusters. */
function groupPeers(state: SchedulingState, deployment: CompiledDeployment): Peers[] {
  const placed = state.staying(deployment).filter(({ placement }) => !state.clusters.get(placement.cluster)?.paused);
  const groups = groupBy(placed, ({ placement: { cluster }, assignment: { charges } }) =>
    [cluster, ...charges.map(({ pool }) => pool.name)].join(' '),
  );
  return [...groups.values()].flatMap((replicas) => {
    const [first] = replicas;
    if (!first) return [];
    const { cluster } = first.placement;
    const taints = state.clusters.get(cluster)?.taints ?? [];
    return {
      cluster,
      pools: [...new Set(first.assignment.charges.map(({ pool }) => pool))],
      untolerated: findUntolerated(taints, deployment.demand.tolerations) !== undefined,
      replicas: replicas.sort((a, b) => a.placement.index - b.placement.index),
    };
  });
}

/** The group whose last replica is dropped next. */
function findFirst(groups: readonly Peers[], rank: (group: Peers) => number[]): Peers | undefined {
  let first: Peers | undefined;
  let best: number[] = [];
  for (const group of groups) {
    if (group.replicas.length === 0) continue;
    const own = rank(group);
    const order = first ? compareDescending(own, best) || compareLastFirst(group, first) : -1;
    if (order < 0) [first, best] = [group, own];
  }
  return first;
}

function compareDescending(a: readonly number[], b: readonly number[]): number {
  return b.map((value, i) => value - (a[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function compareLastFirst(a: Peers, b: Peers): number {
  const lastIndex = ({ replicas }: Peers): number => replicas.at(-1)?.placement.index ?? 0;
  return compareText(b.cluster, a.cluster) || lastIndex(b) - lastIndex(a);
}
