import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { DeploymentPlan, Plan } from '../../plan/plan';
import type { RouteRule } from '../../routing/routing';
import { formatShareAsPercent, totalWeightOf } from '../../routing/weights';
import { formatMermaid, type MermaidBox, type MermaidEdge, type MermaidGraph } from '../document/mermaid';
import { formatConditions } from './plan-text';

/** The Mermaid of GitHub accepts 50,000 characters and 500 edges. Larger graphs than these are unreadable. */
const GRAPH_LIMITS = { boxes: 150, edges: 300, characters: 40_000 } as const;

/** The number of the largest clusters, and of the largest services, that a graph of a large fleet shows. */
const MAX_LARGEST = 12;

/**
 * Formats the clusters and services of a plan as a Mermaid graph: the deployments of each cluster, and the share of
 * requests that each target of a service gets. The same plan always gives the same text. A fleet that exceeds the
 * limits is folded: first the deployments of each cluster, then all clusters and services except the largest. Labels
 * count what is folded.
 */
export function formatFleetGraph(plan: Plan): string {
  const topology = buildTopology(plan);
  const graph = [drawDeployments, drawClusters].map((draw) => draw(topology)).find(isWithinLimits);
  return formatMermaid(graph ?? drawLargest(topology));
}

function drawDeployments({ clusters, services }: FleetTopology): MermaidGraph {
  const groups = clusters.map(({ name, label, deployments }) => ({
    box: { key: `cluster ${name}`, lines: [label], shape: 'deployment' as const },
    inner: sortedBy(deployments, ([id]) => id).map(([id, count]): MermaidBox => {
      return { key: keyOf(id, name), lines: [id, pluralize(count, 'replica')], shape: 'deployment' };
    }),
  }));
  return { groups, boxes: [...serviceBoxesOf(services), ...outsideBoxesOf(services)], edges: edgesOf(services, keyOf) };
}

/** Draws a box per cluster, with the counts of its deployments and replicas. */
function drawClusters({ clusters, services }: FleetTopology): MermaidGraph {
  const boxes = [...serviceBoxesOf(services), ...clusters.map(clusterBox), ...outsideBoxesOf(services)];
  return { groups: [], boxes, edges: edgesOf(services, clusterKey) };
}

const clusterKey: EdgeTarget = (target, cluster) =>
  cluster === undefined ? keyOf(target, cluster) : `cluster ${cluster}`;

/** Draws a box for each of the largest clusters and services, and one box for all others of each kind. */
function drawLargest({ clusters, services }: FleetTopology): MermaidGraph {
  const largestClusters = takeLargest(clusters, ({ name, deployments }) => [replicasOf(deployments), name]);
  const largestServices = takeLargest(services, ({ name, paths }) => [paths.length, name]);
  const clusterNames = new Set(largestClusters.kept.map(({ name }) => name));
  const serviceNames = new Set(largestServices.kept.map(({ name }) => name));
  const moreServices = pluralize(largestServices.others.length, 'more service');
  const outside = 'outside the fleet';
  const to: EdgeTarget = (_, cluster) =>
    cluster === undefined ? outside : clusterNames.has(cluster) ? `cluster ${cluster}` : 'clusters';
  const merged = services.map((service) => (serviceNames.has(service.name) ? service : { ...service, name: '' }));
  const edges = edgesOf(merged, to).map((edge) => ({
    ...edge,
    ...(edge.from === OTHERS || edge.to === 'clusters' ? { label: '' } : {}),
  }));
  const hasOutside = services.some(({ paths }) => paths.some(({ cluster }) => cluster === undefined));
  return {
    groups: [],
    boxes: [
      ...serviceBoxesOf(largestServices.kept),
      ...largestClusters.kept.map(clusterBox),
      ...(largestClusters.others.length > 0 ? [boxOfOthers(largestClusters.others)] : []),
      ...(largestServices.others.length > 0 ? [{ key: OTHERS, lines: [moreServices], shape: 'service' as const }] : []),
      ...(hasOutside ? [{ key: outside, lines: [outside], shape: 'outside' as const }] : []),
    ],
    edges: [...new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge])).values()],
  };
}

/** The key of the box for all services without their own box: `service ` with an empty name. */
const OTHERS = 'service ';

function takeLargest<T>(items: readonly T[], rank: (item: T) => [number, string]) {
  const sorted = [...items].sort((a, b) => rank(b)[0] - rank(a)[0] || (rank(a)[1] < rank(b)[1] ? -1 : 1));
  const kept = new Set(sorted.slice(0, MAX_LARGEST));
  return { kept: items.filter((item) => kept.has(item)), others: items.filter((item) => !kept.has(item)) };
}

function boxOfOthers(others: readonly ClusterNode[]): MermaidBox {
  const replicas = others.reduce((sum, { deployments }) => sum + replicasOf(deployments), 0);
  const lines = [`${others.length} more clusters`, pluralize(replicas, 'replica')];
  return { key: 'clusters', lines, shape: 'deployment' };
}

