import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import { NETWORK } from '../../api/labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { Scene } from './scene';

/** Edges in networks of which nobody says that a front reaches them. */
export function* frontsReachEdges({ standings, selections }: Scene): Iterable<Fault> {
  const targets = selections.flatMap(({ rules }) => rules.flatMap((rule) => rule.targets));
  const edges = new Set(targets.flatMap((target) => (target.kind === 'Edge' ? [target.cluster] : [])));
  const fronts = new Set(standings.map(({ cluster }) => cluster));
  for (const edge of edges) {
    if (edge.spec.gateway.reach !== 'Private') continue;
    const first = [...fronts].find((front) => front !== edge && !joined(front, edge));
    if (!first) continue;
    yield {
      code: 'unreachable-edge',
      resource: edge,
      path: ['spec', 'gateway', 'reach'],
      what: `nothing says that the gateway on ${resourceId(first)} reaches the edge, whose reach is Private`,
      hint: `Give both clusters the same label ${NETWORK} where their networks are joined, or set reach to Public`,
    };
  }
}

function joined(a: InferenceCluster, b: InferenceCluster): boolean {
  const network = a.metadata.labels[NETWORK];
  return network !== undefined && network === b.metadata.labels[NETWORK];
}
