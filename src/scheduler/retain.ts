import { groupBy } from '../order';
import { demandOf } from './demand-of';
import { rejectPlaced } from './filters';
import { type Assignment, fitOn } from './fit';
import { linesOf, sortedLines } from './lines';
import type { Demand, Pool, Site, Workload } from './model';
import { type Charged, relieve } from './relieve';
import { scaleDown } from './scale-down';
import type { State } from './state';
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
  const declared = new Set(state.model.workloads.map(({ id }) => id));
  for (const placement of previous) {
    if (!declared.has(placement.deployment)) state.evict(placement, { kind: 'deployment-gone' });
  }
  const held: Held[] = [];
  for (const workload of state.model.workloads) {
    for (const placement of lines.get(workload.id) ?? []) {
      const one = hold(state, workload, placement);
      if (one) held.push(one);
    }
  }
  const going = groupBy(held.filter(startsToLeave), ({ workload }) => workload);
  // First, since a replica that is not wanted any more may be all that is too much for a pool.
  for (const workload of state.model.workloads) {
    scaleDown(
      state,
      workload,
      (going.get(workload) ?? []).map(({ placed }) => placed),
    );
  }
  relieve(state, held);
  for (const one of held) settleLeaving(state, one);
}

/** A previous placement, and whether it was to leave. */
interface Held extends Charged {
  /** Why it has to leave, be that new or not. */
  readonly leaves: EvictionReason | undefined;
  /** It was leaving before. */
  readonly wasLeaving: boolean;
}

function startsToLeave({ leaves, wasLeaving }: Held): boolean {
  return leaves !== undefined && !wasLeaving;
}

/** Charges a line where it is, or evicts it when it cannot be there, whatever else is placed. */
function hold(state: State, workload: Workload, placement: Placement): Held | undefined {
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
  return { workload, placed, paused, leaves, wasLeaving: placement.leaving === true };
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
function settleLeaving(state: State, { workload, placed, paused, leaves, wasLeaving }: Held): void {
  if (paused || !placed.placement.leaving || !state.holds(placed)) return;
  if (leaves) {
    if (!wasLeaving) state.evict(placed.placement, leaves);
  } else if (state.missing(workload) > 0) {
    const { leaving: _, ...placement } = placed.placement;
    state.remove(placed);
    state.place(placement, placed.assignment);
  }
}
