import type { InferenceCluster } from '../api/inference-cluster';
import type { NodePool } from '../api/node-pool';
import { groupBy, sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { listPlacedPods } from '../plan/replica-usage';
import { addNodes, changeCompiledCluster } from '../scheduler/changed-demands';
import { Ledger } from '../scheduler/ledger';
import { chargePlacements } from '../scheduler/overcommitted';
import { groupByDeployment, type Placement, placementKeyOf } from '../scheduler/placement';
import type { CloudChange } from './cloud-changes';
import { enginesOn, isDisruptive } from './pool-disruption';
import { hasSingleCopy } from './running-copies';
import { countNeeded } from './serving-during-change';

type Placed = Pick<PlacedFleet, 'fleet' | 'schedule' | 'model' | 'matcher'>;

interface PlacedStates {
  readonly before: Placed;
  readonly after: Placed;
}

/** A pool that gets fewer nodes while replicas stay on it. */
export interface ReducedPool extends ShrunkPool {
  /** The deployments with replicas that stay. */
  readonly ids: readonly string[];

  /** Those of which a replica that stays here does not serve while one of its pods restarts. */
  readonly single: readonly string[];

  /** Those of which too few replicas serve while one that stays here restarts. */
  readonly critical: readonly string[];

  /** The replicas that stay, and their pods on the pool, by deployment. */
  readonly staying: ReadonlyMap<string, { readonly replicas: number; readonly pods: number }>;

  /** Whether enough nodes are sure to be without their pods. */
  readonly hasOtherNodes: boolean;

  /** Whether other replicas leave the pool. */
  readonly isLeft: boolean;

  /** Whether the pods of its other nodes may leave too little room for those of the nodes that go, until others leave. */
  readonly isFullUntilLeft: boolean;
}

/** Lists the pools of fixed size that get fewer nodes while replicas stay on them. */
export function listReducedPools(cloud: readonly CloudChange[], { before, after }: PlacedStates): ReducedPool[] {
  const shrunk = listShrunk(cloud, before, after);
  if (shrunk.length === 0) return [];
  const staying = listStaying(before, after);
  const { restarts, isNeeded } = createNeedLookup(before, after);
  return shrunk.flatMap(({ cluster, pool, lost }) => {
    const isHere = (one: Placement): boolean =>
      one.cluster === cluster.metadata.name && Object.values(one.pools).includes(pool.name);
    const here = staying.filter(isHere);
    const running = before.schedule.placements.filter(isHere);
    if (here.length === 0) return [];
    const restarting = here.filter((one) => restarts(one, pool.name));
    const needed = restarting.filter(isNeeded);
    const hasOtherNodes = countPods(before, needed, pool.name) <= pool.nodeCount;
    return [
      {
        cluster,
        pool,
        lost,
        ids: listDeployments(here),
        single: listDeployments(restarting),
        critical: listDeployments(needed),
        staying: countByDeployment(before, here, pool.name),
        hasOtherNodes,
        isLeft: running.length > here.length,
        isFullUntilLeft: running.length > here.length && exceedsPool(before, running, { cluster, pool, lost }),
      },
    ];
  });
}

/** What a restart of a replica means for its deployment. */
interface NeedLookup {
  /** Whether a replica does not serve while one of its pods on a pool restarts. */
  readonly restarts: (replica: Placement, pool: string) => boolean;

  /** Whether too few replicas serve without it. */
  readonly isNeeded: (replica: Placement) => boolean;
}

function createNeedLookup(before: Placed, after: Placed): NeedLookup {
  const [former, declared] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const serving = groupByDeployment(before.schedule.placements);
  return {
    restarts: (replica, pool) => {
      const [was, is] = [former?.get(replica.deployment), declared?.get(replica.deployment)];
      return is !== undefined && hasSingleCopy({ was, is }, enginesOn(pool, replica));
    },
    isNeeded: ({ deployment: id }) => {
      const count = serving.get(id)?.length ?? 0;
      return count - 1 < countNeeded(count, declared?.get(id)?.spec.minAvailable);
    },
  };
}

/** The most pods of replicas on a pool, each of which may have a node of its own. */
function countPods({ model, matcher }: Placed, replicas: readonly Placement[], pool: string): number {
  const placed = listPlacedPods(model, replicas, matcher).filter((one) => one.pool.name === pool);
  return placed.reduce((sum, { member }) => sum + member.pods - member.surge, 0);
}

/** Whether the pods that replicas run have no guaranteed place together on the nodes that stay. */
function exceedsPool({ model, matcher }: Placed, replicas: readonly Placement[], shrunk: ShrunkPool): boolean {
  const { cluster, pool, lost } = shrunk;
  const smaller = changeCompiledCluster(model, cluster.metadata.name, (one) => addNodes(one, pool.name, -lost));
  const ledger = new Ledger();
  for (const { charges } of chargePlacements(smaller, replicas, matcher)) {
    const own = charges.filter((charge) => charge.pool.name === pool.name);
    ledger.add(own.map((charge) => ({ ...charge, pods: charge.pods - charge.surge, surge: 0 })));
  }
  return ledger.overcommittedPools().length > 0;
}

function countByDeployment(before: Placed, replicas: readonly Placement[], pool: string): ReducedPool['staying'] {
  return new Map(
    [...groupBy(replicas, ({ deployment }) => deployment)].map(([deployment, own]) => {
      return [deployment, { replicas: own.length, pods: countPods(before, own, pool) }];
    }),
  );
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

function listDeployments(replicas: readonly Placement[]): string[] {
  return sortUnique(replicas.map(({ deployment }) => deployment));
}
