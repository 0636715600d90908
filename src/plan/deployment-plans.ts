import { compareText, groupBy } from '../base/order';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { Lock } from '../scheduler/lock/lock';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import type { Wave } from '../scheduler/rollout-waves';
import type { Schedule, Shortfall } from '../scheduler/schedule-result';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import { type HeldDeployments, isImpossible } from './held-deployments';
import type { Change, DeploymentPlan, FleetSize, PlacedReplica, ShortfallPlan, Totals } from './plan';
import { areUnchanged, isEvicted, locationKeyOf, type ReplicaChange, replicaChangesOf } from './replica-moves';
import type { UsageLookup } from './replica-usage';

/** Plans the changes from the lock to a schedule, by deployment. `placed` has the order of the schedule. */
export function planDeployments(
  model: CompiledFleet,
  placed: readonly PlacedReplica[],
  lock: Lock,
  schedule: Schedule & { readonly held?: HeldDeployments },
): DeploymentPlan[] {
  const { held } = schedule;
  const unknown = new Set(held?.unknown.map(({ deployment }) => deployment));
  const replicas = groupBy(placed, ({ placement }) => placement.deployment);
  const placements = groupByDeployment(schedule.placements);
  const evictions = groupBy(schedule.evictions, ({ placement }) => placement.deployment);
  const shortfalls = new Map(schedule.shortfalls.map((shortfall) => [shortfall.deployment, shortfall]));
  const unreplaced = new Set(listUnreplaced(schedule));
  const previous = groupByDeployment(lock.placements);
  const deployments = new Map(model.deployments.map((deployment) => [deployment.id, deployment]));
  const ids = new Set([...deployments.keys(), ...evictions.keys()]);

  const shown = [...ids].filter((id) => !unknown.has(id));
  return shown.sort(compareText).map((id) => {
    const deployment = deployments.get(id);
    const placedReplicas = replicas.get(id) ?? [];
    const [was, is, evicted] = [previous.get(id) ?? [], placements.get(id) ?? [], evictions.get(id) ?? []];
    // Most deployments do not change, so their replicas are not compared one by one.
    const stays = evicted.length === 0 && areUnchanged(was, is);
    const changed = stays
      ? { staying: placedReplicas, changes: [] }
      : toReplicaChanges(replicaChangesOf(was, is, evicted), placedReplicas, unreplaced);
    const accepted = { before: lock.unplaced.get(id) ?? 0, stops: changed.changes.some(isEvicted) };
    const shortfall = deployment && toShortfallPlan(deployment, shortfalls.get(id), accepted);
    return {
      deployment: id,
      replicas: deployment?.replicas ?? 0,
      engines: deployment?.demand.engines.length ?? 0,
      ...changed,
      ...(shortfall && { shortfall }),
    };
  });
}

/** Counts the clusters, pools, deployments and replicas of a fleet. */
export function fleetSizeOf({ clusters, deployments }: CompiledFleet): FleetSize {
  return {
    clusters: clusters.length,
    pools: clusters.reduce((sum, { pools }) => sum + pools.length, 0),
    deployments: deployments.length,
    replicas: deployments.reduce((sum, { replicas }) => sum + replicas, 0),
  };
}

/** Counts the replicas of all deployments by what happens to them. */
export function countTotals(deployments: readonly DeploymentPlan[]): Totals {
  const totals = {
    place: 0,
    move: 0,
    remove: 0,
    keep: 0,
    draining: 0,
    unreplaced: 0,
    lost: 0,
    unplaced: 0,
    accepted: 0,
  };
  for (const { staying = [], changes, shortfall } of deployments) {
    totals.keep += staying.length;
    for (const change of changes) {
      totals[change.action === 'draining' && change.unreplaced ? 'unreplaced' : change.action] += 1;
      if (change.action === 'move' && change.surgeFirst) totals.draining += 1;
    }
    if (shortfall) totals[shortfall.accepted ? 'accepted' : 'unplaced'] += shortfall.missing;
  }
  return totals;
}

/** Converts replica changes to the form of a plan, with the usage of each replica. */
function toReplicaChanges(
  all: readonly ReplicaChange<Placement>[],
  replicas: readonly PlacedReplica[],
  unreplaced: ReadonlySet<Placement>,
): Pick<DeploymentPlan, 'staying' | 'changes'> {
  const byPlace = new Map(replicas.map((replica) => [locationKeyOf(replica.placement), replica]));
  const staying = all.flatMap((one) => (one.action === 'keep' ? (byPlace.get(locationKeyOf(one)) ?? []) : []));
  const changes = all.flatMap((one): Change[] => {
    const { action, from, reason, surgeFirst } = one;
    if (action === 'remove') return from && reason ? [{ action, from, reason }] : [];
    const replica = byPlace.get(locationKeyOf(one));
    if (!replica) return [];
    if (action === 'place' || action === 'lost') return [{ action, replica }];
    if (action === 'draining')
      return [{ action, replica, ...(unreplaced.has(replica.placement) && { unreplaced: true }) }];
    const isMove = action === 'move' && from && reason && surgeFirst !== undefined;
    return isMove ? [{ action, replica, from, reason, surgeFirst }] : [];
  });
  return { staying, changes };
}

/** What the lock accepts of a shortfall. A rebalance makes new replicas wait, and stops none that serves. */
interface AcceptedShortfall {
  readonly before: number;

  /** Whether replicas of the lock stop without another place. */
  readonly stops: boolean;
}

function toShortfallPlan(
  deployment: CompiledDeployment,
  shortfall: Shortfall | undefined,
  { before, stops }: AcceptedShortfall,
): ShortfallPlan | undefined {
  if (!shortfall) return undefined;
  const { missing, waiting = 0, rejections, remedies } = shortfall;
  const impossible = isImpossible(shortfall) && { impossible: true as const };
  const isAccepted = deployment.allowPartial || missing <= Math.max(stops ? 0 : waiting, before);
  return { missing, accepted: isAccepted, rejections, remedies, ...impossible, ...(waiting > 0 && { waiting }) };
}

/** Lists the changed deployments, without replicas that stay, which the lock contains. */
export function listChangedDeployments(deployments: readonly DeploymentPlan[]): DeploymentPlan[] {
  return deployments.filter(isChangedDeployment).map((one) => {
    const { staying: _, ...rest } = one;
    return rest;
  });
}

/** Whether a deployment changes or has replicas without a place. */
export function isChangedDeployment({ changes, shortfall }: DeploymentPlan): boolean {
  return changes.length > 0 || shortfall !== undefined;
}

/** Adds wave and usage to the placements of a schedule, in its order. The plan and its cost share the result. */
export function toPlacedReplicas(
  { placements }: Pick<Schedule, 'placements'>,
  waveOf: (placement: Placement, place: number) => Wave | undefined,
  usageAt: UsageLookup,
): PlacedReplica[] {
  return placements.map((placement, i) => {
    return { placement, wave: waveOf(placement, i)?.fleet ?? 1, usage: usageAt(placement) };
  });
}

/** Lists the replicas that a deployment has after a plan, with those that stay first. */
export function listReplicasAfter({ staying = [], changes }: DeploymentPlan): PlacedReplica[] {
  return [...staying, ...changes.flatMap((change) => ('replica' in change ? [change.replica] : []))];
}
