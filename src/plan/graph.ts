import { groupBy, sortedBy } from '../order';
import { percentText } from '../routing/shares';
import { plural } from './format';
import { type Scene, type Service, sceneOf, type Site } from './graph-scene';
import { type Box, type Edge, type Graph, mermaid } from './mermaid';
import type { Plan } from './plan';

/**
 * What a page draws at once: the Mermaid of GitHub takes 50,000 characters and 500 edges, and nobody reads more than
 * some hundred boxes.
 */
const MOST = { boxes: 150, edges: 300, characters: 40_000 } as const;

/** Of a fleet too large for all of its clusters, and of one with too many services: so many are drawn, the largest. */
const LARGEST = 12;

/**
 * The clusters and services of a plan as a graph in Mermaid: which deployments are where, and who gets which share of
 * the requests of each service. The same plan has the same text. A fleet too large to be drawn whole is folded: first
 * the deployments of each cluster, then all clusters and services but the largest. What is folded is counted.
 */
export function formatGraph(plan: Plan): string {
  const scene = sceneOf(plan);
  const graph = [whole, folded].map((draw) => draw(scene)).find(fits);
  return mermaid(graph ?? largest(scene));
}

/** Every deployment of every cluster. */
function whole({ clusters, services }: Scene): Graph {
  const groups = clusters.map(({ name, deployments }) => ({
    box: { key: `cluster ${name}`, lines: [name], shape: 'deployment' as const },
    inner: sortedBy(deployments, ([id]) => id).map(([id, count]): Box => {
      return { key: keyOf(id, name), lines: [id, plural(count, 'replica')], shape: 'deployment' };
    }),
  }));
  return {
    groups,
    boxes: [...servicesOf(services), ...outsideOf(services)],
    edges: edgesOf(services, keyOf),
  };
}

/** A box for each cluster, with numbers. */
function folded({ clusters, services }: Scene): Graph {
  return {
    groups: [],
    boxes: [...servicesOf(services), ...clusters.map(clusterBox), ...outsideOf(services)],
    edges: edgesOf(services, clusterKey),
  };
}

/** The largest clusters and services by themselves, all others in one box of each kind. */
function largest({ clusters, services }: Scene): Graph {
  const sites = first(clusters, ({ name, deployments }) => [replicasOf(deployments), name]);
  const kept = first(services, ({ name, ways }) => [ways.length, name]);
  const names = new Set(sites.kept.map(({ name }) => name));
  const shown = new Set(kept.kept.map(({ name }) => name));
  const more: Box[] = [];
  if (sites.others.length > 0) more.push(othersBox(sites.others));
  if (kept.others.length > 0) {
    more.push({ key: OTHERS, lines: [`${plural(kept.others.length, 'more service')}`], shape: 'service' });
  }
  const outside = 'outside the fleet';
  const to = (_: string, cluster: string | undefined): string =>
    cluster === undefined ? outside : names.has(cluster) ? `cluster ${cluster}` : 'clusters';
  const joined = services.map((service) => (shown.has(service.name) ? service : { ...service, name: '' }));
  const edges = edgesOf(joined, to).map((edge) => ({
    ...edge,
    ...(edge.from === OTHERS || edge.to === 'clusters' ? { label: '' } : {}),
  }));
  const leaves = services.some(({ ways }) => ways.some(({ cluster }) => cluster === undefined));
  return {
    groups: [],
    boxes: [
      ...servicesOf(kept.kept),
      ...sites.kept.map(clusterBox),
      ...more,
      ...(leaves ? [{ key: outside, lines: [outside], shape: 'outside' as const }] : []),
    ],
    edges: [...new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge])).values()],
  };
}

/** The key of all services that have no box. */
const OTHERS = 'service ';

function first<T>(items: readonly T[], rank: (item: T) => [number, string]) {
  const sorted = [...items].sort((a, b) => rank(b)[0] - rank(a)[0] || (rank(a)[1] < rank(b)[1] ? -1 : 1));
  const kept = new Set(sorted.slice(0, LARGEST));
  return { kept: items.filter((item) => kept.has(item)), others: items.filter((item) => !kept.has(item)) };
}

function clusterKey(target: string, cluster: string | undefined): string {
  return cluster === undefined ? keyOf(target, undefined) : `cluster ${cluster}`;
}

function othersBox(others: readonly Site[]): Box {
  const replicas = others.reduce((sum, { deployments }) => sum + replicasOf(deployments), 0);
  return {
    key: 'clusters',
    lines: [`${others.length} more clusters`, plural(replicas, 'replica')],
    shape: 'deployment',
  };
}

function clusterBox({ name, deployments }: Site): Box {
  const counts = [plural(deployments.size, 'deployment'), plural(replicasOf(deployments), 'replica')];
  return { key: `cluster ${name}`, lines: [name, counts.join(', ')], shape: 'deployment' };
}

function replicasOf(deployments: Site['deployments']): number {
  return [...deployments.values()].reduce((sum, count) => sum + count, 0);
}

function servicesOf(services: readonly Service[]): Box[] {
  return services.map(({ name }) => ({ key: `service ${name}`, lines: [name], shape: 'service' }));
}

function outsideOf(services: readonly Service[]): Box[] {
  const targets = services.flatMap(({ ways }) =>
    ways.flatMap(({ cluster, target }) => (cluster === undefined ? [target] : [])),
  );
  return sortedBy(new Set(targets), (target) => target).map((target) => {
    return { key: keyOf(target, undefined), lines: [target], shape: 'outside' };
  });
}

function keyOf(target: string, cluster: string | undefined): string {
  return cluster === undefined ? `outside ${target}` : `${target} on ${cluster}`;
}

/** One edge for all ways of a service to one box under one condition. */
function edgesOf(
  services: readonly Service[],
  to: (target: string, cluster: string | undefined) => string,
): Edge[] {
  const ways = services.flatMap(({ name, ways: own }) =>
    own.map((way) => ({ ...way, from: `service ${name}`, to: to(way.target, way.cluster) })),
  );
  const same = groupBy(ways, (way) => [way.from, way.to, way.when].join('\n'));
  return [...same.values()].flatMap((all) => {
    const [one] = all;
    if (!one) return [];
    const weight = all.reduce((sum, way) => sum + way.weight, 0);
    const share = percentText(weight, one.total);
    const label = one.when === '' ? share : `${share} ${one.when}`;
    return [{ from: one.from, to: one.to, label, dashed: one.when !== '' }];
  });
}

function fits(graph: Graph): boolean {
  const boxes = graph.boxes.length + graph.groups.reduce((sum, { inner }) => sum + 1 + inner.length, 0);
  return boxes <= MOST.boxes && graph.edges.length <= MOST.edges && mermaid(graph).length <= MOST.characters;
}
