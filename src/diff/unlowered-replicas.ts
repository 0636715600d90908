import type { ModelDeployment } from '../api/model-deployment';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { ReplicaChange } from '../plan/replica-moves';
import { haveSamePools, type Placement, placementKeyOf } from '../scheduler/placement';
import { scheduleState } from '../scheduler/schedule';
import type { SchedulingState } from '../scheduler/scheduling-state';
import type { ShortDeployment } from './added-replicas';
import { type LowestServing, lowestOf, neededOf } from './serving-during-change';
import { countSupposedServing } from './supposed-serving';

/** The number of replicas of before, which a change lowers although it also restarts them. */
export interface UnloweredReplicas extends LowestServing {
  /** The number to leave. */
  readonly replicas: number;

  /** The fewest replicas that have to serve: `minAvailable`, or 1. */
  readonly needed: number;
}

interface Transition {
  readonly before: PlacedFleet;

  /** The later declarations decided from the earlier lock. */
  readonly planned: PlacedFleet;
}

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

/**
 * Adds to deployments of which too few replicas serve how many do if the change leaves their number. Nothing is added
 * where another deployment gets another place then.
 */
export function addUnlowered<T extends ShortDeployment>(
  all: readonly T[],
  { before, planned }: Transition,
): readonly (T & { readonly unlowered?: UnloweredReplicas })[] {
  const declared = indexDeploymentsById(planned.fleet.deployments);
  const lines = before.schedule.placements;
  const missing = planned.schedule.shortfalls.reduce((sum, one) => sum + one.missing, 0);
  let left = TRIED_REPLICAS;
  return all.map((diff) => {
    const id = diff.deployment;
    const deployment = declared.get(id);
    const replicas = before.model.deployments.find((one) => one.id === id)?.replicas ?? 0;
    if (!deployment || !isLowered(diff, deployment)) return diff;
    left -= lines.length + planned.schedule.placements.length;
    if (left < 0) return diff;
    const deployments = planned.model.deployments.map((one) => (one.id === id ? { ...one, replicas } : one));
    const state = scheduleState({ ...planned.model, deployments }, lines, planned.matcher);
    const lacking = deployments.reduce((sum, one) => sum + state.missing(one), 0);
    if (lacking > missing || !keepsPlaces(state, { id, lines, planned })) return diff;
    const lowest = countSupposedServing(
      { before: lines, state },
      { deployment, changes: restartRemoved(diff.changes), isLocal: diff.serving.emptied !== undefined },
    );
    const { withWaves, perCluster, atOnce } = lowest;
    const needed = neededOf(deployment.spec);
    if (Math.max(withWaves, perCluster, atOnce) < needed) return diff;
    return { ...diff, unlowered: { replicas, needed, ...lowestOf(lowest) } };
  });
}

/** Whether replicas are removed while others stop where they are. */
function isLowered({ changes, serving }: ShortDeployment, { spec }: ModelDeployment): boolean {
  const { before, after, perCluster, recreate } = serving;
  if (perCluster >= neededOf(spec) || recreate || after === 0 || before <= after) return false;
  const isOther = changes.some(({ reason, nodes, finalized, misplaced }) => {
    return reason?.kind === 'shape' || nodes !== undefined || finalized === true || misplaced === true;
  });
  const isStopped = changes.some(({ action, down }) => action === 'roll' && down === true);
  return isStopped && !isOther && changes.some(({ action }) => action === 'remove');
}

/** The changes as they are where no replica is removed: one that would be restarts too, in a wave of its own. */
function restartRemoved(changes: readonly ReplicaChange[]): ReplicaChange[] {
  let wave = Math.max(0, ...changes.map((one) => one.wave ?? 0));
  return changes.map((one) => {
    return one.action === 'remove' ? { ...one, action: 'roll' as const, down: true, wave: ++wave } : one;
  });
}

/** Whether all replicas of the deployment stay where they are, and those of others where the change leaves or brings them. */
function keepsPlaces(
  state: SchedulingState,
  { id, lines, planned }: { id: string; lines: readonly Placement[]; planned: PlacedFleet },
): boolean {
  const found = new Map(state.placements().map((one) => [placementKeyOf(one), one]));
  const wanted = [
    ...lines.filter((one) => one.deployment === id && !one.draining),
    ...planned.schedule.placements.filter((one) => one.deployment !== id),
  ];
  return wanted.every((one) => haveSamePools(found.get(placementKeyOf(one))?.pools ?? {}, one.pools));
}
