import { poolKeyOf } from '../cost/pool-prices';
import type { FewerReplicas } from '../fleet/policy';
import type { Plan, ShortfallPlan } from '../plan/plan';
import type { FleetDiff } from './fleet-diff';
import { type Cause, toCauses } from './replica-causes';

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
function listArriving(deployments: FleetDiff['deployments']) {
  return deployments.flatMap(({ deployment, changes }) =>
    changes
      .filter(({ action }) => action === 'place' || action === 'move')
      .map(({ action, cluster, pools }) => {
        return { deployment, action, pools: Object.values(pools).map((pool) => poolKeyOf(cluster, pool)) };
      }),
  );
}

/** The edits that add nodes to pools where replicas lack room, and that no new replica gets either: the nodes stay idle. */
export function findUnhelpful(
  { rejections }: Pick<ShortfallPlan, 'rejections'>,
  { declarations, deployments }: Pick<FleetDiff, 'declarations' | 'deployments'>,
): Cause[] {
  const lacking = new Set(
    rejections.flatMap(({ cluster, pool, reason }) =>
      pool !== undefined && reason.filter === 'capacity' ? [poolKeyOf(cluster, pool)] : [],
    ),
  );
  const used = new Set(listArriving(deployments).flatMap(({ pools }) => pools));
  return findAddedNodes(declarations, (key) => lacking.has(key) && !used.has(key));
}

/** How many nodes a change adds to pools, by their keys, where they help no replica without a place and stay idle. */
export function countUnhelpful(
  { deployments }: Pick<Plan, 'deployments'>,
  diff: Pick<FleetDiff, 'declarations' | 'deployments'>,
): ReadonlyMap<string, number> {
  const edits = deployments.flatMap(({ shortfall }) => (shortfall ? findUnhelpful(shortfall, diff) : []));
  const added = edits.flatMap((edit) => addedNodesOf(edit) ?? []);
  return new Map(added.map(({ cluster, pool, before, after }) => [poolKeyOf(cluster, pool), after - before]));
}

/** The pool of an edit that adds nodes, and how many these are. */
export interface AddedNodes {
  readonly cluster: string;
  readonly pool: string;
  readonly before: number;
  readonly after: number;
}

/** The nodes that an edit adds. Undefined: it adds none. */
export function addedNodesOf({ id, field }: Cause): AddedNodes | undefined {
  const pool = COUNT.exec(field?.field ?? '')?.[1];
  const [before, after] = [Number(field?.before), Number(field?.after)];
  if (pool === undefined || !(before < after)) return undefined;
  return { cluster: id.replace('InferenceCluster ', ''), pool, before, after };
}

/** The edits that add nodes which always run to some pools, by the key of each. */
function findAddedNodes(declarations: FleetDiff['declarations'], isWanted: (poolKey: string) => boolean): Cause[] {
  return declarations.flatMap(toCauses).filter((cause) => {
    const added = addedNodesOf(cause);
    return added !== undefined && isWanted(poolKeyOf(added.cluster, added.pool));
  });
}
