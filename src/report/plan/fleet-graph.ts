import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { DeploymentPlan, Plan } from '../../plan/plan';
import type { RouteRule } from '../../routing/routing';
import { formatShareAsPercent, totalWeightOf } from '../../routing/weights';
import { formatMermaid, type MermaidBox, type MermaidEdge, type MermaidGraph } from '../document/mermaid';

/**
 * What a page draws at once: the Mermaid of GitHub takes 50,000 characters and 500 edges, and nobody reads more than
 * some hundred boxes.
 */
const PAGE_LIMITS = { boxes: 150, edges: 300, characters: 40_000 } as const;

/** Of a fleet too large for all of its clusters, and of one with too many services: so many are drawn, the largest. */
const MAX_LARGEST = 12;

/**
 * The clusters and services of a plan as a graph in Mermaid: which deployments are where, and who gets which share of
 * the requests of each service. The same plan has the same text. A fleet too large to be drawn whole is folded: first
 * the deployments of each cluster, then all clusters and services but the largest. What is folded is counted.
 */
export function formatFleetGraph(plan: Plan): string {
  const scene = buildScene(plan);
  const graph = [drawWhole, drawFolded].map((draw) => draw(scene)).find(fitsPage);
  return formatMermaid(graph ?? drawLargest(scene));
}

/** Every deployment of every cluster. */
function drawWhole({ clusters, services }: GraphScene): MermaidGraph {
  const groups = clusters.map(({ name, deployments }) => ({
    box: { key: `cluster ${name}`, lines: [name], shape: 'deployment' as const },
    inner: sortedBy(deployments, ([id]) => id).map(([id, count]): MermaidBox => {
      return { key: keyOf(id, name), lines: [id, pluralize(count, 'replica')], shape: 'deployment' };
    }),
  }));
  return {
    groups,
    boxes: [...serviceBoxesOf(services), ...outsideBoxesOf(services)],
    edges: edgesOf(services, keyOf),
  };
}

/** A box for each cluster, with numbers. */
function drawFolded({ clusters, services }: GraphScene): MermaidGraph {
  return {
    groups: [],
    boxes: [...serviceBoxesOf(services), ...clusters.map(clusterBox), ...outsideBoxesOf(services)],
    edges: edgesOf(services, clusterKey),
  };
}

/** The largest clusters and services by themselves, all others in one box of each kind. */
function drawLargest({ clusters, services }: GraphScene): MermaidGraph {
  const sites = takeLargest(clusters, ({ name, deployments }) => [replicasOf(deployments), name]);
  const kept = takeLargest(services, ({ name, ways }) => [ways.length, name]);
  const names = new Set(sites.kept.map(({ name }) => name));
  const shown = new Set(kept.kept.map(({ name }) => name));
  const more: MermaidBox[] = [];
  if (sites.others.length > 0) more.push(boxOfOthers(sites.others));
  if (kept.others.length > 0) {
    more.push({ key: OTHERS, lines: [`${pluralize(kept.others.length, 'more service')}`], shape: 'service' });
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
      ...serviceBoxesOf(kept.kept),
      ...sites.kept.map(clusterBox),
      ...more,
      ...(leaves ? [{ key: outside, lines: [outside], shape: 'outside' as const }] : []),
    ],
    edges: [...new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge])).values()],
  };
}

/** The key of all services that have no box. */
const OTHERS = 'service ';

function takeLargest<T>(items: readonly T[], rank: (item: T) => [number, string]) {
  const sorted = [...items].sort((a, b) => rank(b)[0] - rank(a)[0] || (rank(a)[1] < rank(b)[1] ? -1 : 1));
  const kept = new Set(sorted.slice(0, MAX_LARGEST));
  return { kept: items.filter((item) => kept.has(item)), others: items.filter((item) => !kept.has(item)) };
}

function clusterKey(target: string, cluster: string | undefined): string {
  return cluster === undefined ? keyOf(target, undefined) : `cluster ${cluster}`;
}

function boxOfOthers(others: readonly SceneCluster[]): MermaidBox {
  const replicas = others.reduce((sum, { deployments }) => sum + replicasOf(deployments), 0);
  return {
    key: 'clusters',
    lines: [`${others.length} more clusters`, pluralize(replicas, 'replica')],
    shape: 'deployment',
  };
}

function clusterBox({ name, deployments }: SceneCluster): MermaidBox {
  const counts = [pluralize(deployments.size, 'deployment'), pluralize(replicasOf(deployments), 'replica')];
  return { key: `cluster ${name}`, lines: [name, counts.join(', ')], shape: 'deployment' };
}

