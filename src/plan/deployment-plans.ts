import { compareText, groupBy } from '../base/order';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { Lock } from '../scheduler/lock/lock';
import { groupByDeployment } from '../scheduler/placement-order';
import type { Wave } from '../scheduler/rollout-waves';
import type { Placement, Schedule, Shortfall } from '../scheduler/schedule-result';
import type { Change, DeploymentPlan, FleetSize, PlacedReplica, ShortfallPlan, Totals } from './plan';
import { areUnchanged, identity, type ReplicaChange, replicaChangesOf } from './replica-moves';
import type { UsageLookup } from './replica-usage';

/**
 * What a schedule changes against the lock, deployment by deployment.
 *
 * @param placed the replicas that the schedule places, in its order
 */
export function planDeployments(
  model: CompiledFleet,
  placed: readonly PlacedReplica[],
  lock: Lock,
  schedule: Schedule,
): DeploymentPlan[] {
  const replicas = groupBy(placed, ({ placement }) => placement.deployment);
  const placements = groupByDeployment(schedule.placements);
  const evictions = groupBy(schedule.evictions, ({ placement }) => placement.deployment);
  const shortfalls = new Map(schedule.shortfalls.map((shortfall) => [shortfall.deployment, shortfall]));
  const previous = groupByDeployment(lock.placements);
  const workloads = new Map(model.deployments.map((workload) => [workload.id, workload]));
  const ids = new Set([...workloads.keys(), ...evictions.keys()]);

  return [...ids].sort(compareText).map((id) => {
    const workload = workloads.get(id);
    const own = replicas.get(id) ?? [];
    const [was, is, gone] = [previous.get(id) ?? [], placements.get(id) ?? [], evictions.get(id) ?? []];
    // Most deployments stay as they are.
    const stays = gone.length === 0 && areUnchanged(was, is);
    const shortfall = workload && toShortfallPlan(workload, shortfalls.get(id), lock.unplaced.get(id) ?? 0);
    return {
      deployment: id,
      replicas: workload?.replicas ?? 0,
      engines: workload?.demand.engines.length ?? 0,
      ...(stays ? { staying: own, changes: [] } : toReplicaChanges(replicaChangesOf(was, is, gone), own)),
      ...(shortfall && { shortfall }),
    };
  });
}

/** The size of a fleet. */
export function fleetSizeOf({ clusters: sites, deployments: workloads }: CompiledFleet): FleetSize {
  return {
    clusters: sites.length,
    pools: sites.reduce((sum, { pools }) => sum + pools.length, 0),
    deployments: workloads.length,
    replicas: workloads.reduce((sum, { replicas }) => sum + replicas, 0),
  };
}

/** How much a plan changes. */
export function countTotals(deployments: readonly DeploymentPlan[]): Totals {
  const totals = { place: 0, move: 0, remove: 0, keep: 0, leaving: 0, unplaced: 0, accepted: 0 };
  for (const { staying = [], changes, shortfall } of deployments) {
    totals.keep += staying.length;
    for (const change of changes) {
      totals[change.action] += 1;
      if (change.action === 'move' && change.surgeFirst) totals.leaving += 1;
    }
    if (shortfall) totals[shortfall.accepted ? 'accepted' : 'unplaced'] += shortfall.missing;
  }
  return totals;
}

/** Changes as a plan shows them, with what each replica takes. */
function toReplicaChanges(
  all: readonly ReplicaChange<Placement>[],
  replicas: readonly PlacedReplica[],
): Pick<DeploymentPlan, 'staying' | 'changes'> {
  const byPlace = new Map(replicas.map((replica) => [identity(replica.placement), replica]));
  const staying = all.flatMap((one) => (one.action === 'keep' ? (byPlace.get(identity(one)) ?? []) : []));
  const changes = all.flatMap((one): Change[] => {
    const { action, from, reason, surgeFirst } = one;
    if (action === 'remove') return from && reason ? [{ action, from, reason }] : [];
    const replica = byPlace.get(identity(one));
    if (!replica) return [];
    if (action === 'place' || action === 'leaving') return [{ action, replica }];
    const isMove = action === 'move' && from && reason && surgeFirst !== undefined;
    return isMove ? [{ action, replica, from, reason, surgeFirst }] : [];
  });
  return { staying, changes };
}

function toShortfallPlan(
  workload: CompiledDeployment,
  shortfall: Shortfall | undefined,
  accepted: number,
): ShortfallPlan | undefined {
  if (!shortfall) return undefined;
  const { missing, rejections, remedies } = shortfall;
  return {
    missing,
    accepted: workload.allowPartial || missing <= accepted,
    rejections,
    remedies,
  };
}

/**
 * Deployments to which something happens, and those that have replicas without a place. Replicas that stay are left out:
 * the lock has them.
 */
export function listChangedDeployments(deployments: readonly DeploymentPlan[]): DeploymentPlan[] {
  return deployments.filter(isChangedDeployment).map((one) => {
    const { staying: _, ...rest } = one;
    return rest;
  });
}

/** Whether something happens to a deployment, or it lacks a place. */
export function isChangedDeployment({ changes, shortfall }: DeploymentPlan): boolean {
  return changes.length > 0 || shortfall !== undefined;
}

/** The replicas that a schedule places with what each takes, in its order. The plan and its cost show the same. */
export function toPlacedReplicas(
  { placements }: Pick<Schedule, 'placements'>,
  waveOf: (placement: Placement, place: number) => Wave | undefined,
  usageAt: UsageLookup,
): PlacedReplica[] {
  return placements.map((placement, i) => {
    return { placement, wave: waveOf(placement, i)?.fleet ?? 1, usage: usageAt(placement) };
  });
}

/** The replicas that a deployment has after a plan: those that stay first. */
export function listReplicasAfter({ staying = [], changes }: DeploymentPlan): PlacedReplica[] {
  return [...staying, ...changes.flatMap((change) => ('replica' in change ? [change.replica] : []))];
}
