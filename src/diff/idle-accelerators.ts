import { acceleratorsOf } from '../scheduler/compile/shapes';
import type { FleetState } from './fleet-state';

/**
 * Counts the accelerators of the nodes that always run which no replica takes, as their cost is counted: what replicas
 * hold for rollouts only is idle.
 */
export function countIdleAccelerators({ cost, decision }: Pick<FleetState, 'cost' | 'decision'>): number {
  const perNode = new Map(
    decision.model.clusters.flatMap(({ name, pools }) =>
      pools.map((pool) => [`${name}/${pool.name}`, acceleratorsOf(pool.node)] as const),
    ),
  );
  const idle = cost.clusters.flatMap(({ cluster, pools }) =>
    pools.map(({ pool, nodes, taken }) => Math.max(0, nodes.least - taken) * (perNode.get(`${cluster}/${pool}`) ?? 0)),
  );
  return Math.round(idle.reduce((sum, count) => sum + count, 0));
}