function replicasOf(deployments: SceneCluster['deployments']): number {
  return [...deployments.values()].reduce((sum, count) => sum + count, 0);
}

function serviceBoxesOf(services: readonly SceneService[]): MermaidBox[] {
  return services.map(({ name }) => ({ key: `service ${name}`, lines: [name], shape: 'service' }));
}

function outsideBoxesOf(services: readonly SceneService[]): MermaidBox[] {
  const targets = services.flatMap(({ ways }) =>
    ways.flatMap(({ cluster, target }) => (cluster === undefined ? [target] : [])),
  );
  return sortUnique(targets).map((target) => {
    return { key: keyOf(target, undefined), lines: [target], shape: 'outside' };
  });
}

function keyOf(target: string, cluster: string | undefined): string {
  return cluster === undefined ? `outside ${target}` : `${target} on ${cluster}`;
}

/** One edge for all ways of a service to one box under one condition. */
function edgesOf(
  services: readonly SceneService[],
  to: (target: string, cluster: string | undefined) => string,
): MermaidEdge[] {
  const ways = services.flatMap(({ name, ways: own }) =>
    own.map((way) => ({ ...way, from: `service ${name}`, to: to(way.target, way.cluster) })),
  );
  const same = groupBy(ways, (way) => [way.from, way.to, way.when].join('\n'));
  return [...same.values()].flatMap((all) => {
    const [one] = all;
    if (!one) return [];
    const weight = all.reduce((sum, way) => sum + way.weight, 0);
    const share = formatShareAsPercent(weight, one.total);
    const label = one.when === '' ? share : `${share} ${one.when}`;
    return [{ from: one.from, to: one.to, label, dashed: one.when !== '' }];
  });
}

function fitsPage(graph: MermaidGraph): boolean {
  const boxes = graph.boxes.length + graph.groups.reduce((sum, { inner }) => sum + 1 + inner.length, 0);
  return (
    boxes <= PAGE_LIMITS.boxes &&
    graph.edges.length <= PAGE_LIMITS.edges &&
    formatMermaid(graph).length <= PAGE_LIMITS.characters
  );
}

/** A fleet as far as it is drawn. */
export interface GraphScene {
  /** By name; those with replicas, and those that services need. */
  readonly clusters: readonly SceneCluster[];
  readonly services: readonly SceneService[];
}

/** A cluster with replicas. */
export interface SceneCluster {
  readonly name: string;

  /** Replicas of each deployment, leaving ones too. */
  readonly deployments: ReadonlyMap<string, number>;
}

/** A service, and all ways of its requests. */
export interface SceneService {
  readonly name: string;
  readonly ways: readonly RequestPath[];
}

/** Where requests of a service go. */
export interface RequestPath {
  readonly target: string;

  /** Absent: outside the fleet. */
  readonly cluster?: string;
  readonly weight: number;
  readonly total: number;

  /** What requests have to match, or when they go there. Empty: all do. */
  readonly when: string;
}

/** What of a plan is drawn. */
export function buildScene({ deployments, services }: Plan): GraphScene {
  const placed = deployments.flatMap((one) => {
    const { deployment } = one;
    return clustersOfPlan(one).map((cluster) => ({ cluster, deployment }));
  });
  const byCluster = groupBy(placed, ({ cluster }) => cluster);
  const clusters = [...byCluster].map(([name, own]): SceneCluster => {
    const counts = groupBy(own, ({ deployment }) => deployment);
    return { name, deployments: new Map([...counts].map(([id, all]) => [id, all.length])) };
  });
  return {
    clusters: sortedBy(clusters, ({ name }) => name),
    services: services.map(({ namespace, name, rules }) => ({
      name: `${namespace}/${name}`,
      ways: rules.flatMap(requestPathsOf),
    })),
  };
}

/** The cluster of each replica that a plan leaves: of the old one too, where it serves until it is settled. */
function clustersOfPlan(plan: DeploymentPlan): string[] {
  const old = plan.changes.flatMap((change) =>
    change.action === 'move' && change.surgeFirst ? [change.from.cluster] : [],
  );
  return [...listReplicasAfter(plan).map(({ placement }) => placement.cluster), ...old];
}

function requestPathsOf({ headers, model, members }: RouteRule): RequestPath[] {
  const conditions = [
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(model === undefined ? [] : [`model ${model}`]),
  ];
  return members.map(({ tier, weight, target, cluster }): RequestPath => {
    const when = [...conditions, ...(tier === 1 ? ['once nothing else serves'] : [])].join(', ');
    const total = totalWeightOf(members, tier);
    return {
      target: `${target.namespace}/${target.name}`,
      ...(cluster !== undefined && { cluster }),
      weight,
      total,
      when,
    };
  });
}
