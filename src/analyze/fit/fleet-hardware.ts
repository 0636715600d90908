import type { InferenceClass } from '../../api/inference-class';
import { groupBy } from '../../base/order';
import { poolKeyOf } from '../../cost/pool-prices';
import type { Decision } from '../../plan/decision';
import { createUsageLookup } from '../../plan/replica-usage';
import type { Pool } from '../../scheduler/compiled-fleet';
import { gpuDeviceOf, gpuOfDevice } from '../../sizing/class-hardware';
import type { FreePool, SizedHardware } from '../../sizing/fit-model';
import { MOST_NODES } from './catalogue-hardware';

/**
 * The hardware of a fleet: one entry for each class and price, with what is free in its pools once the plan is
 * accepted. Classes without a device that publishes memory are left out.
 */
export function listFleetHardware(decision: Decision): SizedHardware[] {
  const { fleet, model } = decision;
  const gpus = [...fleet.hardware.catalogue.gpus.values()];
  const used = sharesTaken(decision);
  const pools = new Map(model.clusters.flatMap((one) => one.pools).map((pool) => [keyOf(pool), pool]));
  return fleet.classes.flatMap((declared): SizedHardware[] => {
    const device = gpuDeviceOf(declared);
    if (!device) return [];
    const own = poolsOfClass(declared, decision).flatMap((key) => pools.get(key) ?? []);
    const shared = { gpu: gpuOfDevice(device, gpus), gpusPerNode: device.count };
    return [...groupBy(own, ({ price }) => price)].map(([price, group]) => ({
      hardware: declared.metadata.name,
      ...shared,
      nodes: Math.min(MOST_NODES, Math.max(...group.map(({ nodes }) => nodes))),
      pricePerHour: price ?? null,
      pools: group.map((pool) => freeOf(pool, device.count, used.get(keyOf(pool)) ?? 0)),
    }));
  });
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

/** The nodes of each pool that replicas take, as a sum of fractions. */
function sharesTaken({ model, matcher, schedule }: Decision): ReadonlyMap<string, number> {
  const usageOf = createUsageLookup(model, matcher);
  const taken = new Map<string, number>();
  for (const placement of schedule.placements) {
    for (const { pool, share, surgeShare = 0 } of usageOf(placement)) {
      const key = poolKeyOf(placement.cluster, pool);
      taken.set(key, (taken.get(key) ?? 0) + share + surgeShare);
    }
  }
  return taken;
}

/** Sums of fractions are not exact. */
const EPSILON = 1e-9;

function freeOf({ cluster, name, nodes, lost }: Pool, gpusPerNode: number, taken: number): FreePool {
  const free = Math.max(0, nodes - lost - taken);
  return {
    cluster,
    pool: name,
    gpus: Math.floor(free * gpusPerNode + EPSILON),
    nodes: Math.floor(free + EPSILON),
  };
}
