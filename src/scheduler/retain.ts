import { groupBy } from '../order';
import { demandOf } from './demand-of';
import { rejectPlaced } from './filters';
import { type Assignment, fitOn } from './fit';
import { linesOf, sortedLines } from './lines';
import type { Demand, Pool, Site, Workload } from './model';
import { relieve } from './relieve';
import { scaleDown } from './scale-down';
import type { Placed, State } from './state';
import type { EvictionReason, Placement } from './types';

/**
 * Keeps every previous placement that still holds and is still wanted, deployments of higher priority first.
 *
 * One that has to leave its cluster (a taint, a changed cluster selector) or runs earlier engines stays as leaving,
 * charged and serving as what it is, until its replacement does. One whose deployment, cluster or pool is gone, that
 * has no room, or of which nobody knows what it is made of, is evicted.
 */
export function retain(state: State, previous: readonly Placement[]): void {
  const lines = linesOf(sortedLines(previous));
  const { workloads } = state.model;
  evictGone(state, lines);
  const leaving: Leaving[] = [];
  for (const workload of workloads) {
    for (const placement of lines.get(workload.id) ?? []) {
      const one = hold(state, workload, placement);
      if (one) leaving.push(one);
    }
  }
  const going = groupBy(leaving.filter(startsToLeave), ({ workload }) => workload);
  // First, since a replica that is not wanted any more may be all that is too much for a pool.
  for (const workload of workloads) {
    const starting = going.get(workload)?.map(({ placed }) => placed);
    scaleDown(state, workload, starting ?? NONE);
  }
  relieve(state);
  for (const one of leaving) settleLeaving(state, one);
}

const NONE: readonly Placed[] = [];

function evictGone(state: State, lines: ReadonlyMap<string, readonly Placement[]>): void {
  const declared = new Set(state.model.workloads.map(({ id }) => id));
  for (const [id, gone] of lines) {
    if (declared.has(id)) continue;
    for (const placement of gone) state.evict(placement, { kind: 'deployment-gone' });
  }
}

/** A previous placement that was leaving, or has to leave now. */
interface Leaving {
  readonly workload: Workload;
  readonly placed: Placed;
  /** Why it has to leave, be that new or not. */
  readonly leaves: EvictionReason | undefined;
  /** It was leaving before. */
  readonly wasLeaving: boolean;
  /** Nothing may take it away: its deployment or its cluster is paused. */
  readonly paused: boolean;
}

function startsToLeave({ leaves, wasLeaving }: Leaving): boolean {
  return leaves !== undefined && !wasLeaving;
}

/** Charges a line where it is, or evicts it when it cannot be there, whatever else is placed. Tells of it where it leaves. */
function hold(state: State, workload: Workload, placement: Placement): Leaving | undefined {
  const site = state.sites.get(placement.cluster);
  const demand = demandOf(workload, placement);
  const verdict = site ? whereItIs(state, demand, site, placement) : GONE;
  if (!site || 'kind' in verdict) {
    state.evict(placement, 'kind' in verdict ? verdict : GONE);
    return undefined;
  }
  const paused = workload.paused || site.paused;
  const leaves = paused ? undefined : reasonToLeave(workload, site, placement);
  const placed = state.place(leaves ? { ...placement, leaving: true } : placement, verdict);
  const wasLeaving = placement.leaving === true;
  return leaves || wasLeaving ? { workload, placed, paused, leaves, wasLeaving } : undefined;
}

const GONE = { kind: 'cluster-gone' } as const;

function reasonToLeave(workload: Workload, site: Site, { shape }: Placement): EvictionReason | undefined {
  const reason = rejectPlaced(workload.demand, site);
  if (reason) return { kind: 'rejected', rejection: { cluster: site.name, reason } };
  return shape === workload.shape ? undefined : { kind: 'shape' };
}

function whereItIs(
  state: State,
  demand: Demand | undefined,
  site: Site,
  placement: Placement,
): Assignment | EvictionReason {
  if (!demand) return { kind: 'shape', gap: 'unknown' };
  const pools: Pool[] = [];
  for (const { name } of demand.engines) {
    const pool = site.pools.find((pool) => pool.name === placement.pools[name]);
    if (!pool) return { kind: 'pool-gone', pool: placement.pools[name] ?? '' };
    pools.push(pool);
  }
  const fit = fitOn(demand, pools, state.matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  return {
    kind: 'rejected',
    rejection: { cluster: site.name, pool: pool.name, reason: { filter: 'devices', engine, ...misfit } },
  };
}

/** Tells why a replica starts to leave; one that left for a reason that is over counts again where a replica is missing. */
function settleLeaving(state: State, { workload, placed, paused, leaves, wasLeaving }: Leaving): void {
  if (paused || !placed.placement.leaving || !state.holds(placed)) return;
  if (leaves) {
    if (!wasLeaving) state.evict(placed.placement, leaves);
  } else if (state.missing(workload) > 0) {
    const { leaving: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}
