import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { memoizeDeepEqual } from '../base/deep-equal';
import { compareText, groupBy } from '../base/order';
import { locateCaches } from '../replicas/cache-clusters';
import type { ComputedReplica } from '../replicas/replica';
import type { Routing } from '../routing/routing';
import type { FleetState } from './fleet-state';

/** A cluster whose objects can differ between two states. */
export interface AffectedCluster {
  readonly cluster: string;

  /** Whether what the replicas of a deployment make can differ. Absent: all can, and caches too. */
  readonly concerns?: (deployment: ModelDeployment) => boolean;
}

type DeepEqual = ReturnType<typeof memoizeDeepEqual>;

/**
 * The clusters whose objects can differ between two states, by name, and of which deployments: only these need to be
 * rendered. Where namespaces are ours or caches are staged, objects depend on all deployments of a namespace.
 * Everything that objects depend on is compared: replicas and what they are made of, their cluster, the classes of its
 * pools, caches on it, and what the whole fleet shares. Renderers of others may let objects depend on replicas of other
 * namespaces.
 */
export function findAffectedClusters(before: FleetState, after: FleetState): AffectedCluster[] {
  const same = memoizeDeepEqual();
  const [earlier, later] = [clusterInputsOf(before), clusterInputsOf(after)];
  const shared = hasEqualSharedInputs(before, after, same);
  const names = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  return names.flatMap((cluster): AffectedCluster[] => {
    const [was, is] = [earlier.get(cluster), later.get(cluster)];
    if (!was || !is || !shared || !hasEqualClusterInputs(was, is, same)) return [{ cluster }];
    const namespaces = findDifferingNamespaces(was, is, same);
    if (namespaces.size === 0) return [];
    if (after.decision.renderers.length > 0) return [{ cluster }];
    const together = is.cluster.spec.namespaces === 'Managed' || hasStagedCaches([was, is], namespaces);
    if (together) return [{ cluster, concerns: (one) => namespaces.has(namespaceOf(one)) }];
    const deployments = findDeploymentsWithOtherReplicas(was, is, namespaces, same);
    return [{ cluster, concerns: (one) => deployments.has(qualifiedNameOf(one)) }];
  });
}

/** Whether caches of some namespaces are on a cluster. */
function hasStagedCaches(sites: readonly ClusterInputs[], namespaces: ReadonlySet<string>): boolean {
  return sites.some(({ caches }) => [...caches.keys()].some((name) => namespaces.has(name)));
}

/** What the objects of a cluster are made from. */
interface ClusterInputs {
  readonly cluster: InferenceCluster;
  readonly classes: readonly (InferenceClass | undefined)[];

  /** Absent where it has no gateway. What changes on one with gateways may show on all others. */
  readonly routing?: Routing;

  readonly replicas: readonly ComputedReplica[];
  readonly caches: ReadonlyMap<string, readonly ModelCache[]>;
}

function clusterInputsOf({ decision }: FleetState): ReadonlyMap<string, ClusterInputs> {
  const { fleet, replicas, routing } = decision;
  const routed = clustersWithGateways(routing);
  const classes = new Map(fleet.classes.map((one) => [one.metadata.name, one]));
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  const held = locateCaches(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map(({ metadata }) => ({ cluster: metadata.name, cache })),
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return new Map(
    fleet.clusters.map((cluster): [string, ClusterInputs] => {
      const { name } = cluster.metadata;
      const staged = (caches.get(name) ?? []).map(({ cache }) => cache);
      const site = {
        cluster,
        classes: cluster.spec.nodePools.map(({ className }) => classes.get(className)),
        ...(routed.has(name) && { routing }),
        replicas: byCluster.get(name) ?? [],
        caches: groupBy(staged, namespaceOf),
      };
      return [name, site];
    }),
  );
}

function namespaceOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string | undefined };
}): string {
  return metadata.namespace ?? '';
}

/** The clusters with gateways. */
function clustersWithGateways({ fronts, edges, egresses }: Routing): ReadonlySet<string> {
  return new Set([...fronts, ...edges, ...egresses].map(({ cluster }) => cluster));
}

/** Whether what the whole fleet shares is the same. */
function hasEqualSharedInputs(before: FleetState, after: FleetState, same: DeepEqual): boolean {
  const [was, is] = [before.decision, after.decision];
  return (
    same({ settings: was.fleet.settings }, { settings: is.fleet.settings }) &&
    same(
      was.renderers.map(({ name }) => name),
      is.renderers.map(({ name }) => name),
    )
  );
}

function hasEqualClusterInputs(was: ClusterInputs, is: ClusterInputs, same: DeepEqual): boolean {
  return (
    same(was.cluster, is.cluster) &&
    areEqualLists(was.classes, is.classes, (a, b) => a === b || (a && b ? same(a, b) : false)) &&
    (was.routing === undefined || is.routing === undefined
      ? was.routing === is.routing
      : same(was.routing, is.routing))
  );
}

/** The namespaces with other replicas or caches. */
function findDifferingNamespaces(
  was: ClusterInputs,
  is: ClusterInputs,
  same: DeepEqual,
): ReadonlySet<string> {
  const cached = [...new Set([...was.caches.keys(), ...is.caches.keys()])];
  const other = cached.filter(
    (name) => !areEqualLists(was.caches.get(name) ?? [], is.caches.get(name) ?? [], same),
  );
  return new Set([...other, ...findNamespacesWithOtherReplicas(was.replicas, is.replicas, same)]);
}

/** The namespaces with other replicas. */
function findNamespacesWithOtherReplicas(
  was: readonly ComputedReplica[],
  is: readonly ComputedReplica[],
  same: DeepEqual,
): string[] {
  const [earlier, later] = [was, is].map((all) => groupBy(all, ({ deployment }) => namespaceOf(deployment)));
  const names = [...(earlier?.keys() ?? []), ...(later?.keys() ?? [])];
  return names.filter((name) => !areEqualReplicas(earlier?.get(name) ?? [], later?.get(name) ?? [], same));
}

/** The deployments in some namespaces that have other replicas. */
function findDeploymentsWithOtherReplicas(
  was: ClusterInputs,
  is: ClusterInputs,
  namespaces: ReadonlySet<string>,
  same: DeepEqual,
): ReadonlySet<string> {
  const [earlier, later] = [was, is].map(({ replicas }) => {
    const own = replicas.filter(({ deployment }) => namespaces.has(namespaceOf(deployment)));
    return groupBy(own, ({ deployment }) => qualifiedNameOf(deployment));
  });
  const names = [...(earlier?.keys() ?? []), ...(later?.keys() ?? [])];
  return new Set(
    names.filter((name) => !areEqualReplicas(earlier?.get(name) ?? [], later?.get(name) ?? [], same)),
  );
}

function areEqualReplicas(
  was: readonly ComputedReplica[],
  is: readonly ComputedReplica[],
  same: DeepEqual,
): boolean {
  return areEqualLists(was, is, (a, b) => a === b || isEqualReplica(a, b, same));
}

function isEqualReplica(was: ComputedReplica, is: ComputedReplica, same: DeepEqual): boolean {
  return (
    was.index === is.index &&
    was.former === is.former &&
    was.here === is.here &&
    was.wave.cluster === is.wave.cluster &&
    was.wave.fleet === is.wave.fleet &&
    same(was.deployment, is.deployment) &&
    areEqualLists(
      was.engines,
      is.engines,
      (a, b) => a.engine.name === b.engine.name && a.pool.name === b.pool.name,
    )
  );
}

function areEqualLists<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, i) => same(one, b[i] as T));
}
