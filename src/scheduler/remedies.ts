import { compareText } from '../base/order';
import {
  addPool,
  limitCopies,
  mostCopiesOf,
  onlyAlternativeOf,
  relaxSelector,
  replaceAlternative,
  tolerateTaints,
} from './changed-demands';
import { acceleratorsOf, acceleratorsOfNodes } from './compile/shapes';
import type { CompiledCluster, CompiledDeployment, EngineDemand, Pool, ReplicaDemand } from './compiled-fleet';
import { findUntolerated } from './filters';
import { fitEngine, fitReplica } from './fit-replica';
import { fitsPacked, listShortPools, type ShortPool } from './missing-nodes';
import type { Rejection } from './reason';
import type { Remedy } from './remedy';
import { fitsOn, type RejectedPlace, type RemedyProposal } from './remedy-proposal';
import type { SchedulingState } from './scheduling-state';
import { TopologySpread } from './topology-spread';

/** The most proposals to try: in a large fleet, most rejections have the same reason. */
const MAX_TRIED = 64;

/**
 * Finds the smallest change of each kind that gives one more replica a place: nodes for a pool, its packing, a
 * toleration, another bound in a selector, another count, fewer copies. Of bounds, that of the pool with the cheapest GPUs comes first. Each was
 * tried; a kind without a remedy is left out.
 */
export function findRemedies(
  demand: ReplicaDemand,
  rejections: readonly Rejection[],
  state: SchedulingState,
): FoundRemedies {
  const places = rejections.flatMap(({ cluster: name, pool, reason }): RejectedPlace[] => {
    const cluster = state.clusters.get(name);
    return cluster ? [{ cluster, pool: cluster.pools.find((one) => one.name === pool), reason }] : [];
  });
  const found = REMEDIES.map((propose) => {
    const proposals = places.flatMap((place) => propose(place, demand, state) ?? []).sort(compareOrder);
    return takeHelping(proposals.slice(0, MAX_TRIED));
  });
  return {
    remedies: found.flatMap((ofKind) => ofKind.slice(0, 1)),
    alternatives: found.flatMap((ofKind) => ofKind.slice(1)),
  };
}

/** The smallest change of each kind, and further ones. */
interface FoundRemedies {
  readonly remedies: readonly Remedy[];
  readonly alternatives: readonly Remedy[];
}

/** The most changes of one kind to offer to what chooses by price, or by what starts there. */
const MAX_FOUND = 4;

function takeHelping(proposals: readonly RemedyProposal[]): Remedy[] {
  const found: RemedyProposal['remedy'][] = [];
  for (const { remedy, helps } of proposals) {
    const same = found.findIndex((one) => isSameBound(one, remedy));
    if (found.length === MAX_FOUND && same < 0) continue;
    if (!helps()) continue;
    const earlier = found[same];
    if (earlier?.kind === 'bound' && remedy.kind === 'bound') {
      const { cluster, pool } = remedy;
      found[same] = { ...earlier, also: [...(earlier.also ?? []), { cluster, pool }] };
    } else found.push(remedy);
  }
  return found;
}

/** Whether two remedies are one change of a selector, which helps on two pools. */
function isSameBound(a: Remedy, b: Remedy): boolean {
  if (a.kind !== 'bound' || b.kind !== 'bound') return false;
  return a.engine === b.engine && a.request === b.request && a.selector === b.selector && a.to === b.to;
}

/** Finds the limit of `placement` whose next value gives one more replica a place on one of the clusters it closes. */
export function findLimitRemedy(
  deployment: CompiledDeployment,
  limited: readonly Rejection[],
  state: SchedulingState,
): Remedy[] {
  for (const { cluster: name, reason } of limited) {
    const cluster = state.clusters.get(name);
    if (!cluster || reason.filter !== 'spread' || reason.limit === 'no-domain') continue;
    const { limit: field, most: from = 0 } = reason;
    const to = field === 'minDomains' ? from - 1 : from + 1;
    const changed = { ...deployment, placement: { ...deployment.placement, [field]: to } };
    const isOpen = new TopologySpread(changed, state.clustersOf(deployment)).findLimit(cluster) === undefined;
    if (isOpen && fitsOn(cluster, deployment.demand, state))
      return [{ kind: 'limit', deployment: deployment.id, field, from, to, cluster: name }];
  }
  return [];
}

type RemedyKind = (
  place: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
) => RemedyProposal | readonly RemedyProposal[] | undefined;

/** Tolerations come last: a taint is there for a reason. */
const REMEDIES: readonly RemedyKind[] = [
  proposeSettling,
  proposeNodes,
  proposeBound,
  proposeWholeNode,
  proposeCopies,
  proposePacking,
  proposeToleration,
];

