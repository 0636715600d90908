import { acceleratorsOf } from '../scheduler/compile/shapes';
import type { FleetState } from './fleet-state';

type CountedState = Pick<FleetState, 'cost' | 'decision'>;

/** Accelerators of nodes that always run which no replica takes, before and after a change. */
export interface IdleAccelerators {
  readonly before: number;
  readonly after: number;

  /** Those after the change that no replica can take, by cluster: the cluster is lost. Absent where there are none. */
  readonly lost?: readonly { readonly cluster: string; readonly accelerators: number }[];
}

/**
 * Counts the idle accelerators of two states, and those of the later one that are on lost clusters.
 *
 * @param lostClusters the clusters of the later state that are lost
 */
export function compareIdleAccelerators(
  before: CountedState,
  after: CountedState,
  lostClusters: readonly string[],
): IdleAccelerators {
  const lost = lostClusters.flatMap((cluster) => {
    const accelerators = countIdleAccelerators(after, cluster);
    return accelerators > 0 ? [{ cluster, accelerators }] : [];
  });
  const counts = { before: countIdleAccelerators(before), after: countIdleAccelerators(after) };
  return { ...counts, ...(lost.length > 0 && { lost }) };
}

/**
 * Counts the accelerators of the nodes that always run which no replica takes, as their cost is counted: what replicas
 * hold for rollouts only is idle.
 *
 * @param only the name of the one cluster to count. Default: all count
 */
export function countIdleAccelerators({ cost, decision }: CountedState, only?: string): number {
  const perNode = new Map(
    decision.model.clusters.flatMap(({ name, pools }) =>
      pools.map((pool) => [`${name}/${pool.name}`, acceleratorsOf(pool.node)] as const),
    ),
  );
  const counted = only === undefined ? cost.clusters : cost.clusters.filter(({ cluster }) => cluster === only);
  const idle = counted.flatMap(({ cluster, pools }) =>
    pools.map(({ pool, nodes, taken }) => Math.max(0, nodes.least - taken) * (perNode.get(`${cluster}/${pool}`) ?? 0)),
  );
  return Math.round(idle.reduce((sum, count) => sum + count, 0));
}
