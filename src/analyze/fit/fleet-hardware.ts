import type { ClassDevice } from '../../api/device';
import type { InferenceClass } from '../../api/inference-class';
import { groupBy, sortUnique } from '../../base/order';
import { assumePoolPrices, poolKeyOf } from '../../cost/pool-prices';
import type { Decision } from '../../plan/decision';
import type { Pool } from '../../scheduler/compiled-fleet';
import { retainPlacements } from '../../scheduler/retain-placements';
import { SchedulingState } from '../../scheduler/scheduling-state';
import { sizedDeviceOf } from '../../sizing/class-hardware';
import type { SizedHardware } from '../../sizing/fit-model';
import { gpusOf, type Layout } from '../../sizing/weights';
import { MOST_NODES } from './catalogue-hardware';

/**
 * The hardware of a fleet: one entry for each class and price, with what is free in its pools once the plan is accepted.
 * A price that is not known is that of another region. Classes without a device that publishes memory, or TPUs of the
 * catalog, are left out.
 */
export function listFleetHardware(decision: Decision): SizedHardware[] {
  const { fleet, model } = decision;
  const gpus = [...fleet.hardware.catalogue.gpus.values()];
  const countRoom = createRoomCounter(decision);
  const assumed = assumePoolPrices(fleet);
  const pools = new Map(model.clusters.flatMap((one) => one.pools).map((pool) => [keyOf(pool), pool]));
  return fleet.classes.flatMap((declared): SizedHardware[] => {
    const sized = sizedDeviceOf(declared, gpus);
    if (!sized) return [];
    const { device, gpu, wholeNodes = false } = sized;
    const own = poolsOfClass(declared, decision).flatMap((key) => pools.get(key) ?? []);
    const shared = { gpu, gpusPerNode: device.count, wholeNodes };
    const byPrice = [...groupBy(own, (pool) => JSON.stringify(priceOfPool(pool, assumed))).values()];
    return byPrice.map((group) => ({
      hardware: declared.metadata.name,
      ...(byPrice.length > 1 && { clusters: sortUnique(group.map(({ cluster }) => cluster)) }),
      ...shared,
      nodes: Math.min(MOST_NODES, Math.max(...group.map(({ nodes }) => nodes))),
      ...(group[0] ? priceOfPool(group[0], assumed) : { pricePerHour: null }),
      roomFor: (layout) => countRoom(group, device, layout),
    }));
  });
}

/** The price of a node of a pool, or that of another region where its own is not known, as in plans. */
function priceOfPool(
  pool: Pool,
  assumed: ReturnType<typeof assumePoolPrices>,
): Pick<SizedHardware, 'pricePerHour' | 'pricedAs'> {
  const other = pool.price === undefined ? assumed.get(keyOf(pool)) : undefined;
  return other ? { pricePerHour: other.price.perHour, pricedAs: other.region } : { pricePerHour: pool.price ?? null };
}

function poolsOfClass(declared: InferenceClass, { fleet }: Decision): string[] {
  return fleet.clusters.flatMap(({ metadata, spec }) =>
    spec.nodePools
      .filter(({ className }) => className === declared.metadata.name)
      .map(({ name }) => poolKeyOf(metadata.name, name)),
  );
}

function keyOf({ cluster, name }: Pool): string {
  return poolKeyOf(cluster, name);
}

/** Counts the further replicas of a layout that have a guaranteed place in pools, as a plan does. */
type RoomCounter = (pools: readonly Pool[], device: ClassDevice, layout: Layout) => number;

/** Creates a counter. A cluster that is paused or has a taint takes no further replica. */
function createRoomCounter({ model, schedule }: Decision): RoomCounter {
  const state = new SchedulingState(model);
  retainPlacements(state, schedule.placements);
  const open = model.clusters.filter(({ paused, taints }) => !paused && taints.length === 0);
  const usable = new Set(open.flatMap(({ pools }) => pools).filter(({ closed }) => !closed));
  return (pools, device, layout) => {
    const count = gpusOf(layout) / layout.nodes;
    const rooms = pools
      .filter((pool) => usable.has(pool))
      .map((pool) => {
        const pods = state.ledger.room(pool, [{ count, kinds: [findKind(pool, device)] }]);
        return Math.floor(pods / layout.nodes);
      });
    return rooms.reduce((sum, room) => sum + room, 0);
  };
}

/** The kind that a device of a class is on the nodes of a pool. Equal nodes share the names of one class. */
function findKind({ node: { kinds } }: Pool, device: ClassDevice): number {
  const named = kinds.findIndex(({ name }) => name === device.name);
  if (named >= 0) return named;
  return kinds.findIndex(({ claimedAs, memory }) => {
    return claimedAs !== undefined && (memory > 0 || claimedAs === device.deviceClassName);
  });
}
