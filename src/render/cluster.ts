import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { FleetwrightError } from '../base/errors';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { sortForApply } from '../manifest/kubernetes/apply-order';
import { dedupeManifests, excludeNamed, type Manifest } from '../manifest/kubernetes/manifest';
import { mountingClustersOf, stagingClustersOf } from '../replicas/cache-clusters';
import type { ComputedReplica } from '../replicas/replica';
import { toStageableCache } from '../replicas/staged-caches';
import type { Routing } from '../routing/routing';
import { renderCacheObjects } from './cache/cache-objects';
import { mirrorImages } from './image-mirror';
import { renderNamespaces } from './namespaces';
import { createRendererSelector, type Renderer, type RendererSelector } from './renderer';
import { findNewRouteProblems } from './route-lints/lint-routes';
import { renderClusterRouting, type RoutingManifests } from './routing/cluster-routing';

/** What a cluster gets, by what asks for it. */
export interface ClusterManifests {
  readonly namespaces: readonly Manifest[];
  readonly caches: readonly CacheManifests[];
  readonly deployments: readonly DeploymentManifests[];

  /** Gateways, and the routes of each service. Empty where the cluster routes nothing. */
  readonly routing: RoutingManifests;
}

/** The objects that stage one cache on one cluster, in the order in which to apply them. */
export interface CacheManifests {
  readonly cache: ModelCache;
  readonly manifests: readonly Manifest[];
}

/** The objects of one deployment on one cluster, in the order in which to apply them. */
export interface DeploymentManifests {
  readonly deployment: ModelDeployment;
  readonly manifests: readonly Manifest[];
}

/** What the objects of a cluster depend on besides its replicas. */
export interface Rendering {
  readonly fleet: Fleet;

  /** Asked before ours, in this order. Default: none. */
  readonly renderers?: readonly Renderer[];

  /** How requests reach what serves. Default: they do not. */
  readonly routing?: Routing;
}

/**
 * All objects of a cluster, in the order in which to apply them. Replicas on other clusters are passed over.
 *
 * @throws FleetwrightError when two objects would have one name, a renderer cannot be used, or what it makes does not
 *   go together with the routes
 */
export function renderCluster(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  rendering: Rendering,
): Manifest[] {
  const parts = renderClusterParts(cluster, replicas, rendering);
  const manifests = flattenManifests(parts);
  if (rendering.renderers?.length) refuseNewRouteProblems(cluster, parts.routing, manifests);
  return manifests;
}

/** All objects of the parts of a cluster, in the order in which to apply them. */
export function flattenManifests(parts: ClusterManifests): Manifest[] {
  return sortForApply([...parts.namespaces, ...objectsOf(parts)]);
}

/** Renderers beside ours make what they like, routes and policies too. */
function refuseNewRouteProblems(
  { metadata }: InferenceCluster,
  { gateways, services }: RoutingManifests,
  manifests: readonly Manifest[],
): void {
  const before = [...gateways, ...services.flatMap((service) => service.manifests)];
  const problems = findNewRouteProblems({ before, after: manifests }, `cluster ${metadata.name}`);
  if (problems.length > 0) throw new FleetwrightError(problems);
}

/** All objects but namespaces. */
function objectsOf({ caches, deployments, routing }: Omit<ClusterManifests, 'namespaces'>): Manifest[] {
  const parts = [...caches, ...deployments, ...routing.services].flatMap(({ manifests }) => manifests);
  return [...parts, ...routing.gateways];
}

/**
 * The objects of a cluster, kept apart by deployment.
 *
 * @throws FleetwrightError when two objects would have one name, or a renderer cannot be used
 */
export function renderClusterParts(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  { fleet, renderers = [], routing = NO_ROUTING }: Rendering,
): ClusterManifests {
  const rendererFor = createRendererSelector(renderers);
  const own = replicas.filter((replica) => replica.cluster.metadata.name === cluster.metadata.name);
  const byDeployment = groupBy(own, ({ deployment }) => resourceIdOf(deployment)).values();
  const deployments = [...byDeployment].flatMap((some) => renderDeployment(cluster, some, rendererFor));
  const parts = {
    caches: renderCaches(cluster, own, fleet),
    deployments,
    routing: renderClusterRouting(routing, { cluster, settings: fleet.settings }),
  };
  // Also to refuse what two of them would call the same.
  return { namespaces: renderNamespaces(cluster, fleet, dedupeManifests(objectsOf(parts))), ...parts };
}

const NO_ROUTING: Routing = { fronts: [], edges: [], egresses: [], services: [] };

function renderCaches(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: Fleet,
): CacheManifests[] {
  const mounts = mountingClustersOf(replicas);
  return fleet.caches.flatMap((cache) => {
    const staged = toStageableCache(cache);
    const here = stagingClustersOf(cache, mounts.get(qualifiedNameOf(cache)) ?? NO_CLUSTERS, {
      clusters: [cluster],
    });
    if (!staged || here.length === 0) return [];
    const objects = renderCacheObjects(staged, { cluster, settings: fleet.settings });
    return [{ cache, manifests: sortForApply(objects) }];
  });
}

const NO_CLUSTERS: ReadonlySet<string> = new Set();

/**
 * The objects of the replicas of one deployment. The Service and most claim templates are of all of them: as the
 * deployment is declared now, where replicas of earlier engines would have them otherwise.
 */
function renderDeployment(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  rendererFor: RendererSelector,
): DeploymentManifests[] {
  const render = (replica: ComputedReplica): readonly Manifest[] => rendererFor(replica).render(replica);
  const current = replicas.filter(({ former }) => !former);
  const former = replicas.filter(({ former }) => former);
  const manifests: Manifest[] = [];
  for (const alike of groupBy([...current, ...former], ({ deployment }) => deployment).values()) {
    manifests.push(...excludeNamed(manifests, dedupeManifests(alike.flatMap(render))));
  }
  const ordered = mirrorImages(cluster, sortForApply(manifests));
  return replicas.slice(0, 1).map(({ deployment }) => ({ deployment, manifests: ordered }));
}
