import { pluralize } from '../base/text';
import { isGang } from '../api/engine-copies';
import { schedulerTypeOf } from '../api/kubernetes-features';
import { sortUnique } from '../base/order';
import type { ComputedReplica } from '../replicas/replica';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { Ledger } from '../scheduler/ledger';
import { chargePlacements } from '../scheduler/overcommitted';
import type { Placement } from '../scheduler/placement';
import type { PackedPool } from './plan';

/** Finds the pools on which KAI packs the pods of replicas. */
export function findPackedPools(
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): PackedPool[] {
  const pools = model.clusters.flatMap((cluster) => cluster.pools).filter(({ packing }) => packing === 'KAI');
  if (pools.length === 0) return [];
  const ledger = new Ledger();
  for (const { charges } of chargePlacements(model, placements, matcher)) ledger.add(charges);
  return pools.flatMap((pool): PackedPool[] => {
    const shapes = [...ledger.loadsOf(pool)].length;
    if (shapes === 0) return [];
    return [{ cluster: pool.cluster, pool: pool.name, shapes, countedAs: shapes === 1 ? 'BinPack' : 'WorstCase' }];
  });
}

/** Describes how these pools are counted, one sentence for each. */
export function describePackedPools(pools: readonly PackedPool[]): string[] {
  return pools.map(({ cluster, pool, shapes, countedAs }) => {
    const id = `${cluster}/${pool}`;
    return countedAs === 'BinPack'
      ? `${id} is counted as packed: all its pods have one shape, so KAI fills each node.`
      : `${id} is counted at the worst arrangement: ${pluralize(shapes, 'shape')} of pods mix, and KAI does not move pods that run.`;
  });
}

/** Describes what the plan does not count for gangs that KAI starts within one domain only, by pool and level. */
export function describeRequiredDomains(replicas: readonly ComputedReplica[]): string[] {
  const notes = replicas.flatMap(({ cluster, engines }) => {
    if (schedulerTypeOf(cluster) !== 'KAI') return [];
    return engines.flatMap(({ engine, pool }) => {
      const level = pool.topology?.required;
      if (level === undefined || !isGang(engine)) return [];
      const id = `${cluster.metadata.name}/${pool.name}`;
      return [
        `Gangs on ${id} start within one domain of ${level}. The plan counts the nodes of the pool, not of each domain, so a gang can wait although the pool has room.`,
      ];
    });
  });
  return sortUnique(notes);
}
