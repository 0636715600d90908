import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { FleetwrightError } from '../errors';
import type { Fleet } from '../fleet';
import { groupBy } from '../order';
import type { Routing } from '../routing/routing';
import { cacheObjects } from './cache/objects';
import { stagedCache } from './cache/staged';
import { clustersOf, mountsOf } from './cache/where';
import { distinct, inApplyOrder, notNamedBy, type Manifest } from './manifest';
import { throughMirror } from './mirror';
import { namespaces } from './namespaces';
import type { Renderer } from './renderer';
import { type RendererFor, rendererAmong } from './renderers';
import type { ComputedReplica } from './replica';
import { newRouteProblems } from './route-lints/route-faults';
import { clusterRouting, type RoutingManifests } from './routing/cluster-routing';

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
  const parts = clusterManifests(cluster, replicas, rendering);
  const manifests = manifestsIn(parts);
  if (rendering.renderers?.length) refuseNewFaults(cluster, parts.routing, manifests);
  return manifests;
}

/** All objects of the parts of a cluster, in the order in which to apply them. */
export function manifestsIn(parts: ClusterManifests): Manifest[] {
  return inApplyOrder([...parts.namespaces, ...objectsOf(parts)]);
}

/** Renderers beside ours make what they like, routes and policies too. */
function refuseNewFaults(
  { metadata }: InferenceCluster,
  { gateways, services }: RoutingManifests,
  manifests: readonly Manifest[],
): void {
  const before = [...gateways, ...services.flatMap((service) => service.manifests)];
  const problems = newRouteProblems({ before, after: manifests }, `cluster ${metadata.name}`);
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
export function clusterManifests(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  { fleet, renderers = [], routing = NOT_ROUTED }: Rendering,
): ClusterManifests {
  const rendererFor = rendererAmong(renderers);
  const own = replicas.filter((replica) => replica.cluster.metadata.name === cluster.metadata.name);
  const byDeployment = groupBy(own, ({ deployment }) => resourceId(deployment)).values();
  const deployments = [...byDeployment].flatMap((some) => manifestsOf(cluster, some, rendererFor));
  const parts = {
    caches: cachesOn(cluster, own, fleet),
    deployments,
    routing: clusterRouting(routing, { cluster, settings: fleet.settings }),
  };
  // Also to refuse what two of them would call the same.
  return { namespaces: namespaces(cluster, fleet, distinct(objectsOf(parts))), ...parts };
}

const NOT_ROUTED: Routing = { fronts: [], edges: [], egresses: [], services: [] };

function cachesOn(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  fleet: Fleet,
): CacheManifests[] {
  const mounts = mountsOf(replicas);
  return fleet.caches.flatMap((cache) => {
    const staged = stagedCache(cache);
    const here = clustersOf(cache, mounts.get(qualifiedName(cache)) ?? NOWHERE, { clusters: [cluster] });
    if (!staged || here.length === 0) return [];
    const objects = cacheObjects(staged, { cluster, settings: fleet.settings });
    return [{ cache, manifests: inApplyOrder(objects) }];
  });
}

const NOWHERE: ReadonlySet<string> = new Set();

/**
 * The objects of the replicas of one deployment. The Service and most claim templates are of all of them: as the
 * deployment is declared now, where replicas of earlier engines would have them otherwise.
 */
function manifestsOf(
  cluster: InferenceCluster,
  replicas: readonly ComputedReplica[],
  rendererFor: RendererFor,
): DeploymentManifests[] {
  const render = (replica: ComputedReplica): readonly Manifest[] => rendererFor(replica).render(replica);
  const current = replicas.filter(({ former }) => !former);
  const former = replicas.filter(({ former }) => former);
  const manifests: Manifest[] = [];
  for (const alike of groupBy([...current, ...former], ({ deployment }) => deployment).values()) {
    manifests.push(...notNamedBy(manifests, distinct(alike.flatMap(render))));
  }
  const ordered = throughMirror(cluster, inApplyOrder(manifests));
  return replicas.slice(0, 1).map(({ deployment }) => ({ deployment, manifests: ordered }));
}
