import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { compareText, groupBy } from '../order';
import { holdings } from '../plan/cache-notes';
import { changedReplicas } from '../render/changed-replicas';
import type { ComputedReplica } from '../render/replica';
import type { Routing } from '../routing/routing';
import { samePairs } from './same';
import type { State } from './state';

/** A cluster whose objects can differ between two states. */
export interface Affected {
  readonly cluster: string;

  /** Whether what the replicas of a deployment make can differ. Absent: all can, and caches too. */
  readonly concerns?: (deployment: ModelDeployment) => boolean;
}

type Same = ReturnType<typeof samePairs>;

/**
 * The clusters whose objects can differ between two states, by name, and of which deployments: only these need to be
 * rendered. Where namespaces are ours or caches are staged, objects depend on all deployments of a namespace.
 * Everything that objects depend on is compared: replicas and what they are made of, their cluster, the classes of its
 * pools, caches on it, and what the whole fleet shares. Renderers of others may let objects depend on replicas of other
 * namespaces.
 */
export function affectedClusters(before: State, after: State): Affected[] {
  const same = samePairs();
  const [earlier, later] = [sitesOf(before, after), sitesOf(after, before)];
  const shared = isShared(before, after, same);
  const names = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  return names.flatMap((cluster): Affected[] => {
    const [was, is] = [earlier.get(cluster), later.get(cluster)];
    if (!was || !is || !shared || !isSite(was, is, same)) return [{ cluster }];
    const namespaces = differing(was, is, same);
    if (namespaces.size === 0) return [];
    if (after.decision.renderers.length > 0) return [{ cluster }];
    const together = is.cluster.spec.namespaces === 'Managed' || stages([was, is], namespaces);
    if (together) return [{ cluster, concerns: (one) => namespaces.has(namespaceOf(one)) }];
    const deployments = differingDeployments(was, is, namespaces, same);
    return [{ cluster, concerns: (one) => deployments.has(qualifiedName(one)) }];
  });
}

/** Whether caches of some namespaces are on a cluster. */
function stages(sites: readonly Site[], namespaces: ReadonlySet<string>): boolean {
  return sites.some(({ caches }) => [...caches.keys()].some((name) => namespaces.has(name)));
}

/** What the objects of a cluster are made from. */
interface Site {
  readonly cluster: InferenceCluster;
  readonly classes: readonly (InferenceClass | undefined)[];

  /** Absent where it has no gateway. What changes on one with gateways may show on all others. */
  readonly routing?: Routing;

  /** Those of deployments that the other state has other replicas of. */
  readonly replicas: readonly ComputedReplica[];
  readonly caches: ReadonlyMap<string, readonly ModelCache[]>;
}

function sitesOf({ decision }: State, other: State): ReadonlyMap<string, Site> {
  const { fleet, replicas, routing } = decision;
  const routed = routedOn(routing);
  const classes = new Map(fleet.classes.map((one) => [one.metadata.name, one]));
  const changed = changedReplicas(replicas, other.decision.replicas).flatMap(([, own]) => own);
  const byCluster = groupBy(changed, ({ cluster }) => cluster.metadata.name);
  const held = holdings(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map(({ metadata }) => ({ cluster: metadata.name, cache })),
  );
  const caches = groupBy(held, ({ cluster }) => cluster);
  return new Map(
    fleet.clusters.map((cluster): [string, Site] => {
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
function routedOn({ fronts, edges, egresses }: Routing): ReadonlySet<string> {
  return new Set([...fronts, ...edges, ...egresses].map(({ cluster }) => cluster));
}

/** Whether what the whole fleet shares is the same. */
function isShared(before: State, after: State, same: Same): boolean {
  const [was, is] = [before.decision, after.decision];
  return (
    same({ settings: was.fleet.settings }, { settings: is.fleet.settings }) &&
    same(
      was.renderers.map(({ name }) => name),
      is.renderers.map(({ name }) => name),
    )
  );
}

function isSite(was: Site, is: Site, same: Same): boolean {
  return (
    same(was.cluster, is.cluster) &&
    sameLists(was.classes, is.classes, (a, b) => a === b || (a && b ? same(a, b) : false)) &&
    (was.routing === undefined || is.routing === undefined
      ? was.routing === is.routing
      : same(was.routing, is.routing))
  );
}

/** The namespaces with other replicas or caches. */
function differing(was: Site, is: Site, same: Same): ReadonlySet<string> {
  const cached = [...new Set([...was.caches.keys(), ...is.caches.keys()])];
  const other = cached.filter(
    (name) => !sameLists(was.caches.get(name) ?? [], is.caches.get(name) ?? [], same),
  );
  return new Set([...other, ...differingNamespaces(was.replicas, is.replicas, same)]);
}

/** The namespaces with other replicas. */
function differingNamespaces(
  was: readonly ComputedReplica[],
  is: readonly ComputedReplica[],
  same: Same,
): string[] {
  const [earlier, later] = [was, is].map((all) => groupBy(all, ({ deployment }) => namespaceOf(deployment)));
  const names = [...(earlier?.keys() ?? []), ...(later?.keys() ?? [])];
  return names.filter((name) => !areReplicas(earlier?.get(name) ?? [], later?.get(name) ?? [], same));
}

/** The deployments in some namespaces that have other replicas. */
function differingDeployments(
  was: Site,
  is: Site,
  namespaces: ReadonlySet<string>,
  same: Same,
): ReadonlySet<string> {
  const [earlier, later] = [was, is].map(({ replicas }) => {
    const own = replicas.filter(({ deployment }) => namespaces.has(namespaceOf(deployment)));
    return groupBy(own, ({ deployment }) => qualifiedName(deployment));
  });
  const names = [...(earlier?.keys() ?? []), ...(later?.keys() ?? [])];
  return new Set(
    names.filter((name) => !areReplicas(earlier?.get(name) ?? [], later?.get(name) ?? [], same)),
  );
}

function areReplicas(was: readonly ComputedReplica[], is: readonly ComputedReplica[], same: Same): boolean {
  return sameLists(was, is, (a, b) => a === b || isReplica(a, b, same));
}

function isReplica(was: ComputedReplica, is: ComputedReplica, same: Same): boolean {
  return (
    was.index === is.index &&
    was.former === is.former &&
    was.here === is.here &&
    was.wave.cluster === is.wave.cluster &&
    was.wave.fleet === is.wave.fleet &&
    same(was.deployment, is.deployment) &&
    sameLists(
      was.engines,
      is.engines,
      (a, b) => a.engine.name === b.engine.name && a.pool.name === b.pool.name,
    )
  );
}

function sameLists<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, i) => same(one, b[i] as T));
}
