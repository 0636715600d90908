import type { Resource } from '../api/kinds';
import type { Fleet } from '../fleet';
import { compareText, groupBy } from '../order';
import { holdings } from '../plan/cache-notes';
import type { ComputedReplica } from '../render/replica';
import type { Routing } from '../routing/routing';
import type { State } from './state';

/**
 * The names of the clusters whose objects can differ between two states, sorted: only these need to be rendered.
 * Everything that the objects of a cluster depend on is compared: its replicas and what they are made of, itself, the
 * classes of its pools, caches on it, and what the whole fleet shares.
 */
export function affectedClusters(before: State, after: State): string[] {
  const numberOf = numbering();
  const [earlier, later] = [before, after].map((state) => signatures(state, numberOf));
  const names = new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])]);
  return [...names].filter((name) => earlier?.get(name) !== later?.get(name)).sort(compareText);
}

/** A number for what a resource says, or the routing: the same for equal ones of both states. */
type NumberOf = (value: Resource | Routing) => number;

/** Each value is made a text once: thousands of replicas share a deployment. */
function numbering(): NumberOf {
  const texts = new Map<string, number>();
  const known = new Map<Resource | Routing, number>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const text = JSON.stringify(value);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    known.set(value, number);
    return number;
  };
}

/** All that the objects of each cluster depend on, as one text. */
function signatures({ decision }: State, numberOf: NumberOf): ReadonlyMap<string, string> {
  const { fleet, replicas, renderers, routing } = decision;
  const routed = routedOn(routing);
  const classes = new Map(fleet.classes.map((one) => [one.metadata.name, numberOf(one)]));
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  const caches = cachesByCluster(fleet, replicas);
  const settings = fleet.settings ? numberOf(fleet.settings) : '';
  const shared = [settings, ...renderers.map(({ name }) => name)].join();
  return new Map(
    fleet.clusters.map((cluster): [string, string] => {
      const { name } = cluster.metadata;
      const parts = [
        shared,
        routed.has(name) ? numberOf(routing) : '',
        numberOf(cluster),
        cluster.spec.nodePools.map(({ className }) => classes.get(className)).join(),
        (caches.get(name) ?? []).map(numberOf).join(),
        ...(byCluster.get(name) ?? []).map((replica) => signatureOf(replica, numberOf)),
      ];
      return [name, parts.join(';')];
    }),
  );
}

/** The clusters with gateways. Each has routes to others: what changes on one may show on all. */
function routedOn({ fronts, edges, egresses }: Routing): ReadonlySet<string> {
  return new Set([...fronts, ...edges, ...egresses].map(({ cluster }) => cluster));
}

function signatureOf(replica: ComputedReplica, numberOf: NumberOf): string {
  const { deployment, index, former, wave, engines } = replica;
  const pools = engines.map(({ engine, pool }) => `${engine.name}=${pool.name}`);
  return [numberOf(deployment), index, former ?? false, wave.cluster, wave.fleet, ...pools].join();
}

function cachesByCluster(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
): ReadonlyMap<string, Resource[]> {
  const held = holdings(fleet, replicas).flatMap(({ cache, clusters }) =>
    clusters.map(({ metadata }) => ({ cluster: metadata.name, cache })),
  );
  const grouped = groupBy(held, ({ cluster }) => cluster);
  return new Map([...grouped].map(([cluster, all]) => [cluster, all.map(({ cache }) => cache)]));
}
