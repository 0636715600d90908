import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { FleetwrightError } from '../base/errors';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { sortForApply } from '../manifest/kubernetes/apply-order';
import { PRUNE_LAST, SYNC_OPTIONS } from '../manifest/kubernetes/labels-and-annotations';
import { dedupeManifests, excludeNamed, type Manifest } from '../manifest/kubernetes/manifest';
import { mountingClustersOf, stagingClustersOf } from '../replicas/cache-clusters';
import type { ComputedReplica } from '../replicas/replica';
import { NO_ROUTING, type Routing } from '../routing/routing';
import { renderCacheObjects } from './cache/cache-objects';
import { mirrorImages } from './image-mirror';
import { renderInterceptorRoute } from './interceptor-route';
import { listTopologies } from './kai-topology';
import { kserve } from './kserve/kserve';
import { renderPresets } from './kserve/presets';
import { renderQueues } from './queue-objects';
import { renderMonitoring } from './monitoring/monitoring-objects';
import { renderNamespaces } from './namespaces';
import { native } from './native';
import { addPairPicker } from './pair/pair-picker';
import type { Renderer, RendererSelector } from './renderer';
import { createRendererSelector } from './renderers';
import { findNewRouteProblems } from './route-lints/lint-routes';
import { renderClusterRouting, type RoutingManifests } from './routing/cluster-routing';
import { renderWarmNodes } from './warm-nodes';

/** The objects of a cluster, grouped by the resource that they belong to. */
export interface ClusterManifests {
  readonly namespaces: readonly Manifest[];

  /** What gives quota to workloads, and keeps gangs together. Empty for a cluster whose queues others manage. */
  readonly queues: readonly Manifest[];

  /** What takes the place of presets of KServe. Empty for a cluster without it. */
  readonly presets: readonly Manifest[];
  readonly caches: readonly CacheManifests[];
  readonly deployments: readonly DeploymentManifests[];

  /** Gateways, and the routes of each service. Empty for a cluster without routing. */
  readonly routing: RoutingManifests;

  /** Monitors, rules and dashboards, in the order in which to apply them. Empty for a cluster without monitoring. */
  readonly monitoring: readonly Manifest[];

  /** What keeps nodes of pools in reserve. Empty for a cluster whose pools keep none. */
  readonly warmNodes: readonly Manifest[];
}

/** The objects of one cache on one cluster, in the order in which to apply them. */
export interface CacheManifests {
  readonly cache: ModelCache;
  readonly manifests: readonly Manifest[];
}

/** The objects of one deployment on one cluster, in the order in which to apply them. */
interface DeploymentManifests {
  readonly deployment: ModelDeployment;
  readonly manifests: readonly Manifest[];
}

/** What the objects of a cluster depend on, apart from its replicas. */
export interface Rendering {
  readonly fleet: Fleet;

  /** Tried in this order before the native renderer. Default: none. */
  readonly renderers?: readonly Renderer[];

  /** How requests reach the replicas. Default: no routing. */
  readonly routing?: Routing;
}

/** What the objects of a cluster read of a fleet, next to the cluster itself and its replicas. */
export type RenderedFleet = Pick<Fleet, 'settings' | 'classes' | 'hardware' | 'caches'>;

/** As `Rendering`, with no more of the fleet than what is read. */
export type ClusterRendering = Omit<Rendering, 'fleet'> & { readonly fleet: RenderedFleet };

/**
 * Renders all objects of a cluster, in the order in which to apply them. Skips replicas on other clusters.
 *
 * @throws FleetwrightError when two objects have the same name, a renderer is invalid, or the objects of a renderer
 *   conflict with the routes
 * @example
 * const [cluster] = fleet.clusters;
 * const manifests = cluster ? renderCluster(cluster, replicas, { fleet, routing: decision.routing }) : [];
 */
export function renderCluster(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  rendering: Rendering,
): Manifest[] {
  const parts = renderClusterParts(cluster, replicas, rendering);
  const manifests = flattenManifests(parts);
  if (rendering.renderers?.length) {
    // The objects of custom renderers can include routes and policies.
    const { gateways, services } = parts.routing;
    const before = [...gateways, ...services.flatMap((service) => service.manifests)];
    const problems = findNewRouteProblems({ before, after: manifests }, `cluster ${cluster.metadata.name}`);
    if (problems.length > 0) throw new FleetwrightError(problems);
  }
  return manifests;
}

export function flattenManifests(parts: ClusterManifests): Manifest[] {
  const { namespaces, queues, presets, warmNodes, monitoring } = parts;
  return sortForApply([...namespaces, ...queues, ...presets, ...objectsOf(parts), ...warmNodes, ...monitoring]);
}

