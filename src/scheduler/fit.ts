import { compareText } from '../order';
import type { Charge, Ledger } from './ledger';
import type { Fit, Matcher } from './matcher';
import type { Demand, Engine, Member, Pool, Site } from './model';
import type { Misfit } from './types';

/** Where each engine of a replica goes on one cluster, in the order of the engines. */
export interface Assignment {
  readonly pools: readonly Pool[];
  readonly charges: readonly Charge[];
}

/** How an engine fits on the nodes of a pool, whatever else is there. */
export interface EngineFit {
  readonly pool: Pool;
  readonly charges: readonly Charge[];
  /** Memory in bytes of the devices that the engine takes. */
  readonly memory: number;
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
  const choices = demand.engines.map((engine) => poolsFor(engine, site, matcher));
  return search(choices, [], ledger);
}

/** The assignment to the pools that a replica had, or the first engine that these do not suit any more. */
export function fitOn(
  demand: Demand,
  pools: readonly Pool[],
  site: Site,
  matcher: Matcher,
): Assignment | EngineMisfit {
  const charges: Charge[] = [];
  for (const [e, engine] of demand.engines.entries()) {
    const pool = pools[e];
    const fit = pool && engineFit(engine, pool, site, matcher);
    if (!fit) continue;
    if ('misfit' in fit) return { engine: engine.name, pool, misfit: fit };
    charges.push(...fit.charges);
  }
  return { pools, charges };
}

export interface EngineMisfit {
  readonly engine: string;
  readonly pool: Pool;
  readonly misfit: Misfit;
}

/** How all members of an engine fit on one pool, or why one of them does not. */
export function engineFit(engine: Engine, pool: Pool, site: Site, matcher: Matcher): EngineFit | Misfit {
  const charges: Charge[] = [];
  let memory = 0;
  for (const member of engine.members) {
    const fit = member.pod && matcher.fit(member.pod, pool.node);
    if (!fit) continue;
    if ('misfit' in fit) return fit;
    if (fit.claims.length > 0) charges.push(charge(engine, pool, member, fit));
    const elsewhere = fit.claims.length === 0 && claimsElsewhere(member, site, matcher);
    if (elsewhere) return { misfit: 'claims-elsewhere', role: member.role, pool: elsewhere.name };
    memory += fit.memory * member.pods;
  }
  return charges.length > 0 ? { pool, charges, memory } : { misfit: 'claims-nothing' };
}

function charge(engine: Engine, pool: Pool, { pods }: Member, { need, claims }: Fit): Charge {
  const perPod = Object.fromEntries(claims.map(({ request, count }) => [request, count]));
  return { pool, need, pods, engine: engine.name, perPod };
}

/** The pools of a cluster whose nodes suit an engine, the preferred first. */
function poolsFor(engine: Engine, site: Site, matcher: Matcher): EngineFit[] {
  return site.pools
    .map((pool) => engineFit(engine, pool, site, matcher))
    .filter((fit): fit is EngineFit => !('misfit' in fit))
    .sort((a, b) => a.memory - b.memory || compareText(a.pool.name, b.pool.name));
}

/** Another pool on which a member that holds no device here would hold one. */
function claimsElsewhere({ pod }: Member, site: Site, matcher: Matcher): Pool | undefined {
  return pod && site.pools.find(({ node }) => claims(matcher.fit(pod, node)));
}

function claims(fit: Fit | Misfit): boolean {
  return !('misfit' in fit) && fit.claims.length > 0;
}

/** Depth first over the engines; a pool in the same state as one that failed is not tried again. */
function search(
  choices: readonly (readonly EngineFit[])[],
  chosen: readonly EngineFit[],
  ledger: Ledger,
): Assignment | undefined {
  const charges = chosen.flatMap((fit) => fit.charges);
  const [fits, ...rest] = choices;
  if (!fits) return { pools: chosen.map(({ pool }) => pool), charges };

  const used = new Set(chosen.map(({ pool }) => pool));
  const failed: Pool[] = [];
  for (const fit of fits) {
    if (failed.some((pool) => !used.has(fit.pool) && ledger.sameState(pool, fit.pool))) continue;
    const found = ledger.fits([...charges, ...fit.charges])
      ? search(rest, [...chosen, fit], ledger)
      : undefined;
    if (found) return found;
    if (!used.has(fit.pool)) failed.push(fit.pool);
  }
  return undefined;
}
