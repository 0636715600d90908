import { groupBy } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import type { PlacedFleet } from '../plan/decision';
import type { ReplicaChange } from '../plan/replica-moves';
import { createUsageLookup } from '../plan/replica-usage';
import { groupByDeployment } from '../scheduler/placement';
import { type CloudChange, isShrunk } from './cloud-changes';
import type { PoolDisruption } from './pool-disruption';
import type { Cause } from './replica-causes';
import { isEvicted } from '../plan/replica-moves';

/** A pool of which a cloud deletes nodes. It chooses which. */
interface ShrunkPool {
  readonly nodes: number;
  readonly causes: readonly Cause[];
}

/** What happens to the nodes of replicas, by their changes. */
type DisruptedReplicas = ReadonlyMap<ReplicaChange, PoolDisruption>;

/**
 * Finds the replicas that can lose their nodes because a pool gets fewer than they need: those that leave the pool, and
 * as many of the others as the deleted nodes can hold. A pool that holds all its replicas can be emptied in advance.
 */
export function findLostNodes(
  cloud: readonly CloudChange[],
  compared: ReadonlyMap<string, readonly ReplicaChange[]>,
  before: PlacedFleet,
): DisruptedReplicas {
  const shrunk = listShrunk(cloud);
  if (shrunk.size === 0) return new Map();
  const all = [...compared.values()].flat();
  const short = [...shrunk].filter(([pool]) => all.some((change) => leaves(change, pool)));
  const shareOn = createShareLookup(before);
  return new Map(
    short.flatMap(([pool, { nodes, causes }]) =>
      [...compared].flatMap(([deployment, changes]): (readonly [ReplicaChange, PoolDisruption])[] => {
        const there = changes.filter((change) => isOn(change, pool));
        const leaving = there.filter((change) => leaves(change, pool));
        const staying = there.filter((change) => !leaves(change, pool));
        const perNode = Math.max(1, Math.floor(1 / shareOn(pool, deployment)));
        const chosen = staying.slice(0, nodes * perNode);
        return [
          ...leaving.map((change) => [change, { nodes: 'replace', causes }] as const),
          ...chosen.map((change) => [change, { nodes: 'replace', mayStay: true, causes }] as const),
        ];
      }),
    ),
  );
}

/** Creates a function that returns the least share of a node that a replica of a deployment takes on a pool. */
function createShareLookup({ model, matcher, schedule }: PlacedFleet): (pool: string, deployment: string) => number {
  const usageAt = createUsageLookup(model, matcher);
  const placed = groupByDeployment(schedule.placements);
  return (pool, deployment) => {
    const there = (placed.get(deployment) ?? []).filter((one) => usesPool(one, pool));
    const uses = there.flatMap((one) => usageAt(one).filter((use) => poolKeyOf(one.cluster, use.pool) === pool));
    return Math.min(1, ...uses.map(({ share }) => share));
  };
}

function listShrunk(cloud: readonly CloudChange[]): ReadonlyMap<string, ShrunkPool> {
  const shrunk = cloud.filter(isShrunk);
  return new Map(
    [...groupBy(shrunk, ({ cluster, name }) => poolKeyOf(cluster, name))].map(([pool, changes]) => {
      const nodes = changes.reduce(
        (sum, one) => sum + (one.nodes?.before?.most ?? 0) - (one.nodes?.after?.most ?? 0),
        0,
      );
      return [pool, { nodes, causes: changes.flatMap((one) => one.causes) }];
    }),
  );
}

/** Whether a replica serves on a pool until the change. */
function isOn({ action, from, cluster, pools }: ReplicaChange, pool: string): boolean {
  if (action === 'place' || action === 'remove') return false;
  return usesPool(from ?? { cluster, pools }, pool);
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