/** Proposes to drop replicas that are draining, where they hold the place. */
function proposeSettling(
  { cluster, reason }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal | undefined {
  if (!['capacity', 'quota', 'together'].includes(reason.filter)) return undefined;
  const draining = state.drainingOn(cluster);
  if (draining.length === 0) return undefined;
  return {
    remedy: { kind: 'finalize', cluster: cluster.name },
    order: [draining.length],
    helps: () => {
      for (const { assignment } of draining) state.ledger.remove(assignment.charges);
      const fits = fitReplica(demand, cluster, state.matcher, state.ledger) !== undefined;
      for (const { assignment } of draining) state.ledger.add(assignment.charges);
      return fits;
    },
  };
}

/** Proposes nodes for a pool, and a pool of their own where fewer nodes of it are enough. */
function proposeNodes(place: RejectedPlace, demand: ReplicaDemand, state: SchedulingState): RemedyProposal[] {
  const { cluster, pool, reason } = place;
  if (reason.filter === 'together') return proposeNodesForAll(place, demand, state);
  if (!pool || reason.filter !== 'capacity' || reason.closed) return [];
  if (demand.engines.length > 1) return proposeNodesForAll(place, demand, state);
  const { missingNodes: nodes, lost = 0 } = reason;
  const more = proposeMore({ pool, nodes }, cluster, demand, state);
  const engine = demand.engines.find(({ name }) => name === reason.engine);
  const own = engine && lost < nodes ? proposePool({ cluster, pool, engine }, demand, state) : undefined;
  return own && own.remedy.kind === 'nodes' && own.remedy.nodes < nodes ? [own, more] : [more];
}

/** Proposes nodes for all engines of a replica together, of each pool that alone is short. */
function proposeNodesForAll(
  { cluster, pool }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal[] {
  return listShortPools({ demand, cluster, matcher: state.matcher, ledger: state.ledger })
    .filter((short) => pool === undefined || short.pool === pool)
    .map((short) => proposeMore(short, cluster, demand, state));
}

function proposeMore(
  { pool, nodes }: ShortPool,
  cluster: CompiledCluster,
  demand: ReplicaDemand,
  { matcher, ledger }: Pick<SchedulingState, 'matcher' | 'ledger'>,
): RemedyProposal {
  const lost = ledger.lost(pool);
  const slice = pool.sliceHosts !== undefined && ({ slice: true } as const);
  if (slice && lost < nodes) return proposeSlice(pool, cluster, demand, { matcher, ledger });
  const at = { cluster: cluster.name, pool: pool.name, ...slice };
  return {
    remedy: {
      kind: 'nodes',
      ...at,
      nodes,
      ...acceleratorsOfNodes(pool.node, nodes),
      ...(lost >= nodes && { unavailable: lost }),
    },
    order: [nodes, pool.price ?? UNPRICED],
    helps: () => fitReplica(demand, cluster, matcher, ledger.enlarged(pool, nodes)) !== undefined,
  };
}

/** Proposes a further slice of the size of a pool that is a TPU slice, to which no nodes can be added. */
function proposeSlice(
  pool: Pool,
  cluster: CompiledCluster,
  demand: ReplicaDemand,
  { matcher, ledger }: Pick<SchedulingState, 'matcher' | 'ledger'>,
): RemedyProposal {
  const { sliceHosts: nodes = 0, price = UNPRICED } = pool;
  const at = { cluster: cluster.name, pool: pool.name, nodes, newPool: true, slice: true } as const;
  return {
    remedy: { kind: 'nodes', ...at, ...acceleratorsOfNodes(pool.node, nodes) },
    order: [nodes, price],
    helps: () => fitReplica(demand, addPool(cluster, pool, nodes), matcher, ledger) !== undefined,
  };
}

/** Proposes a further pool of a class that the cluster has: it holds no other pods, which could spread over its nodes. */
function proposePool(
  { cluster, pool, engine }: { cluster: CompiledCluster; pool: Pool; engine: EngineDemand },
  demand: ReplicaDemand,
  { matcher, ledger }: SchedulingState,
): RemedyProposal | undefined {
  const withPool = (nodes: number): CompiledCluster => addPool(cluster, pool, nodes);
  const [added] = withPool(0).pools.slice(-1);
  const fit = added && pool.sliceHosts === undefined && fitEngine(engine, added, withPool(0), matcher);
  if (!fit || 'misfit' in fit) return undefined;
  const nodes = ledger.missingNodes(added, fit.charges);
  return {
    remedy: {
      kind: 'nodes',
      cluster: cluster.name,
      pool: pool.name,
      nodes,
      newPool: true,
      ...acceleratorsOfNodes(pool.node, nodes),
    },
    order: [nodes, pool.price ?? UNPRICED],
    helps: () => fitReplica(demand, withPool(nodes), matcher, ledger) !== undefined,
  };
}

/** Proposes to pack the pods of a pool, where its free devices are enough and only not guaranteed. */
function proposePacking(
  { cluster, pool, reason }: RejectedPlace,
  demand: ReplicaDemand,
  { matcher, ledger }: SchedulingState,
): RemedyProposal | undefined {
  if (!pool || reason.filter !== 'capacity' || !reason.packs || reason.closed) return undefined;
  return {
    remedy: { kind: 'packing', cluster: cluster.name, pool: pool.name },
    order: [reason.pods],
    helps: () => fitsPacked({ demand, cluster, matcher, ledger }, pool),
  };
}

function proposeToleration(
  { cluster, reason }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal | undefined {
  if (reason.filter !== 'taint') return undefined;
  const taints = cluster.taints.filter((taint) => findUntolerated([taint], demand.tolerations));
  // The cluster is drained: a toleration would undo that.
  if (taints.some(({ effect }) => effect === 'NoExecute')) return undefined;
  return {
    remedy: { kind: 'toleration', cluster: cluster.name, taints },
    order: [taints.length],
    helps: () => fitsOn(cluster, tolerateTaints(demand, taints), state),
  };
}

function proposeBound(
  { cluster, pool, reason }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal | undefined {
  if (reason.filter !== 'devices' || reason.misfit !== 'no-match') return undefined;
  const engine = demand.engines.find(({ name }) => name === reason.engine);
  const form = engine && onlyAlternativeOf(engine, reason.request);
  const relaxed = pool && form && relaxSelector(form, reason.selector, reason.device, pool.node);
  if (!relaxed) return undefined;
  const { compiled, from, to, gap } = relaxed;
  const { request, selector, where } = reason;
  const at = { request, selector, ...(where && { where }) };
  const change = (): ReplicaDemand => {
    const selectors = form.selectors.map((other, s) => (s === reason.selector ? compiled : other));
    return replaceAlternative(demand, engine, form, { ...form, selectors });
  };
  return {
    remedy: { kind: 'bound', cluster: cluster.name, pool: pool.name, engine: engine.name, ...at, from, to },
    order: [pool.price === undefined ? UNPRICED : pool.price / Math.max(1, acceleratorsOf(pool.node)), gap],
    helps: () => fitsOn(withPoolsOf(cluster, { pool, engine }, demand, state), change(), state),
  };
}

/** Proposes to request all devices of a node where their driver allocates no part of them. */
function proposeWholeNode(
  { cluster, pool, reason }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal | undefined {
  if (!pool || reason.filter !== 'devices' || reason.misfit !== 'part-of-node') return undefined;
  const [request, ...others] = reason.requests;
  const engine = demand.engines.find(({ name }) => name === reason.engine);
  const form = engine && request !== undefined ? onlyAlternativeOf(engine, request) : undefined;
  if (!engine || request === undefined || !form || form.all || others.length > 0) return undefined;
  const count = reason.devices;
  const at = { cluster: cluster.name, pool: pool.name, engine: engine.name, request };
  return {
    remedy: { kind: 'count', ...at, from: form.count, to: count },
    order: [count - form.count],
    helps: () => fitsOn(cluster, replaceAlternative(demand, engine, form, { ...form, count }), state),
  };
}

/** Proposes as many copies as a pool has room for, where only those beyond the fewest of an autoscaler have none. */
function proposeCopies(
  { cluster, pool, reason }: RejectedPlace,
  demand: ReplicaDemand,
  state: SchedulingState,
): RemedyProposal | undefined {
  if (!pool || reason.filter !== 'capacity' || reason.closed || reason.layout !== undefined) return undefined;
  const engine = demand.engines.find(({ name }) => name === reason.engine);
  const { scaled = 0, pods, room, surge } = reason;
  if (!engine || scaled === 0) return undefined;
  const from = mostCopiesOf(engine);
  const podsOfCopy = (pods - surge) / from;
  const to = Math.min(from - 1, Math.floor((room - surge) / podsOfCopy));
  const least = (pods - surge - scaled) / podsOfCopy;
  if (to < Math.max(1, least)) return undefined;
  return {
    remedy: { kind: 'copies', cluster: cluster.name, pool: pool.name, engine: engine.name, from, to },
    order: [from - to],
    helps: () => fitsOn(cluster, limitCopies(demand, engine, to), state),
  };
}

/** A cluster with the pool that a remedy opens for an engine, and the pools that the other engines of the replica use. */
function withPoolsOf(
  cluster: CompiledCluster,
  opened: { readonly pool: Pool; readonly engine: EngineDemand },
  { engines }: ReplicaDemand,
  { matcher }: SchedulingState,
): CompiledCluster {
  const others = engines.filter((one) => one !== opened.engine);
  const isUsed = (pool: Pool): boolean => others.some((one) => !('misfit' in fitEngine(one, pool, cluster, matcher)));
  return { ...cluster, pools: cluster.pools.filter((pool) => pool === opened.pool || isUsed(pool)) };
}

function compareOrder(a: RemedyProposal, b: RemedyProposal): number {
  const differing = a.order.findIndex((figure, i) => figure !== b.order[i]);
  const byFigure = differing === -1 ? 0 : (a.order[differing] ?? 0) - (b.order[differing] ?? 0);
  return byFigure || compareText(a.remedy.cluster, b.remedy.cluster);
}

const UNPRICED = Number.POSITIVE_INFINITY;
