import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { isDeepEqual, memoizeDeepEqual } from '../base/deep-equal';
import { compareText, groupBy, type Groups } from '../base/order';
import { renderCostRules } from '../render/monitoring/recording-rules';
import type { RecordingRule } from '../render/monitoring/rule';
import { locateCaches } from '../replicas/cache-clusters';
import type { ComputedReplica } from '../replicas/replica';
import { createLocalRouting } from '../routing/local-routing';
import type { Routing } from '../routing/routing';
import type { FleetState } from './fleet-state';

/** A cluster whose objects can differ between two states. */
export interface AffectedCluster {
  readonly cluster: string;

  /** Selects the deployments whose objects can differ. Absent: the objects of all deployments and caches can differ. */
  readonly concerns?: (deployment: ModelDeployment) => boolean;
}

type DeepEqual = ReturnType<typeof memoizeDeepEqual>;

/**
 * Finds the clusters whose objects can differ between two states, sorted by name, and the deployments that are
 * affected. Only these clusters are rendered. On a cluster with managed namespaces or staged caches, objects depend
 * on all deployments of a namespace. The comparison covers all inputs of objects: replicas and their deployments,
 * their cluster, the classes of its pools and what its nodes cost, the caches on it, and the inputs that the whole
 * fleet shares. Custom renderers may make objects depend on replicas of other namespaces.
 */
export function findAffectedClusters(before: FleetState, after: FleetState): AffectedCluster[] {
  const same = memoizeDeepEqual();
  const [earlier, later] = [clusterInputsOf(before), clusterInputsOf(after)];
  const shared = isDeepEqual(sharedInputsOf(before), sharedInputsOf(after));
  const names = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  return names.flatMap((cluster): AffectedCluster[] => {
    const [was, is] = [earlier.get(cluster), later.get(cluster)];
    if (!was || !is || !shared || !hasEqualClusterInputs(was, is, same)) return [{ cluster }];
    const namespaces = findDifferingNamespaces(was, is, same);
    if (namespaces.size === 0) return [];
    if (after.decision.renderers.length > 0) return [{ cluster }];
    const hasCaches = [...was.caches.keys(), ...is.caches.keys()].some((name) => namespaces.has(name));
    if (is.cluster.spec.namespaces === 'Managed' || hasCaches)
      return [{ cluster, concerns: (deployment) => namespaces.has(namespaceOf(deployment)) }];
    const deployments = findDifferingDeployments(was, is, namespaces, same);
    return [{ cluster, concerns: (deployment) => deployments.has(qualifiedNameOf(deployment)) }];
  });
}

/** The inputs from which the objects of a cluster are rendered. */
interface ClusterInputs {
  readonly cluster: InferenceCluster;
  readonly classes: readonly (InferenceClass | undefined)[];

  /** The file of prices is no part of any declaration, and rules record what nodes cost. */
  readonly costs: readonly RecordingRule[];

  /** The part that its objects depend on. */
  readonly routing: Routing;
  readonly replicas: readonly ComputedReplica[];
  readonly caches: ReadonlyMap<string, readonly ModelCache[]>;
}

function clusterInputsOf({ decision }: FleetState): ReadonlyMap<string, ClusterInputs> {
  const { fleet, replicas, routing } = decision;
  const localRoutingOf = createLocalRouting(routing);
  const classes = new Map(fleet.classes.map((one) => [one.metadata.name, one]));
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  const located = locateCaches(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map(({ metadata }) => ({ cluster: metadata.name, cache })),
  );
  const caches = groupBy(located, ({ cluster }) => cluster);
  return new Map(
    fleet.clusters.map((cluster): [string, ClusterInputs] => {
      const { name } = cluster.metadata;
      const staged = (caches.get(name) ?? []).map(({ cache }) => cache);
      const inputs = {
        cluster,
        classes: cluster.spec.nodePools.map(({ className }) => classes.get(className)),
        costs: cluster.spec.monitoring ? renderCostRules(cluster, fleet) : [],
        routing: localRoutingOf(name),
        replicas: byCluster.get(name) ?? [],
        caches: groupBy(staged, namespaceOf),
      };
      return [name, inputs];
    }),
  );
}

function namespaceOf({ metadata }: { readonly metadata: { readonly namespace?: string | undefined } }): string {
  return metadata.namespace ?? '';
}

/** The inputs that the whole fleet shares. */
function sharedInputsOf({ decision: { fleet, renderers } }: FleetState): object {
  return { settings: fleet.settings, renderers: renderers.map(({ name }) => name) };
}

function hasEqualClusterInputs(was: ClusterInputs, is: ClusterInputs, same: DeepEqual): boolean {
  return (
    same(was.cluster, is.cluster) &&
    areEqualLists(was.classes, is.classes, (a, b) => a === b || (a && b ? same(a, b) : false)) &&
    areEqualLists(was.costs, is.costs, isDeepEqual) &&
    ROUTING_PARTS.every((part) => areEqualLists<object>(was.routing[part], is.routing[part], same))
  );
}

const ROUTING_PARTS = ['fronts', 'edges', 'egresses', 'services'] as const satisfies readonly (keyof Routing)[];

function findDifferingNamespaces(was: ClusterInputs, is: ClusterInputs, same: DeepEqual): ReadonlySet<string> {
  const byNamespace = ({ replicas }: ClusterInputs): ReadonlyMap<string, ComputedReplica[]> =>
    groupBy(replicas, ({ deployment }) => namespaceOf(deployment));
  return new Set([
    ...findDifferingKeys(was.caches, is.caches, same),
    ...findDifferingKeys(byNamespace(was), byNamespace(is), (a, b) => isEqualReplica(a, b, same)),
  ]);
}

function findDifferingDeployments(
  was: ClusterInputs,
  is: ClusterInputs,
  namespaces: ReadonlySet<string>,
  same: DeepEqual,
): ReadonlySet<string> {
  const byDeployment = ({ replicas }: ClusterInputs): ReadonlyMap<string, ComputedReplica[]> => {
    const selected = replicas.filter(({ deployment }) => namespaces.has(namespaceOf(deployment)));
    return groupBy(selected, ({ deployment }) => qualifiedNameOf(deployment));
  };
  return new Set(findDifferingKeys(byDeployment(was), byDeployment(is), (a, b) => isEqualReplica(a, b, same)));
}

function findDifferingKeys<T>(was: Groups<string, T>, is: Groups<string, T>, same: (a: T, b: T) => boolean): string[] {
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  return keys.filter((key) => !areEqualLists(was.get(key) ?? [], is.get(key) ?? [], same));
}

function isEqualReplica(was: ComputedReplica, is: ComputedReplica, same: DeepEqual): boolean {
  if (was === is) return true;
  return (
    was.index === is.index &&
    was.former === is.former &&
    was.here === is.here &&
    was.wave.cluster === is.wave.cluster &&
    was.wave.fleet === is.wave.fleet &&
    same(was.deployment, is.deployment) &&
    areEqualLists(was.engines, is.engines, (a, b) => a.engine.name === b.engine.name && a.pool.name === b.pool.name)
  );
}

function areEqualLists<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, i) => same(one, b[i] as T));
}
