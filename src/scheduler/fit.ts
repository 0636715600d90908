import { compareText } from '../order';
import type { Charge, Ledger } from './ledger';
import type { Fit } from './fit-on-node';
import type { Matcher } from './matcher';
import { memoWeak, type WeakTable } from '../memo';
import type { Demand, Engine, Member, Pool, Site } from './model';
import type { Misfit } from './types';

/** Where each engine of a replica goes on one cluster, in the order of the engines. */
export interface Assignment {
  readonly pools: readonly Pool[];
  readonly charges: readonly Charge[];
  /** The price an hour of what it takes; infinite where a pool states none. */
  readonly price: number;
}

/** How an engine fits on the nodes of a pool, whatever else is there. */
export interface EngineFit {
  readonly pool: Pool;
  readonly charges: readonly Charge[];
  /** Memory in bytes of the devices that the engine takes. */
  readonly memory: number;
  /** The price an hour of the share of nodes that the engine takes; infinite where the pool states none. */
  readonly price: number;
}

/**
 * A pool for every engine of a replica, or nothing when no choice of pools has room for all at once.
 *
 * Exact: goes back over earlier engines when a later one finds no place. Each engine prefers the pool whose
 * devices have the least memory, so that a small model does not take a large device; then the first by name.
 */
export function fitReplica(
  demand: Demand,
  site: Site,
  matcher: Matcher,
  ledger: Ledger,
): Assignment | undefined {
  const choices = demand.engines.map((engine) => poolsFor(engine, site, matcher, demand.poolOrder));
  return search(choices, [], ledger);
}

/**
 * The assignment to the pools that a replica had, or the first engine that these do not suit any more.
 *
 * @param pools in the order of the engines. An engine without one is left out
 */
export function fitOn(
  { engines }: Demand,
  pools: readonly (Pool | undefined)[],
  matcher: Matcher,
): Assignment | EngineMisfit {
  const fits = engines.map((engine, e) => {
    const pool = pools[e];
    return pool && placedFit(engine, pool, matcher);
  });
  if (areFits(fits)) return toAssignment(fits);
  for (const [e, { name }] of engines.entries()) {
    const [pool, misfit] = [pools[e], fits[e]];
    if (pool && misfit && 'misfit' in misfit) return { engine: name, pool, misfit };
  }
  return toAssignment(fits.filter(isFit));
}

function areFits(fits: readonly (EngineFit | Misfit | undefined)[]): fits is readonly EngineFit[] {
  return fits.every(isFit);
}

function isFit(fit: EngineFit | Misfit | undefined): fit is EngineFit {
  return fit !== undefined && !('misfit' in fit);
}

export interface EngineMisfit {
  readonly engine: string;
  readonly pool: Pool;
  readonly misfit: Misfit;
}

/**
 * How all members of an engine fit on one pool, or why one of them does not. A member that would hold no device there
 * belongs to another pool where it would hold one.
 */
export function engineFit(engine: Engine, pool: Pool, site: Site, matcher: Matcher): EngineFit | Misfit {
  const fit = placedFit(engine, pool, matcher);
  if ('misfit' in fit && fit.misfit !== 'claims-nothing') return fit;
  for (const member of engine.members) {
    const elsewhere = !claims(matcher.fit(member.pod, pool.node)) && claimsElsewhere(member, site, matcher);
    if (elsewhere) return { misfit: 'claims-elsewhere', role: member.role, pool: elsewhere.name };
  }
  return fit;
}

/** As `engineFit`, for an engine that is on the pool already: what other pools have does not move it. */
function placedFit(engine: Engine, pool: Pool, matcher: Matcher): EngineFit | Misfit {
  return memoWeak(PLACED, engine, pool, () => fitOnPool(engine, pool, matcher));
}

const PLACED: WeakTable<Engine, Pool, EngineFit | Misfit> = new WeakMap();

function fitOnPool(engine: Engine, pool: Pool, matcher: Matcher): EngineFit | Misfit {
  const fits: { member: Member; fit: Fit }[] = [];
  for (const member of engine.members) {
    const fit = matcher.fit(member.pod, pool.node);
    if ('misfit' in fit) return fit;
    fits.push({ member, fit });
  }
  if (!fits.some(({ fit }) => claims(fit))) return { misfit: 'claims-nothing' };
  return {
    pool,
    charges: fits.flatMap(({ member, fit }) =>
      fit.need.length > 0 ? [charge(engine, pool, member, fit)] : [],
    ),
    memory: fits.reduce((bytes, { member, fit }) => bytes + fit.memory * member.pods, 0),
    price: fits.reduce((sum, { member, fit }) => sum + (pool.price ?? Infinity) * fit.share * member.pods, 0),
  };
}

function charge(engine: Engine, pool: Pool, { pods, surge }: Member, { need, claims, share }: Fit): Charge {
  const perPod = Object.fromEntries(claims.map(({ request, forms }) => [request, forms[0]?.count ?? 0]));
  return { pool, need, pods, surge, share, engine: engine.name, perPod };
}

/** The pools of a cluster whose nodes suit an engine, the preferred first. Computed once: nothing placed changes it. */
function poolsFor(
  engine: Engine,
  site: Site,
  matcher: Matcher,
  order: Demand['poolOrder'],
): readonly EngineFit[] {
  return memoWeak(SUITING, engine, site, () =>
    site.pools
      .map((pool) => engineFit(engine, pool, site, matcher))
      .filter(isFit)
      .sort((a, b) => before(a, b, order) || compareText(a.pool.name, b.pool.name)),
  );
}

const SUITING: WeakTable<Engine, Site, readonly EngineFit[]> = new WeakMap();

/** Whether an engine prefers one pool over another. Two unknown prices are equal. */
function before(a: EngineFit, b: EngineFit, order: Demand['poolOrder']): number {
  return a[order] === b[order] ? 0 : a[order] - b[order];
}

/** Another pool on which a member that holds no device here would hold one. */
function claimsElsewhere({ pod }: Member, site: Site, matcher: Matcher): Pool | undefined {
  return site.pools.find(({ node }) => claims(matcher.fit(pod, node)));
}

function claims(fit: Fit | Misfit): boolean {
  return !('misfit' in fit) && fit.claims.length > 0;
}

function toAssignment(fits: readonly EngineFit[]): Assignment {
  const [first, second] = fits;
  if (!first || second) return joined(fits);
  let known = ALONE.get(first);
  if (!known) ALONE.set(first, (known = joined(fits)));
  return known;
}

/** The assignments of engines that are alone in their replicas, which many replicas share. */
const ALONE = new WeakMap<EngineFit, Assignment>();

function joined(fits: readonly EngineFit[]): Assignment {
  return {
    pools: fits.map(({ pool }) => pool),
    charges: fits.flatMap(({ charges }) => charges),
    price: fits.reduce((sum, { price }) => sum + price, 0),
  };
}

/** Depth first over the engines; a pool in the same state as one that failed is not tried again. */
function search(
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
    const found = search(rest, [...chosen, fit], ledger);
    if (found) return found;
    if (!used) failed.push(fit.pool);
  }
  return undefined;
}

/** Whether an engine has room on its pool beside the engines that were chosen before it. */
function hasRoom({ pool, charges }: EngineFit, chosen: readonly EngineFit[], ledger: Ledger): boolean {
  const beside = chosen.filter((other) => other.pool === pool);
  if (beside.length === 0) return ledger.hasRoom(pool, charges);
  return ledger.fits([...beside.flatMap((other) => other.charges), ...charges]);
}
