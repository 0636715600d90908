import { computePlacedCost } from '../plan/plan-cost';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import { markLost, nameLostClusters } from '../scheduler/lost-clusters';
import type { FleetState } from './fleet-state';

/**
 * An earlier state in which the clusters that are lost now are lost too. The taint states what has happened already: no
 * replica stops because someone declares it.
 */
export function supposeLost(before: FleetState, now: Pick<CompiledFleet, 'clusters'>): FleetState {
  const { decision } = before;
  const { schedule } = decision;
  const placements = markLost(schedule.placements, new Set(nameLostClusters(now)));
  if (placements === schedule.placements) return before;
  const supposed = { ...decision, schedule: { ...schedule, placements } };
  return { ...before, decision: supposed, cost: computePlacedCost(supposed) };
}

/** The clusters that a change declares lost. */
export function listDeclaredLost(
  before: Pick<CompiledFleet, 'clusters'>,
  after: Pick<CompiledFleet, 'clusters'>,
): ReadonlySet<string> {
  const known = new Set(nameLostClusters(before));
  return new Set(nameLostClusters(after).filter((name) => !known.has(name)));
}
