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
  const arriving = listArriving(deployments).map(({ pools, ...one }) => {
    return { pools, isDenied: one.deployment === deployment && one.action === 'place' };
  });
  if (arriving.filter(({ isDenied }) => isDenied).length !== from - to) return [];
  return findAddedNodes(declarations, (key) => {
    const here = arriving.filter(({ pools }) => pools.includes(key));
    return here.length > 0 && here.every(({ isDenied }) => isDenied);
  });
}

/** The replicas that come to pools, with the keys of these. */
export function listArriving(deployments: FleetDiff['deployments']) {
  return deployments.flatMap(({ deployment, changes }) =>
    changes
      .filter(({ action }) => action === 'place' || action === 'move')
      .map(({ action, cluster, pools }) => {
        return { deployment, action, pools: Object.values(pools).map((pool) => poolKeyOf(cluster, pool)) };
      }),
  );
}

/** The edits that add nodes which always run to some pools, by the key of each. */
export function findAddedNodes(
  declarations: FleetDiff['declarations'],
  isWanted: (poolKey: string) => boolean,
): Cause[] {
  return declarations.flatMap(toCauses).filter(({ id, field }) => {
    const pool = COUNT.exec(field?.field ?? '')?.[1];
    if (pool === undefined || !(Number(field?.before) < Number(field?.after))) return false;
    return isWanted(poolKeyOf(id.replace('InferenceCluster ', ''), pool));
  });
}
