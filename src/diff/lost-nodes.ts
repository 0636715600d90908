import { groupBy } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import type { PlacedFleet } from '../plan/decision';
import { isEvicted, type ReplicaChange } from '../plan/replica-moves';
import { createUsageLookup } from '../plan/replica-usage';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import { type CloudChange, isShrunk } from './cloud-changes';
import type { PoolDisruption } from './pool-disruption';
import { listReducedPools, type ReducedPool } from './reduced-pools';
import type { Cause } from './replica-causes';

/** A pool of which a cloud deletes nodes. It chooses which. */
interface ShrunkPool {
  /** The nodes that go, and those that are left. */
  readonly nodes: number;
  readonly left: number;
  readonly causes: readonly Cause[];
}

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule' | 'model' | 'matcher'>;

/** What happens to the nodes of replicas, by their changes. */
type DisruptedReplicas = ReadonlyMap<ReplicaChange, PoolDisruption>;

/**
 * Finds the replicas that can lose their nodes because a cloud deletes some of a pool: those that leave the pool, and as
 * many of the others as the deleted nodes can hold. A pool that holds all its replicas can be drained in advance, but not
 * where some of them go only with the same change.
 */
export function findLostNodes(
  cloud: readonly CloudChange[],
  compared: ReadonlyMap<string, readonly ReplicaChange[]>,
  { before, after }: { readonly before: Placed; readonly after: Placed },
): DisruptedReplicas {
  const shrunk = listShrunk(cloud);
  if (shrunk.size === 0) return new Map();
  const all = [...compared.values()].flat();
  const reduced = new Map(
    listReducedPools(cloud, { before, after }).map((one) => [poolKeyOf(one.cluster.metadata.name, one.pool.name), one]),
  );
  const { leastShareOn, usedOf } = createShareLookup(before);
  return new Map(
    [...shrunk].flatMap(([pool, { nodes, left, causes }]) => {
      const isShort =
        all.some((change) => leaves(change, pool)) ||
        (all.some((change) => isRemovedFrom(change, pool)) && usedOf(pool) > left);
      const drained = isShort ? undefined : reduced.get(pool);
      if (!isShort && !drained) return [];
      return [...compared].flatMap(([deployment, changes]): (readonly [ReplicaChange, PoolDisruption])[] => {
        const there = changes.filter((change) => isOn(change, pool));
        const leaving = there.filter((change) => leaves(change, pool));
        const staying = there.filter((change) => !leaves(change, pool));
        const perNode = Math.max(1, Math.floor(1 / leastShareOn(pool, deployment)));
        const chosen = staying.slice(0, nodes * perNode);
        const ifDrained =
          drained && ({ ifDrained: restartsIfDrained(drained, deployment) ? 'restarts' : 'serves' } as const);
        return [
          ...leaving.map((change) => [change, { nodes: 'replace', causes }] as const),
          ...chosen.map((change) => [change, { nodes: 'replace', mayStay: true, ...ifDrained, causes }] as const),
        ];
      });
    }),
  );
}

/** Whether a drain restarts replicas of a deployment. Nodes are chosen so that those which all have to serve do not. */
function restartsIfDrained({ single, critical, hasOtherNodes }: ReducedPool, deployment: string): boolean {
  return single.includes(deployment) && !(critical.includes(deployment) && hasOtherNodes);
}

/** What replicas take of the nodes of pools, before a change. */
interface ShareLookup {
  /** The least share of a node that a replica of a deployment takes. */
  readonly leastShareOn: (pool: string, deployment: string) => number;

  /** The nodes that all replicas take together, at least. */
  readonly usedOf: (pool: string) => number;
}

function createShareLookup({ model, matcher, schedule: { placements } }: Placed): ShareLookup {
  const usageAt = createUsageLookup(model, matcher);
  const placed = groupByDeployment(placements);
  const listShares = (replicas: readonly Placement[], pool: string): number[] =>
    replicas
      .filter((one) => usesPool(one, pool))
      .flatMap((one) => {
        const uses = usageAt(one).filter((use) => poolKeyOf(one.cluster, use.pool) === pool);
        return uses.map(({ share }) => share);
      });
  return {
    leastShareOn: (pool, deployment) => Math.min(1, ...listShares(placed.get(deployment) ?? [], pool)),
    usedOf: (pool) => {
      const shares = listShares(placements, pool).reduce((sum, one) => sum + one, 0);
      // Ten shares of a tenth add up to a little more or less than one node.
      return Math.ceil(Number(shares.toFixed(10)));
    },
  };
}

function listShrunk(cloud: readonly CloudChange[]): ReadonlyMap<string, ShrunkPool> {
  const shrunk = cloud.filter(isShrunk);
  return new Map(
    [...groupBy(shrunk, ({ cluster, name }) => poolKeyOf(cluster, name))].map(([pool, changes]) => {
      const [was, left] = (['before', 'after'] as const).map((when) =>
        changes.reduce((sum, { nodes }) => sum + (nodes?.[when]?.most ?? 0), 0),
      ) as [number, number];
      return [pool, { nodes: was - left, left, causes: changes.flatMap((one) => one.causes) }];
    }),
  );
}

/** Whether a replica serves on a pool until the change. */
function isOn({ action, from, cluster, pools }: ReplicaChange, pool: string): boolean {
  if (action === 'place' || action === 'remove') return false;
  return usesPool(from ?? { cluster, pools }, pool);
}

/**
 * Counts the replicas that a change removes from pools which lose nodes, where the nodes that are left hold the others: in
 * a change of their own, they would take no others down.
 */
export function countRemovedToo(changes: readonly ReplicaChange[]): number {
  const lost = changes.filter(({ nodes }) => nodes === 'replace');
  if (!lost.every(({ mayStay }) => mayStay)) return 0;
  const short = new Set(lost.flatMap(listFormerPools));
  return changes.filter((one) => [...short].some((pool) => isRemovedFrom(one, pool))).length;
}

function listFormerPools({ from, cluster, pools }: ReplicaChange): string[] {
  const place = from ?? { cluster, pools };
  return Object.values(place.pools).map((pool) => poolKeyOf(place.cluster, pool));
}

/** Whether a replica on a pool is removed with the change. Its devices may be free only after nodes are gone. */
function isRemovedFrom({ action, from, cluster, pools }: ReplicaChange, pool: string): boolean {
  return action === 'remove' && usesPool(from ?? { cluster, pools }, pool);
}

/** Whether a replica that serves on a pool has no place there after the change, although it is still declared. */
function leaves(change: ReplicaChange, pool: string): boolean {
  if (isEvicted(change)) return usesPool(change.from ?? change, pool);
  if (change.action === 'move' && change.surgeFirst) return false;
  return isOn(change, pool) && !usesPool(change, pool);
}

function usesPool({ cluster, pools }: Pick<ReplicaChange, 'cluster' | 'pools'>, pool: string): boolean {
  return Object.values(pools).some((name) => poolKeyOf(cluster, name) === pool);
}
