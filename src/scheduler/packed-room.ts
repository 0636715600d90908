import { getOrCompute } from '../base/memoize';
import { changeCompiledCluster, packPool } from './changed-demands';
import type { CompiledDeployment, CompiledFleet } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { countFurther, type FurtherReplicas } from './further-replicas';
import type { Placement } from './placement';
import type { Rejection } from './reason';
import { retainPlacements } from './retain-placements';
import { SchedulingState } from './scheduling-state';
import { hasLimits } from './topology-spread';

/** The further replicas of a deployment that have a place on a cluster once it packs the pods of a pool. */
export interface PackedRoom extends Pick<FurtherReplicas, 'count' | 'atLeast'> {
  readonly pool: string;
}

/** Whether packing the pods of a pool gives a replica a place for sure that nothing else keeps off it. */
export function isHelpedByPacking({ reason, also }: Pick<Rejection, 'reason' | 'also'>): boolean {
  return reason.filter === 'capacity' && reason.packs && !reason.closed && !reason.several && !also;
}

/** Counts the further replicas of a deployment with packing of each pool that lacks nothing else, up to a number. */
export type CountPacked = (
  deployment: CompiledDeployment,
  rejections: readonly Rejection[],
  most: number,
) => { readonly packed?: readonly PackedRoom[] };

/** Creates a counter of what packing a pool makes room for, with all placements of a fleet. */
export function createPackedCounter(
  model: CompiledFleet,
  placements: readonly Placement[],
  matcher?: PodMatcher,
): CountPacked {
  const [alone, all] = [newStates(), newStates()];
  const pack = (cluster: string, pool: string, isAlone: boolean): SchedulingState => {
    const packed = changeCompiledCluster(model, cluster, (one) => packPool(one, pool));
    const clusters = isAlone ? packed.clusters.filter(({ name }) => name === cluster) : packed.clusters;
    const state = new SchedulingState({ ...packed, clusters }, matcher);
    retainPlacements(state, isAlone ? placements.filter((one) => one.cluster === cluster) : placements);
    return state;
  };
  return (deployment, rejections, most) => {
    // Limits of placement count replicas on other clusters, too.
    const isAlone = !hasLimits(deployment);
    const states = isAlone ? alone : all;
    const packed = rejections.filter(isHelpedByPacking).flatMap(({ cluster: name, pool = '' }): PackedRoom[] => {
      const state = getOrCompute(states, name, pool, () => pack(name, pool, isAlone));
      const cluster = state.clusters.get(name);
      const found = cluster && countFurther(state, deployment, cluster, most);
      if (!found) return [];
      return [{ pool, count: found.count, ...(found.atLeast && { atLeast: found.atLeast }) }];
    });
    return packed.length > 0 ? { packed } : {};
  };
}

/** States by cluster and pool. */
function newStates(): Map<string, Map<string, SchedulingState>> {
  return new Map();
}
