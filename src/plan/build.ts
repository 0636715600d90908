import { compareText, groupBy } from '../order';
import { linesOf } from '../scheduler/lines';
import type { Lock } from '../scheduler/lock';
import type { Model, Workload } from '../scheduler/model';
import type { Eviction, Placement, Schedule, Shortfall } from '../scheduler/types';
import { type Moves, pairMoves } from './moves';
import type { Change, DeploymentPlan, FleetSize, PlacedReplica, ShortfallPlan, Totals } from './plan';

/**
 * What a schedule changes against the lock, deployment by deployment.
 *
 * @param placed the replicas that the schedule places, in its order
 */
export function changesOf(
  model: Model,
  placed: readonly PlacedReplica[],
  lock: Lock,
  schedule: Schedule,
): DeploymentPlan[] {
  const replicas = groupBy(placed, ({ placement }) => placement.deployment);
  const placements = linesOf(schedule.placements);
  const evictions = groupBy(schedule.evictions, ({ placement }) => placement.deployment);
  const shortfalls = new Map(schedule.shortfalls.map((shortfall) => [shortfall.deployment, shortfall]));
  const previous = linesOf(lock.placements);
  const workloads = new Map(model.workloads.map((workload) => [workload.id, workload]));
  const ids = new Set([...workloads.keys(), ...evictions.keys()]);

  return [...ids].sort(compareText).map((id) => {
    const workload = workloads.get(id);
    const moves = pairMoves(previous.get(id) ?? [], placements.get(id) ?? [], evictions.get(id) ?? []);
    const shortfall = workload && shortfallOf(workload, shortfalls.get(id), lock.unplaced.get(id) ?? 0);
    return {
      deployment: id,
      replicas: workload?.replicas ?? 0,
      engines: workload?.demand.engines.length ?? 0,
      ...happening(moves, replicas.get(id) ?? []),
      ...(shortfall && { shortfall }),
    };
  });
}

/** The size of a fleet. */
export function sizeOf({ sites, workloads }: Model): FleetSize {
  return {
    clusters: sites.length,
    pools: sites.reduce((sum, { pools }) => sum + pools.length, 0),
    deployments: workloads.length,
    replicas: workloads.reduce((sum, { replicas }) => sum + replicas, 0),
  };
}

/** How much a plan changes. */
export function totalsOf(deployments: readonly DeploymentPlan[]): Totals {
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

function happening(
  { kept, placed, moved, removed, leaving }: Moves,
  replicas: readonly PlacedReplica[],
): Pick<DeploymentPlan, 'staying' | 'changes'> {
  // Most deployments stay as they are.
  if (kept.length === replicas.length && removed.length === 0) return { staying: replicas, changes: [] };
  const byLine = new Map(replicas.map((replica) => [replica.placement, replica]));
  const at = (lines: readonly Placement[]): PlacedReplica[] =>
    lines.flatMap((line) => byLine.get(line) ?? []);
  const of = (action: 'place' | 'leaving', lines: readonly Placement[]): Change[] =>
    at(lines).map((replica) => ({ action, replica }));
  const changes = [
    ...of('place', placed),
    ...moved.flatMap(({ from, to, reason, surgeFirst }): Change[] => {
      const replica = byLine.get(to);
      return replica ? [{ action: 'move', replica, from, reason, surgeFirst }] : [];
    }),
    ...removed.map(
      ({ placement, reason }: Eviction): Change => ({ action: 'remove', from: placement, reason }),
    ),
    ...of('leaving', leaving),
  ];
  return { staying: at(kept), changes };
}

function shortfallOf(
  workload: Workload,
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
