import type { Toleration } from '../api/schema/taints-and-tolerations';
import { compareText } from '../base/order';
import { cel } from '../cel/lazy';
import type { NodeShape, RequestAlternative } from './compile/shapes';
import type { CompiledCluster, EngineDemand, Pool, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { findUntolerated, rejectNew } from './filters';
import { fitEngine, fitReplica } from './fit-replica';
import type { Ledger } from './ledger';
import type { Rejection, Remedy } from './schedule-result';

/** The state that remedies are tried against. */
export interface RemedyContext {
  /** By name. */
  readonly clusters: ReadonlyMap<string, CompiledCluster>;
  readonly matcher: PodMatcher;
  readonly ledger: Ledger;
}

/** The most proposals to try: in a large fleet, most rejections have the same reason. */
const MAX_TRIED = 64;

/**
 * Finds the smallest change of each kind that gives one more replica a place: nodes for a pool, a toleration,
 * another bound in a selector. Each was tried; a kind without a remedy is left out.
 */
export function findRemedies(
  demand: ReplicaDemand,
  rejections: readonly Rejection[],
  context: RemedyContext,
): Remedy[] {
  return REMEDIES.flatMap((remedy) => {
    const sorted = rejections.flatMap((rejection) => remedy.propose(rejection, demand, context)).sort(compareSize);
    return sorted.slice(0, MAX_TRIED).find((proposal) => remedy.helps(proposal, demand, context))?.remedy ?? [];
  });
}

/** A remedy that may help, and its size: fewer nodes are smaller. */
interface RemedyProposal {
  readonly remedy: Remedy;
  readonly size: number;
  /** The demand with the remedy applied. Absent if the remedy changes a cluster. */
  readonly changed?: ReplicaDemand;
}

interface RemedyKind {
  readonly propose: (rejection: Rejection, demand: ReplicaDemand, context: RemedyContext) => RemedyProposal[];
  readonly helps: (proposal: RemedyProposal, demand: ReplicaDemand, context: RemedyContext) => boolean;
}

const REMEDIES: readonly RemedyKind[] = [
  { propose: proposeNodes, helps: fitsWithNodes },
  { propose: proposeToleration, helps: fitsWithChange },
  { propose: proposeBound, helps: fitsWithChange },
];

function proposeNodes({ cluster, pool, reason }: Rejection): RemedyProposal[] {
  if (pool === undefined || reason.filter !== 'capacity') return [];
  const nodes = reason.missingNodes;
  return [{ remedy: { kind: 'nodes', cluster, pool, nodes }, size: nodes }];
}

function fitsWithNodes(
  { remedy }: RemedyProposal,
  demand: ReplicaDemand,
  { clusters, matcher, ledger }: RemedyContext,
): boolean {
  const cluster = clusters.get(remedy.cluster);
  const pool = remedy.kind === 'nodes' && cluster?.pools.find(({ name }) => name === remedy.pool);
  if (!cluster || !pool || remedy.kind !== 'nodes') return false;
  return fitReplica(demand, cluster, matcher, ledger.enlarged(pool, remedy.nodes)) !== undefined;
}

function proposeToleration(
  { cluster: name, reason }: Rejection,
  demand: ReplicaDemand,
  { clusters }: RemedyContext,
): RemedyProposal[] {
  const cluster = clusters.get(name);
  if (!cluster || reason.filter !== 'taint') return [];
  const taints = cluster.taints.filter((taint) => findUntolerated([taint], demand.tolerations));
  const added = taints.map(({ key, value }): Toleration => ({ key, operator: 'Equal', value }));
  const changed = { ...demand, tolerations: [...demand.tolerations, ...added] };
  return [{ remedy: { kind: 'toleration', cluster: name, taints }, size: taints.length, changed }];
}

function proposeBound(
  { cluster, pool: name, reason }: Rejection,
  demand: ReplicaDemand,
  context: RemedyContext,
): RemedyProposal[] {
  if (reason.filter !== 'devices' || reason.misfit !== 'no-match') return [];
  const pool = findPool(context, cluster, name);
  const engine = demand.engines.find((candidate) => candidate.name === reason.engine);
  const form = engine && onlyAlternativeOf(engine, reason.request);
  const relaxed = pool && form && relaxSelector(form, reason.selector, reason.device, pool.node);
  if (!relaxed || !engine) return [];
  const { selectors, from, to } = relaxed;
  const change = { engine: reason.engine, request: reason.request, selector: reason.selector, from, to };
  const changed = {
    ...demand,
    engines: demand.engines.map((other) => (other === engine ? replaceAlternative(other, form, selectors) : other)),
  };
  return [{ remedy: { kind: 'bound', cluster, pool: pool.name, ...change }, size: 1, changed }];
}

/** Whether a replica of the changed demand has a place on the cluster of the remedy. */
function fitsWithChange(
  { remedy, changed }: RemedyProposal,
  _: ReplicaDemand,
  { clusters, matcher, ledger }: RemedyContext,
): boolean {
  const cluster = clusters.get(remedy.cluster);
  if (!cluster || !changed || rejectNew(changed, cluster)) return false;
  const suits = changed.engines.every((engine) =>
    cluster.pools.some((pool) => !('misfit' in fitEngine(engine, pool, cluster, matcher))),
  );
  return suits && fitReplica(changed, cluster, matcher, ledger) !== undefined;
}

function findPool({ clusters }: RemedyContext, cluster: string, pool: string | undefined): Pool | undefined {
  return clusters.get(cluster)?.pools.find(({ name }) => name === pool);
}

/** The single form of a request. A request with alternatives has no single bound to change. */
function onlyAlternativeOf({ members }: EngineDemand, request: string): RequestAlternative | undefined {
  const found = members.flatMap(({ pod }) => pod.requests).find(({ name }) => name === request);
  const [only, ...others] = found?.alternatives ?? [];
  return others.length === 0 ? only : undefined;
}

function relaxSelector({ selectors }: RequestAlternative, failing: number, device: string, { kinds }: NodeShape) {
  const kind = kinds.find(({ name }) => name === device);
  const selector = selectors[failing];
  const relaxed = kind && selector && cel().relaxSelector(selector, kind.prepared);
  if (!relaxed) return undefined;
  const { compiled, from, to } = relaxed;
  return { selectors: selectors.map((other, s) => (s === failing ? compiled : other)), from, to };
}

function replaceAlternative(
  engine: EngineDemand,
  form: RequestAlternative,
  selectors: RequestAlternative['selectors'],
): EngineDemand {
  const members = engine.members.map((member) => ({
    ...member,
    pod: {
      ...member.pod,
      requests: member.pod.requests.map((request) =>
        request.alternatives.includes(form) ? { ...request, alternatives: [{ ...form, selectors }] } : request,
      ),
    },
  }));
  return { ...engine, members };
}

function compareSize(a: RemedyProposal, b: RemedyProposal): number {
  return a.size - b.size || compareText(a.remedy.cluster, b.remedy.cluster);
}
