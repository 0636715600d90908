import type { CompiledDeployment } from './compiled-fleet';
import { findLoss } from './lost-clusters';
import { selectLastDraining } from './placement';
import type { AssignedReplica } from './retained-replicas';
import type { EvictionReason } from './schedule-result';
import type { SchedulingState } from './scheduling-state';

/**
 * Drops the replicas of lost clusters that others replace. They serve no one, so that they do not wait for
 * `lock --finalize`. As many as have no place elsewhere stay, and serve again when their cluster is back.
 */
export function dropReplacedLost(state: SchedulingState): void {
  for (const deployment of state.unsettled()) {
    if (!deployment.paused) state.dropAll(listReplaced(state, deployment));
  }
}

function listReplaced(
  state: SchedulingState,
  deployment: CompiledDeployment,
): { readonly placed: AssignedReplica; readonly reason: EvictionReason }[] {
  const lost = state.draining(deployment).filter(({ placement }) => placement.lost);
  const placements = lost.map(({ placement }) => placement);
  const kept = new Set(selectLastDraining(placements, state.missing(deployment)));
  return lost.flatMap((placed) => {
    const cluster = state.clusters.get(placed.placement.cluster);
    const rejection = cluster && findLoss(cluster);
    return kept.has(placed.placement) || !rejection ? [] : [{ placed, reason: { kind: 'rejected', rejection } }];
  });
}