function clusterBox({ name, label, deployments }: ClusterNode): MermaidBox {
  const counts = [pluralize(deployments.size, 'deployment'), pluralize(replicasOf(deployments), 'replica')];
  return { key: `cluster ${name}`, lines: [label, counts.join(', ')], shape: 'deployment' };
}

function replicasOf(deployments: ClusterNode['deployments']): number {
  return [...deployments.values()].reduce((sum, count) => sum + count, 0);
}

function serviceBoxesOf(services: readonly ServiceNode[]): MermaidBox[] {
  return services.map(({ name }) => ({ key: `service ${name}`, lines: [name], shape: 'service' }));
}

function outsideBoxesOf(services: readonly ServiceNode[]): MermaidBox[] {
  const outside = services.flatMap(({ paths }) => paths.filter(({ cluster }) => cluster === undefined));
  return sortUnique(outside.map(({ target }) => target)).map((target) => {
    return { key: keyOf(target, undefined), lines: [target], shape: 'outside' };
  });
}

function keyOf(target: string, cluster: string | undefined): string {
  return cluster === undefined ? `outside ${target}` : `${target} on ${cluster}`;
}

/** Returns the key of the box for a target of a service. */
type EdgeTarget = (target: string, cluster: string | undefined) => string;

/** Returns one edge for all paths of a service to the same box under the same condition. */
function edgesOf(services: readonly ServiceNode[], to: EdgeTarget): MermaidEdge[] {
  const all = services.flatMap(({ name, paths }) =>
    paths.map((path) => ({ ...path, from: `service ${name}`, to: to(path.target, path.cluster) })),
  );
  const groups = groupBy(all, ({ from, to, when }) => [from, to, when].join('\n'));
  return [...groups.values()].flatMap((paths) => {
    const [first] = paths;
    if (!first) return [];
    const { from, to, when, total } = first;
    const weight = paths.reduce((sum, path) => sum + path.weight, 0);
    const share = formatShareAsPercent(weight, total);
    return [{ from, to, label: when === '' ? share : `${share} ${when}`, dashed: when !== '' }];
  });
}

function isWithinLimits(graph: MermaidGraph): boolean {
  const boxes = graph.boxes.length + graph.groups.reduce((sum, { inner }) => sum + 1 + inner.length, 0);
  return (
    boxes <= GRAPH_LIMITS.boxes &&
    graph.edges.length <= GRAPH_LIMITS.edges &&
    formatMermaid(graph).length <= GRAPH_LIMITS.characters
  );
}

interface FleetTopology {
  readonly clusters: readonly ClusterNode[];
  readonly services: readonly ServiceNode[];
}

interface ClusterNode {
  readonly name: string;

  /** The name, and whether the cluster is lost. */
  readonly label: string;

  /** The number of replicas of each deployment, with draining replicas. */
  readonly deployments: ReadonlyMap<string, number>;
}

interface ServiceNode {
  readonly name: string;
  readonly paths: readonly RequestPath[];
}

interface RequestPath {
  readonly target: string;

  /** The cluster of the target. Absent: the target is outside the fleet. */
  readonly cluster?: string;
  readonly weight: number;
  readonly total: number;

  /** The condition for requests to take this path. Empty: none. */
  readonly when: string;
}

function buildTopology({ deployments, services, drains }: Plan): FleetTopology {
  const lost = new Set(drains.flatMap((drain) => (drain.lost ? [drain.cluster] : [])));
  const placed = deployments.flatMap((plan) =>
    clustersOfPlan(plan).map((cluster) => ({ cluster, deployment: plan.deployment })),
  );
  const byCluster = groupBy(placed, ({ cluster }) => cluster);
  const clusters = [...byCluster].map(([name, replicas]): ClusterNode => {
    const counts = groupBy(replicas, ({ deployment }) => deployment);
    const label = lost.has(name) ? `${name}, lost` : name;
    return { name, label, deployments: new Map([...counts].map(([id, all]) => [id, all.length])) };
  });
  return {
    clusters: sortedBy(clusters, ({ name }) => name),
    services: services.map(({ namespace, name, rules }) => ({
      name: `${namespace}/${name}`,
      paths: rules.flatMap(requestPathsOf),
    })),
  };
}

/** The cluster of each replica after a plan, with the old replicas that serve until the plan is finalized. */
function clustersOfPlan(plan: DeploymentPlan): string[] {
  const old = plan.changes.flatMap((change) =>
    change.action === 'move' && change.surgeFirst ? [change.from.cluster] : [],
  );
  return [...listReplicasAfter(plan).map(({ placement }) => placement.cluster), ...old];
}

function requestPathsOf(rule: RouteRule): RequestPath[] {
  return rule.members.map(({ tier, weight, target, cluster }): RequestPath => {
    const when = [...formatConditions(rule), ...(tier === 1 ? ['only while nothing else serves'] : [])].join(', ');
    const total = totalWeightOf(rule.members, tier);
    return {
      target: `${target.namespace}/${target.name}`,
      ...(cluster !== undefined && { cluster }),
      weight,
      total,
      when,
    };
  });
}
