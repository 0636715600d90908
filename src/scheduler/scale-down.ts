import { compareText, groupBy } from '../order';
import type { Workload } from './model';
import type { Placed } from './held';
import type { State } from './state';
import { untolerated } from './tolerate';

/**
 * Drops the replicas that a deployment has beyond what it asks for: first those that start to leave and that nothing
 * will replace, then from pools that have promised more than
 * they have, then from clusters that take no new ones (an untolerated `NoSchedule` taint), then from the cluster
 * with the most of them, the highest index first.
 */
export function scaleDown(state: State, workload: Workload, going: readonly Placed[]): void {
  if (workload.paused) return;
  const replaced = Math.max(0, workload.replicas - state.staying(workload).length);
  for (const placed of going.slice(replaced)) state.drop(placed, { kind: 'scaled-down' });
  for (let surplus = state.staying(workload).length - workload.replicas; surplus > 0; surplus--) {
    const placed = state
      .staying(workload)
      .filter(({ placement }) => !state.sites.get(placement.cluster)?.paused);
    const rank = ranking(state, workload, placed);
    const [first, ...others] = placed;
    if (!first) return;
    const goes = others.reduce(
      (a, b) => ((descending(rank(a), rank(b)) || lastFirst(a, b)) <= 0 ? a : b),
      first,
    );
    state.drop(goes, { kind: 'scaled-down' });
  }
}

/** How much speaks for dropping a replica, the weightiest first. */
function ranking(state: State, workload: Workload, placed: readonly Placed[]): (one: Placed) => number[] {
  const pools = new Set(placed.flatMap(({ assignment }) => assignment.charges.map(({ pool }) => pool)));
  const full = new Set([...pools].filter((pool) => state.ledger.overfull(pool)));
  const own = groupBy(placed, ({ placement }) => placement.cluster);
  return ({ placement: { cluster }, assignment }) => [
    assignment.charges.some(({ pool }) => full.has(pool)) ? 1 : 0,
    closed(state, workload, cluster) ? 1 : 0,
    own.get(cluster)?.length ?? 0,
  ];
}

function closed(state: State, { demand }: Workload, cluster: string): boolean {
  const taints = state.sites.get(cluster)?.taints ?? [];
  return untolerated(taints, demand.tolerations) !== undefined;
}

function descending(a: readonly number[], b: readonly number[]): number {
  return b.map((value, i) => value - (a[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function lastFirst({ placement: a }: Placed, { placement: b }: Placed): number {
  return compareText(b.cluster, a.cluster) || b.index - a.index;
}
