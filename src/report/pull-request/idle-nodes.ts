import { poolKeyOf } from '../../cost/pool-prices';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { FewerReplicas } from '../../fleet/policy';
import { toCauses } from './edit-list';

/** The nodes that always run of a pool. */
const COUNT = /^spec\.nodePools\[(.+)\]\.(?:nodeCount|minNodeCount)$/;

/**
 * Finds the edits that add nodes of pools to which a change brings only those new replicas that a policy denies: without
 * the replicas, the nodes are idle.
 */
export function findIdleNodes(
  { deployment, from, to }: FewerReplicas,
  { declarations, deployments }: Pick<FleetDiff, 'declarations' | 'deployments'>,
): Cause[] {
  const arriving = deployments.flatMap((one) =>
    one.changes
      .filter(({ action }) => action === 'place' || action === 'move')
      .map(({ action, cluster, pools }) => ({
        isDenied: one.deployment === deployment && action === 'place',
        pools: Object.values(pools).map((pool) => poolKeyOf(cluster, pool)),
      })),
  );
  if (arriving.filter(({ isDenied }) => isDenied).length !== from - to) return [];
  return declarations.flatMap(toCauses).filter(({ id, field }) => {
    const pool = COUNT.exec(field?.field ?? '')?.[1];
    if (pool === undefined || !(Number(field?.before) < Number(field?.after))) return false;
    const key = poolKeyOf(id.replace('InferenceCluster ', ''), pool);
    const here = arriving.filter(({ pools }) => pools.includes(key));
    return here.length > 0 && here.every(({ isDenied }) => isDenied);
  });
}
