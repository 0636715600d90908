import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import type { NodePool } from '../api/node-pool';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { KnownFleet } from '../scheduler/compile/reuse-compiled';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { demandOf } from '../scheduler/placement';
import { groupByDeployment, sortPlacements } from '../scheduler/placement-order';
import { assignWaves } from '../scheduler/rollout-waves';
import type { Placement } from '../scheduler/schedule-result';
import { createEngineBinders, type EngineBinder, type PoolAndNode } from './bind-engines';
import { type ComputedState, createUnchangedLookup } from './compare-replicas';
import { type CacheIndex, indexCaches, listMountedCaches, type MountedCache } from './mounted-caches';
import { COMPUTED_VERSION, type ComputedEngine, type ComputedReplica } from './replica';

/**
 * The replicas behind placements, with their devices bound to requests. Leaving ones too: they serve on.
 *
 * @param placements as `schedule` returns them for this fleet
 * @param matcher the one that scheduled, which remembers every answer
 */
export function computeReplicas(
  fleet: Fleet,
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): ComputedReplica[] {
  return computeReplicasReusing({ fleet, model, matcher }, placements);
}

/** As `computeReplicas`. What another state of the fleet has in common with it is taken from there, where one is known. */
export function computeReplicasReusing(
  { fleet, model, matcher }: KnownFleet & { readonly matcher: PodMatcher },
  placements: readonly Placement[],
  known?: ComputedState,
): ComputedReplica[] {
  const index = buildFleetIndex(fleet, model, matcher);
  const knownOf = known && createUnchangedLookup(fleet, known);
  const sorted = sortPlacements(placements);
  const replicas: ComputedReplica[] = [];
  for (const own of groupByDeployment(sorted).values()) {
    for (const replica of knownOf?.(own) ?? computeReplicasOf(own, index)) replicas.push(replica);
  }
  if (sorted === placements) return replicas;
  const byLine = new Map(sorted.map((placement, i) => [placement, replicas[i]]));
  return placements.flatMap((placement) => byLine.get(placement) ?? []);
}

/** All replicas of one deployment, sorted. */
function computeReplicasOf(own: readonly Placement[], index: FleetIndex): ComputedReplica[] {
  const waves = assignWaves(own, index.workloads.get(own[0]?.deployment ?? '')?.parallel);
  let said: BoundShape | undefined;
  return own.map((placement, i) => {
    const wave = waves[i];
    if (!wave) throw placementError(placement);
    if (said?.shape !== placement.shape) said = bindShape(placement, index);
    return computeReplica(placement, { wave, here: countOnCluster(own, i), own: said }, index);
  });
}

/** How many of the replicas of a deployment are on the cluster of one of them. */
function countOnCluster(own: readonly Placement[], i: number): number {
  const cluster = own[i]?.cluster;
  const several = own[i - 1]?.cluster === cluster || own[i + 1]?.cluster === cluster;
  return several ? own.filter((one) => one.cluster === cluster).length : 1;
}

interface FleetIndex {
  readonly caches: CacheIndex;
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly clusters: ReadonlyMap<string, InferenceCluster>;
  /** The pools of a cluster by their names: of none that a fleet does not have. */
  readonly placesOn: (cluster: string) => ReadonlyMap<string, PoolAndNode> | undefined;
  readonly workloads: ReadonlyMap<string, CompiledDeployment>;
  /** Deployments as they were, by id and digest of their engines. */
  readonly former: ReadonlyMap<string, ModelDeployment>;

  readonly engines: ReturnType<typeof createEngineBinders>;
}

function buildFleetIndex(
  fleet: Fleet,
  { clusters: sites, deployments: workloads }: CompiledFleet,
  matcher: PodMatcher,
): FleetIndex {
  const { deployments, clusters, former = [] } = fleet;
  return {
    caches: indexCaches(fleet),
    deployments: indexDeploymentsById(deployments),
    clusters: new Map(clusters.map((one) => [one.metadata.name, one])),
    placesOn: createPoolLookup(fleet, sites),
    workloads: new Map(workloads.map((workload) => [workload.id, workload])),
    former: new Map(former.map(({ deployment, shape, declared }) => [`${deployment} ${shape}`, declared])),
    engines: createEngineBinders(matcher),
  };
}

