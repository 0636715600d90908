import { findWeak, getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { compareText } from '../base/order';
import type { CompiledCluster, EngineDemand, MemberDemand, Pool, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { countClaimedDevices, type PodFit } from './devices/pod-fit';
import type { Charge, Ledger } from './ledger';
import type { Misfit } from './reason';

/** The pool of each engine of a replica on one cluster, in the order of the engines. */
export interface Assignment {
  readonly pools: readonly Pool[];
  /** The name of the pool of each engine, by the name of the engine. */
  readonly poolNames: Readonly<Record<string, string>>;
  readonly charges: readonly Charge[];
  /** The hourly price of what the replica takes; infinite if a pool states none. */
  readonly price: number;
}

/** How an engine fits on the nodes of a pool, whatever else runs on them. */
export interface EngineFit {
  readonly engine: string;
  readonly pool: Pool;
  readonly charges: readonly Charge[];
  /** Memory in bytes of the devices that the engine takes. */
  readonly memory: number;
  /** The hourly price of the share of nodes that the engine takes; infinite if the pool states none. */
  readonly price: number;
  /** The nodes that the engine takes, as a sum of shares over its pods. */
  readonly nodes: number;
  /** The assignment of a replica that has no other engine, if it is known. */
  alone: Assignment | undefined;
}

/**
 * Finds a pool for every engine of a replica. Returns nothing if no choice of pools has room for all at once.
 *
 * The search is exact: it backtracks over earlier engines when a later engine finds no place. By default each
 * engine prefers the pool whose devices have the least memory, so that a small model does not take a large device;
 * then the first pool by name.
 */
export function fitReplica(
  demand: ReplicaDemand,
  cluster: CompiledCluster,
  matcher: PodMatcher,
  ledger: Ledger,
): Assignment | undefined {
  const { engines, poolOrder } = demand;
  const [engine] = engines;
  if (engine && engines.length === 1) {
    for (const fit of listPreferredPools(engine, cluster, matcher, poolOrder)) {
      if (ledger.hasRoom(fit.pool, fit.charges)) return (fit.alone ??= joinFits([fit]));
    }
    return undefined;
  }
  const choices = engines.map((one) => listPreferredPools(one, cluster, matcher, poolOrder));
  return searchPools(choices, [], ledger);
}

/** Every choice of a pool for each engine of a replica, whether it has room or not, the preferred first. */
export function listAssignments(
  demand: ReplicaDemand,
  cluster: CompiledCluster,
  matcher: PodMatcher,
): readonly Assignment[] {
  return getOrComputeWeak(ASSIGNMENTS, demand, cluster, () =>
    demand.engines
      .map((engine) => listPreferredPools(engine, cluster, matcher, demand.poolOrder))
      .reduce<(readonly EngineFit[])[]>((all, fits) => all.flatMap((one) => fits.map((fit) => [...one, fit])), [[]])
      .map(toAssignment),
  );
}

const ASSIGNMENTS: WeakPairMap<ReplicaDemand, CompiledCluster, readonly Assignment[]> = new WeakMap();

/**
 * Finds the assignment to the pools that a replica had, or the first engine that no longer fits its pool.
 *
 * @param pools in the order of the engines; an engine without a pool is left out
 */
export function fitOnPools(
  { engines }: ReplicaDemand,
  pools: readonly (Pool | undefined)[],
  matcher: PodMatcher,
): Assignment | { readonly engine: string; readonly pool: Pool; readonly misfit: Misfit } {
  const fits: EngineFit[] = [];
  for (const [e, engine] of engines.entries()) {
    const pool = pools[e];
    if (!pool) continue;
    const fit = fitPlacedEngine(engine, pool, matcher);
    if ('misfit' in fit) return { engine: engine.name, pool, misfit: fit };
    fits.push(fit);
  }
  return toAssignment(fits);
}

/**
 * Finds how all members of an engine fit on one pool, or why one of them does not. A member that would hold no
 * device on the pool, but would on another pool of the cluster, does not fit.
 */
export function fitEngine(
  engine: EngineDemand,
  pool: Pool,
  cluster: CompiledCluster,
  matcher: PodMatcher,
): EngineFit | Misfit {
  const onNode = fitNodeOf(engine, pool, matcher);
  if ('misfit' in onNode && onNode.misfit !== 'claims-nothing') return onNode;
  // A replica that is placed already stays: `fitPlacedEngine`.
  const unserved = engine.unserved?.get(pool.node);
  if (unserved) return unserved;
  const fit = 'misfit' in onNode ? onNode : toEngineFit(engine, pool, onNode);
  if ('claimsAll' in onNode && onNode.claimsAll) return fit;
  // Other pools of the cluster matter to members that claim nothing on this one.
  for (const member of engine.members) {
    if (claimsDevices(matcher.fit(member.pod, pool.node))) continue;
    const elsewhere = cluster.pools.find(({ node }) => claimsDevices(matcher.fit(member.pod, node)));
    if (elsewhere) return { misfit: 'claims-elsewhere', role: member.role, pool: elsewhere.name };
  }
  return fit;
}

/** How the members of an engine fit on one kind of node. */
interface NodeFit {
  readonly fits: readonly { readonly member: MemberDemand; readonly fit: PodFit }[];
  /** Whether every member claims devices. */
  readonly claimsAll: boolean;
  /** The pods that are charged, and the sum of their shares of a node. */
  readonly pods: number;
  readonly shares: number;
}

/** Finds how the members of an engine fit on the nodes of a pool, if the engine may use its class. */
function fitNodeOf(engine: EngineDemand, { node, className, sliceHosts }: Pool, matcher: PodMatcher): NodeFit | Misfit {
  if (engine.classes && !engine.classes.has(className)) return { misfit: 'other-class', class: className };
  const pods = engine.members.reduce((sum, { podsOfCopy }) => sum + podsOfCopy, 0);
  if (sliceHosts !== undefined && pods !== sliceHosts) return { misfit: 'other-slice-size', pods, hosts: sliceHosts };
  return fitNode(engine, node, matcher);
}

/** Finds how the members of an engine fit on a kind of node. Clusters have many pools of one kind of node. */
function fitNode(engine: EngineDemand, node: Pool['node'], matcher: PodMatcher): NodeFit | Misfit {
  return getOrComputeWeak(NODE_FITS, engine, node, () => computeNodeFit(engine, node, matcher));
}

const NODE_FITS: WeakPairMap<EngineDemand, Pool['node'], NodeFit | Misfit> = new WeakMap();

function computeNodeFit(engine: EngineDemand, node: Pool['node'], matcher: PodMatcher): NodeFit | Misfit {
  const fits: { member: MemberDemand; fit: PodFit }[] = [];
  for (const member of engine.members) {
    const fit = matcher.fit(member.pod, node);
    if ('misfit' in fit) return fit;
    fits.push({ member, fit });
  }
  const wantsDevices = engine.members.some(({ pod }) => pod.requests.length > 0);
  if (wantsDevices && !fits.some(({ fit }) => claimsDevices(fit))) return { misfit: 'claims-nothing' };
  const charged = fits.filter(({ fit }) => fit.footprint.length > 0);
  return {
    fits,
    claimsAll: fits.every(({ fit }) => claimsDevices(fit)),
    pods: charged.reduce((sum, { member }) => sum + member.pods, 0),
    shares: charged.reduce((sum, { member, fit }) => sum + member.pods * fit.share, 0),
  };
}

/** Like `fitEngine`, for an engine that is on the pool already: other pools do not matter. */
function fitPlacedEngine(engine: EngineDemand, pool: Pool, matcher: PodMatcher): EngineFit | Misfit {
  return findWeak(PLACED_FITS, engine, pool) ?? computePlacedFit(engine, pool, matcher);
}

function computePlacedFit(engine: EngineDemand, pool: Pool, matcher: PodMatcher): EngineFit | Misfit {
  const onNode = fitNodeOf(engine, pool, matcher);
  if ('misfit' in onNode) return onNode;
  return getOrComputeWeak(PLACED_FITS, engine, pool, () => toEngineFit(engine, pool, onNode));
}

const PLACED_FITS: WeakPairMap<EngineDemand, Pool, EngineFit> = new WeakMap();

function toEngineFit(engine: EngineDemand, pool: Pool, { fits, pods, shares }: NodeFit): EngineFit {
  return {
    engine: engine.name,
    pool,
    charges: fits.flatMap(({ member, fit }) => (fit.footprint.length > 0 ? [toCharge(engine, pool, member, fit)] : [])),
    memory: fits.reduce((bytes, { member, fit }) => bytes + fit.memory * member.pods, 0),
    price: fits.reduce(
      (sum, { member, fit }) => sum + (fit.share > 0 ? (pool.price ?? Infinity) * fit.share * member.pods : 0),
      0,
    ),
    nodes: pool.packing === 'Exclusive' ? pods : shares,
    alone: undefined,
  };
}

function toCharge(
  engine: EngineDemand,
  pool: Pool,
  { pods, surge, scaled }: MemberDemand,
  { footprint, claims, share }: PodFit,
): Charge {
  const claimed = pool.queue && { claimed: countClaimedDevices({ claims }) };
  const perPod = Object.fromEntries(claims.map(({ request, forms }) => [request, forms[0]?.count ?? 0]));
  return {
    pool,
    footprint,
    pods,
    surge,
    ...(scaled !== undefined && { scaled }),
    share,
    engine: engine.name,
    perPod,
    ...claimed,
  };
}

/** The pools of a cluster whose nodes suit an engine, the preferred first. Cached, as placements do not change it. */
export function listPreferredPools(
  engine: EngineDemand,
  cluster: CompiledCluster,
  matcher: PodMatcher,
  order: ReplicaDemand['poolOrder'],
): readonly EngineFit[] {
  return findWeak(PREFERRED_POOLS, engine, cluster) ?? rankPools(engine, cluster, matcher, order);
}

function rankPools(
  engine: EngineDemand,
  cluster: CompiledCluster,
  matcher: PodMatcher,
  order: ReplicaDemand['poolOrder'],
): readonly EngineFit[] {
  return getOrComputeWeak(PREFERRED_POOLS, engine, cluster, () =>
    [...listFits(engine, cluster, matcher)].sort(
      (a, b) => comparePreference(a, b, order) || compareText(a.pool.name, b.pool.name),
    ),
  );
}

const PREFERRED_POOLS: WeakPairMap<EngineDemand, CompiledCluster, readonly EngineFit[]> = new WeakMap();

/** How an engine fits on the pools that suit it, in the order of the cluster. Cached like the preferred pools. */
export function listFits(engine: EngineDemand, cluster: CompiledCluster, matcher: PodMatcher): readonly EngineFit[] {
  return getOrComputeWeak(FITS, engine, cluster, () =>
    cluster.pools.flatMap((pool) => {
      const fit = fitEngine(engine, pool, cluster, matcher);
      return 'misfit' in fit ? [] : [fit];
    }),
  );
}

const FITS: WeakPairMap<EngineDemand, CompiledCluster, readonly EngineFit[]> = new WeakMap();

/** Compares two pools by what an engine prefers, then by memory. Two unknown prices are equal. */
function comparePreference(a: EngineFit, b: EngineFit, order: ReplicaDemand['poolOrder']): number {
  return a[order] === b[order] ? a.memory - b.memory : a[order] - b[order];
}

function claimsDevices(fit: PodFit | Misfit): boolean {
  return !('misfit' in fit) && fit.claims.length > 0;
}

function toAssignment(fits: readonly EngineFit[]): Assignment {
  const [first, second] = fits;
  return first && !second ? (first.alone ??= joinFits(fits)) : joinFits(fits);
}

function joinFits(fits: readonly EngineFit[]): Assignment {
  return {
    pools: fits.map(({ pool }) => pool),
    poolNames: Object.fromEntries(fits.map(({ engine, pool }) => [engine, pool.name])),
    charges: fits.flatMap(({ charges }) => charges),
    price: fits.reduce((sum, { price }) => sum + price, 0),
  };
}

/** Searches depth first over the engines. A pool in the same state as one that failed is not tried again. */
function searchPools(
  choices: readonly (readonly EngineFit[])[],
  chosen: readonly EngineFit[],
  ledger: Ledger,
): Assignment | undefined {
  const [fits, ...rest] = choices;
  if (!fits) return toAssignment(chosen);
  const failed: Pool[] = [];
  for (const fit of fits) {
    if (!hasRoom(fit, chosen, ledger)) continue;
    const used = chosen.some(({ pool }) => pool === fit.pool);
    if (!used && failed.some((pool) => ledger.sameState(pool, fit.pool))) continue;
    const found = searchPools(rest, [...chosen, fit], ledger);
    if (found) return found;
    if (!used) failed.push(fit.pool);
  }
  return undefined;
}

/** Whether an engine has room on its pool in addition to the engines that were chosen before it. */
function hasRoom({ pool, charges }: EngineFit, chosen: readonly EngineFit[], ledger: Ledger): boolean {
  const onSamePool = chosen.filter((other) => other.pool === pool);
  if (onSamePool.length === 0) return ledger.hasRoom(pool, charges);
  return ledger.fits([...onSamePool.flatMap((other) => other.charges), ...charges]);
}
