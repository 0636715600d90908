import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import { sortedBy, sortUnique } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import { isManagedCloud } from '../provision/managed-cloud';
import { groupByDeployment, type Placement, placementKeyOf, type ReplicaId } from '../scheduler/placement';
import type { CloudChange } from './cloud-changes';
import { createAcceleratorCounter } from './copies-changes';
import { isDisruptive } from './pool-disruption';

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule'>;

interface PlacedStates {
  readonly before: Placed;
  readonly after: Placed;
}

/** The only replica of a deployment, on a pool of which the cloud chooses the nodes that go. */
export interface ExposedReplica extends ReplicaId {
  readonly accelerators: number;
}

/** Finds the only replicas of deployments that stay on pools of which the cloud chooses the nodes that go, by deployment. */
export function findExposedReplicas(
  cloud: readonly CloudChange[],
  states: { readonly before: Placed; readonly after: PlacedFleet },
): ExposedReplica[] {
  const chosen = listReducedPools(cloud, states).filter(({ cluster }) => isManagedCloud(cluster.spec.cluster.source));
  const byId = new Map(chosen.flatMap(({ alone }) => alone).map((one) => [one.deployment, one]));
  if (byId.size === 0) return [];
  const countAccelerators = createAcceleratorCounter(states.after);
  return sortedBy([...byId.values()], ({ deployment }) => deployment).map(({ deployment, cluster, index }) => {
    return { deployment, cluster, index, accelerators: countAccelerators(deployment) };
  });
}

/** A pool that gets fewer nodes while replicas stay on it. */
interface ReducedPool extends ShrunkPool {
  /** The deployments with replicas that stay. */
  readonly ids: readonly string[];

  /** The replicas of those of them of which no second one serves both before and after. */
  readonly alone: readonly Placement[];
}

/** Lists the pools of fixed size that get fewer nodes while replicas stay on them. */
export function listReducedPools(cloud: readonly CloudChange[], { before, after }: PlacedStates): ReducedPool[] {
  const shrunk = listShrunk(cloud, before, after);
  if (shrunk.length === 0) return [];
  const staying = listStaying(before, after);
  const stay = groupByDeployment(staying);
  return shrunk.flatMap(({ cluster, pool, lost }) => {
    const { name } = cluster.metadata;
    const here = staying.filter((one) => one.cluster === name && Object.values(one.pools).includes(pool.name));
    if (here.length === 0) return [];
    const ids = sortUnique(here.map(({ deployment }) => deployment));
    return [{ cluster, pool, lost, ids, alone: here.filter((one) => stay.get(one.deployment)?.length === 1) }];
  });
}

interface ShrunkPool {
  readonly cluster: InferenceCluster;
  readonly pool: NodePool;
  readonly lost: number;
}

/** The pools that keep their other nodes. */
function listShrunk(cloud: readonly CloudChange[], before: Placed, after: Placed): ShrunkPool[] {
  const former = new Map(before.fleet.clusters.map(({ metadata, spec }) => [metadata.name, spec.nodePools]));
  return after.fleet.clusters.flatMap((cluster) => {
    const { name } = cluster.metadata;
    return cluster.spec.nodePools.flatMap((pool): ShrunkPool[] => {
      const was = former.get(name)?.find((one) => one.name === pool.name);
      const lost = countLost(was, pool);
      return lost === 0 || isRecreated(cloud, name, pool) ? [] : [{ cluster, pool, lost }];
    });
  });
}

/** The replicas that run before a change and that it leaves in their pools, also those that drain. */
function listStaying(before: Placed, after: Placed): Placement[] {
  const later = new Map(after.schedule.placements.map((one) => [placementKeyOf(one), one]));
  return before.schedule.placements.flatMap((was) => {
    const is = later.get(placementKeyOf(was));
    const kept = Object.entries(is?.pools ?? {}).filter(([engine, pool]) => was.pools[engine] === pool);
    return is && kept.length > 0 ? [{ ...is, pools: Object.fromEntries(kept) }] : [];
  });
}

function countLost(was: NodePool | undefined, is: NodePool): number {
  if (!was || was.maxNodeCount !== undefined || is.maxNodeCount !== undefined) return 0;
  return Math.max(0, was.nodeCount - is.nodeCount);
}

function isRecreated(cloud: readonly CloudChange[], cluster: string, pool: NodePool): boolean {
  return cloud.some((one) => {
    return one.cluster === cluster && (one.machine === undefined || one.name === pool.name) && isDisruptive(one);
  });
}