/** Tells the pools of clusters, once each: beside another state few clusters are asked for. */
function createPoolLookup({ clusters }: Fleet, sites: readonly CompiledCluster[]): FleetIndex['placesOn'] {
  const declared = new Map(clusters.map(({ metadata, spec }) => [metadata.name, spec.nodePools]));
  const compiled = new Map(sites.map((site) => [site.name, site]));
  const known = new Map<string, ReadonlyMap<string, PoolAndNode>>();
  return (cluster) => {
    const site = compiled.get(cluster);
    let places = known.get(cluster);
    if (!places && site) known.set(cluster, (places = poolsByName(site, declared.get(cluster) ?? [])));
    return places;
  };
}

function poolsByName(
  { pools }: CompiledCluster,
  declared: readonly NodePool[],
): ReadonlyMap<string, PoolAndNode> {
  const nodes = new Map(pools.map((pool) => [pool.name, pool.node]));
  return new Map(
    declared.flatMap((pool): [string, PoolAndNode][] => {
      const node = nodes.get(pool.name);
      return node ? [[pool.name, { pool, node }]] : [];
    }),
  );
}

/** What the replicas of a deployment have in common that have one shape. */
interface BoundShape {
  readonly shape: string;
  readonly deployment: ModelDeployment;
  readonly former: boolean;

  /** Its engines as declared, each with what the scheduler makes of it. */
  readonly engines: readonly BoundShapeEngine[];
}

interface BoundShapeEngine {
  readonly name: string;
  readonly on: EngineBinder;
}

function bindShape(placement: Placement, index: FleetIndex): BoundShape {
  const { deployment: id, shape } = placement;
  const deployment = declarationOf(placement, index);
  const workload = index.workloads.get(id);
  const demands = (workload && demandOf(workload, placement)?.engines) ?? [];
  if (!deployment) throw placementError(placement);
  const engines = deployment.spec.template.spec.engines.map((engine) => {
    const demand = demands.find(({ name }) => name === engine.name);
    if (!demand) throw placementError(placement);
    return { name: engine.name, on: index.engines(engine, demand) };
  });
  return { shape, deployment, former: deployment !== index.deployments.get(id), engines };
}

function computeReplica(
  placement: Placement,
  { wave, here, own }: Pick<ComputedReplica, 'wave' | 'here'> & { readonly own: BoundShape },
  index: FleetIndex,
): ComputedReplica {
  const { deployment, former } = own;
  const cluster = index.clusters.get(placement.cluster);
  if (!cluster) throw placementError(placement);
  const places = index.placesOn(placement.cluster);
  const enginesOf = ({ name, on }: BoundShapeEngine): readonly ComputedEngine[] => {
    const place = places?.get(placement.pools[name] ?? '');
    const known = place && on(place);
    if (!known) throw placementError(placement);
    return known;
  };
  const [first, second] = own.engines;
  const engines = first && !second ? enginesOf(first) : own.engines.flatMap(enginesOf);
  const caches =
    index.caches.byName.size > 0 ? listMountedCaches(deployment, cluster, index.caches) : NO_CACHES;
  const version = COMPUTED_VERSION;
  const at = placement.index;
  // A spread of so many takes longer than all else.
  return former
    ? { version, former, deployment, cluster, index: at, wave, here, engines, caches }
    : { version, deployment, cluster, index: at, wave, here, engines, caches };
}

const NO_CACHES: readonly MountedCache[] = [];

/** The deployment as its replica runs it: as declared, or as it was when it had the shape of the replica. */
function declarationOf(
  { deployment, shape }: Placement,
  { deployments, workloads, former }: FleetIndex,
): ModelDeployment | undefined {
  const isCurrent = workloads.get(deployment)?.shape === shape;
  return isCurrent ? deployments.get(deployment) : former.get(`${deployment} ${shape}`);
}

function placementError({ deployment, cluster, index }: Placement): Error {
  return new Error(`bug: ${deployment} ${cluster}/${index} is placed where its fleet has no place for it`);
}
