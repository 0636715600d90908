import { groupBy } from '../order';
import { rejectPlaced } from './filters';
import { type Assignment, fitOn } from './fit';
import { byIdentity } from './identity';
import type { Pool, Site, Workload } from './model';
import { shortage } from './shortage';
import type { State } from './state';
import type { EvictionReason, Placement } from './types';

/**
 * Keeps every previous placement that still holds, deployments of higher priority first.
 *
 * One that has to leave its cluster (a taint, a changed cluster selector) stays as leaving, charged and serving,
 * until its replacement does. One whose deployment, cluster or pool is gone, or that has no room, is evicted.
 */
export function retain(state: State, previous: readonly Placement[]): void {
  const lines = groupBy([...previous].sort(byIdentity), ({ deployment }) => deployment);
  const declared = new Set(state.model.workloads.map(({ id }) => id));
  for (const placement of previous) {
    if (!declared.has(placement.deployment)) state.evict(placement, { kind: 'deployment-gone' });
  }
  const ordered = state.model.workloads.flatMap((workload) =>
    (lines.get(workload.id) ?? []).map((placement) => ({
      workload,
      line: judge(state, workload, placement),
    })),
  );
  // What stays is charged before what leaves, so that a leaving replica never takes the place of one that counts.
  for (const { workload, line } of ordered) if (!line.leaves) settle(state, workload, line);
  for (const { workload, line } of ordered) if (line.leaves) settle(state, workload, line);
}

/** A line of the lock, judged without regard to what else is placed. */
interface Line {
  readonly placement: Placement;
  /** Where it is, or why it cannot be there. */
  readonly verdict: Assignment | EvictionReason;
  /** Why it has to leave, though it could serve on. */
  readonly leaves?: EvictionReason | 'was-leaving';
}

function judge(state: State, workload: Workload, placement: Placement): Line {
  const site = state.sites.get(placement.cluster);
  if (!site) return { placement, verdict: { kind: 'cluster-gone' } };
  const verdict = whereItIs(state, workload, site, placement);
  if ('kind' in verdict) return { placement, verdict };
  const reason = rejectPlaced(workload.demand, site);
  if (reason) {
    return { placement, verdict, leaves: { kind: 'rejected', rejection: { cluster: site.name, reason } } };
  }
  return placement.leaving ? { placement, verdict, leaves: 'was-leaving' } : { placement, verdict };
}

function whereItIs(
  state: State,
  workload: Workload,
  site: Site,
  placement: Placement,
): Assignment | EvictionReason {
  if (placement.shape !== workload.shape) return { kind: 'shape' };
  const pools: Pool[] = [];
  for (const { name } of workload.demand.engines) {
    const pool = site.pools.find((pool) => pool.name === placement.pools[name]);
    if (!pool) return { kind: 'pool-gone', pool: placement.pools[name] ?? '' };
    pools.push(pool);
  }
  const fit = fitOn(workload.demand, pools, site, state.matcher);
  if (!('misfit' in fit)) return fit;
  const { engine, pool, misfit } = fit;
  return {
    kind: 'rejected',
    rejection: { cluster: site.name, pool: pool.name, reason: { filter: 'devices', engine, ...misfit } },
  };
}

/** Charges a line to the ledger where it has room, and evicts it otherwise. */
function settle(state: State, workload: Workload, { placement, verdict, leaves }: Line): void {
  if ('kind' in verdict) {
    state.evict(placement, verdict);
  } else if (!state.ledger.fits(verdict.charges)) {
    state.evict(placement, overfilled(state, placement, verdict));
  } else {
    const { leaving: _, ...line } = placement;
    const returns = leaves === 'was-leaving' && state.missing(workload) > 0;
    const stays = leaves === undefined || returns;
    state.place(stays ? line : { ...line, leaving: true }, verdict);
    if (typeof leaves === 'object' && !placement.leaving) state.evict(placement, leaves);
  }
}

/** A pool that declarations or a merge of locks have promised more than it has. */
function overfilled(state: State, { cluster }: Placement, { charges }: Assignment): EvictionReason {
  const full = charges.filter(({ pool }) => state.ledger.missingNodes(pool, charges) > 0);
  const reason = shortage(state.ledger, full);
  return { kind: 'rejected', rejection: { cluster, ...(full[0] && { pool: full[0].pool.name }), reason } };
}
