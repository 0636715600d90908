import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import {
  demandOf,
  findBackendChange,
  groupByDeployment,
  isDeclaredShape,
  type Placement,
  poolOf,
  sortPlacements,
} from '../scheduler/placement';
import { assignWaves } from '../scheduler/rollout-waves';
import { shapeDigestOf } from '../scheduler/shape-digest';
import { createEngineBinders, type EngineBinder } from './bind-engines';
import { type CacheIndex, indexCaches, listMountedCaches } from './mounted-caches';
import { COMPUTED_VERSION, type ComputedEngine, type ComputedReplica } from './replica';

/**
 * Computes the replicas of placements, with their devices bound to requests. Includes draining replicas, because
 * they continue to serve.
 *
 * @param placements as `schedule` returns them for this fleet
 * @param matcher the one that scheduled, because it has cached every fit
 */
export function computeReplicas(
  fleet: Fleet,
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): ComputedReplica[] {
  const index = buildFleetIndex(fleet, model, matcher);
  const sorted = sortPlacements(placements);
  const replicas: ComputedReplica[] = [];
  for (const lines of groupByDeployment(sorted).values()) {
    for (const replica of computeReplicasOf(lines, index)) replicas.push(replica);
  }
  if (sorted === placements) return replicas;
  const byLine = new Map(sorted.map((placement, i) => [placement, replicas[i]]));
  return placements.flatMap((placement) => byLine.get(placement) ?? []);
}

/** All replicas of one deployment, sorted. */
function computeReplicasOf(lines: readonly Placement[], index: FleetIndex): ComputedReplica[] {
  const waves = assignWaves(lines, index.compiledDeployments.get(lines[0]?.deployment ?? '')?.parallel);
  const counts = countByCluster(lines);
  let bound: BoundShape | undefined;
  return lines.map((placement, i) => {
    const wave = waves[i];
    if (!wave) throw placementError(placement);
    if (bound?.shape !== placement.shape) bound = bindShape(placement, index);
    return computeReplica(placement, { wave, here: counts.get(placement.cluster) ?? 1, bound }, index);
  });
}

/** The number of replicas of one deployment on each cluster. */
function countByCluster(lines: readonly Placement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { cluster } of lines) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  return counts;
}

interface FleetIndex {
  readonly caches: CacheIndex;
  readonly deployments: ReadonlyMap<string, ModelDeployment>;
  readonly clusters: ReadonlyMap<string, InferenceCluster>;
  readonly compiledClusters: ReadonlyMap<string, CompiledCluster>;
  readonly compiledDeployments: ReadonlyMap<string, CompiledDeployment>;
  /** Layouts of deployments, by ID and shape digest. */
  readonly variants: ReadonlyMap<string, ModelDeployment>;
  /** Earlier revisions of deployments, by ID and shape digest. */
  readonly former: ReadonlyMap<string, ModelDeployment>;
  readonly engines: ReturnType<typeof createEngineBinders>;
}

function buildFleetIndex(
  fleet: Fleet,
  { clusters: compiledClusters, deployments: compiledDeployments }: CompiledFleet,
  matcher: PodMatcher,
): FleetIndex {
  const { deployments, clusters, former = [] } = fleet;
  return {
    caches: indexCaches(fleet),
    deployments: indexDeploymentsById(deployments),
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    compiledClusters: new Map(compiledClusters.map((cluster) => [cluster.name, cluster])),
    compiledDeployments: new Map(compiledDeployments.map((deployment) => [deployment.id, deployment])),
    variants: indexVariants(fleet),
    former: new Map(former.map(({ deployment, shape, declared }) => [`${deployment} ${shape}`, declared])),
    engines: createEngineBinders(matcher),
  };
}

function indexVariants({ expansions = new Map() }: Fleet): FleetIndex['variants'] {
  const all = [...expansions].flatMap(([id, { variants }]) =>
    variants.map(({ deployment }): [string, ModelDeployment] => [`${id} ${shapeDigestOf(deployment)}`, deployment]),
  );
  return new Map(all);
}

/** The data that all replicas of one shape of a deployment share. */
interface BoundShape {
  readonly shape: string;
  readonly deployment: ModelDeployment;
  readonly former: boolean;
  /** Its declared engines, each with its binder. */
  readonly engines: readonly { readonly name: string; readonly on: EngineBinder }[];
}

function bindShape(placement: Placement, index: FleetIndex): BoundShape {
  const { deployment: id, shape } = placement;
  const compiled = index.compiledDeployments.get(id);
  const declared = index.deployments.get(id);
  const current = compiled && isDeclaredShape(compiled, shape);
  const variant = current && compiled.variants ? index.variants.get(`${id} ${shape}`) : undefined;
  const deployment = current ? (variant ?? declared) : index.former.get(`${id} ${shape}`);
  const demands = (compiled && demandOf(compiled, placement)?.engines) ?? [];
  if (!deployment) throw placementError(placement);
  const engines = deployment.spec.template.spec.engines.map((engine) => {
    const demand = demands.find(({ name }) => name === engine.name);
    if (!demand) throw placementError(placement);
    return { name: engine.name, on: index.engines(engine, demand) };
  });
  return { shape, deployment, former: !current, engines };
}

function computeReplica(
  placement: Placement,
  { wave, here, bound }: Pick<ComputedReplica, 'wave' | 'here'> & { readonly bound: BoundShape },
  index: FleetIndex,
): ComputedReplica {
  const { deployment, former } = bound;
  const cluster = index.clusters.get(placement.cluster);
  const compiled = index.compiledClusters.get(placement.cluster);
  if (!cluster || !compiled) throw placementError(placement);
  const enginesOf = ({ name, on }: BoundShape['engines'][number]): readonly ComputedEngine[] => {
    const pool = poolOf(compiled, placement, name);
    const known = pool && on(pool, cluster);
    if (!known) throw placementError(placement);
    return known;
  };
  const [first, second] = bound.engines;
  const engines = first && !second ? enginesOf(first) : bound.engines.flatMap(enginesOf);
  const caches = index.caches.byName.size > 0 ? listMountedCaches(deployment, cluster, index.caches) : [];
  const version = COMPUTED_VERSION;
  const at = placement.index;
  // Spreading objects of this many fields takes longer than everything else.
  const replica: ComputedReplica = former
    ? { version, former, deployment, cluster, index: at, wave, here, engines, caches }
    : { version, deployment, cluster, index: at, wave, here, engines, caches };
  const changed = findBackendChange(placement, compiled);
  return changed ? { ...replica, backend: changed.from } : replica;
}

function placementError({ deployment, cluster, index }: Placement): Error {
  return new Error(`bug: ${deployment} ${cluster}/${index} is placed where its fleet has no place for it`);
}