type WorkloadManifests = Pick<ClusterManifests, 'caches' | 'deployments' | 'routing'>;

function objectsOf({ caches, deployments, routing }: WorkloadManifests): Manifest[] {
  const parts = [...caches, ...deployments, ...routing.services].flatMap(({ manifests }) => manifests);
  return [...parts, ...routing.gateways];
}

/**
 * Renders the objects of a cluster, grouped by cache, deployment and service.
 *
 * @throws FleetwrightError when two objects have the same name, or a renderer is invalid
 */
export function renderClusterParts(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  { fleet, renderers = [], routing = NO_ROUTING }: ClusterRendering,
): ClusterManifests {
  const rendererFor = createRendererSelector(renderers);
  const local = replicas.filter((replica) => replica.cluster.metadata.name === cluster.metadata.name);
  const byDeployment = groupBy(local, ({ deployment }) => resourceIdOf(deployment)).values();
  const context = { cluster, settings: fleet.settings };
  const deployments = [...byDeployment].flatMap((group) =>
    renderDeployment(cluster, group, rendererFor).map(({ deployment, manifests }) => ({
      deployment,
      manifests: sortForApply([
        ...addPairPicker(manifests, { deployment }, routing, context),
        ...group.slice(0, 1).flatMap((replica) => renderInterceptorRoute(replica, routing)),
      ]).map(pruneLast),
    })),
  );
  const parts = {
    caches: renderCaches(cluster, local, fleet),
    deployments,
    routing: renderClusterRouting(routing, context),
  };
  // `dedupeManifests` also rejects different objects with the same name.
  const warmNodes = renderWarmNodes(context, fleet);
  const manifests = dedupeManifests([...objectsOf(parts), ...warmNodes]);
  const placed = deployments.flatMap(({ deployment }) => deployment.metadata.namespace ?? []);
  const topologies = listTopologies(local.filter((replica) => rendererFor(replica) === native));
  const queues = sortForApply(renderQueues(cluster, fleet, { namespaces: placed, topologies }));
  const presets = renderPresets(
    cluster,
    local.filter((replica) => rendererFor(replica) === kserve),
  );
  const monitoring = sortForApply(renderMonitoring({ replicas: local, routing, fleet, manifests }, context));
  // Monitors and rules are in these namespaces, or next to Prometheus.
  return { namespaces: renderNamespaces(cluster, fleet, manifests), queues, presets, ...parts, monitoring, warmNodes };
}

/** Makes Argo CD prune an object after it has applied the routes: no request goes to a replica that is gone. */
function pruneLast(manifest: Manifest): Manifest {
  const { metadata } = manifest;
  if (metadata.annotations?.[SYNC_OPTIONS] !== undefined) return manifest;
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [SYNC_OPTIONS]: PRUNE_LAST } },
  };
}

function renderCaches(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: RenderedFleet,
): CacheManifests[] {
  const mounts = mountingClustersOf(replicas);
  return fleet.caches.flatMap((cache) => {
    const mounting = mounts.get(qualifiedNameOf(cache)) ?? new Set();
    if (stagingClustersOf(cache, mounting, { clusters: [cluster] }).length === 0) return [];
    const objects = renderCacheObjects(cache, { cluster, settings: fleet.settings });
    return objects.length > 0 ? [{ cache, manifests: sortForApply(objects) }] : [];
  });
}

/** Groups replicas whose objects fit together: those of the present declarations first. */
function listRevisions(replicas: readonly ComputedReplica[]): (readonly ComputedReplica[])[] {
  if (replicas.length === 1) return [replicas];
  const byRank = groupBy(replicas, ({ former, backend }) => Number(former === true) + (backend ? 2 : 0));
  return sortedBy(byRank, ([rank]) => String(rank)).flatMap(([, group]) => [
    ...groupBy(group, ({ deployment }) => deployment).values(),
  ]);
}

/**
 * Renders the objects of the replicas of one deployment. The Service and most claim templates are shared by all
 * replicas. Replicas of earlier engines, or of an earlier backend, render them too, so the objects of the current
 * declaration take precedence.
 */
function renderDeployment(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
): DeploymentManifests[] {
  const render = (replica: ComputedReplica): readonly Manifest[] => rendererFor(replica).render(replica);
  const manifests: Manifest[] = [];
  for (const revision of listRevisions(replicas)) {
    manifests.push(...excludeNamed(manifests, dedupeManifests(revision.flatMap(render))));
  }
  const ordered = mirrorImages(cluster, sortForApply(manifests));
  return replicas.slice(0, 1).map(({ deployment }) => ({ deployment, manifests: ordered }));
}
