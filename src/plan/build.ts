import { compareText, groupBy } from '../order';
import type { Lock } from '../scheduler/lock';
import type { Model, Workload } from '../scheduler/model';
import type { Eviction, Placement, Schedule, Shortfall } from '../scheduler/types';
import { wavesOf } from '../scheduler/waves';
import { type Moves, pairMoves } from './moves';
import type { Change, DeploymentPlan, FleetSize, PlacedReplica, ShortfallPlan, Totals } from './plan';
import type { UsageAt } from './usages';

/** What a schedule changes against the lock, deployment by deployment. */
export function changesOf(model: Model, usageAt: UsageAt, lock: Lock, schedule: Schedule): DeploymentPlan[] {
  const placements = groupBy(schedule.placements, ({ deployment }) => deployment);
  const evictions = groupBy(schedule.evictions, ({ placement }) => placement.deployment);
  const shortfalls = new Map(schedule.shortfalls.map((shortfall) => [shortfall.deployment, shortfall]));
  const previous = groupBy(lock.placements, ({ deployment }) => deployment);
  const workloads = new Map(model.workloads.map((workload) => [workload.id, workload]));
  const ids = new Set([...workloads.keys(), ...evictions.keys()]);
  const waves = wavesOf(schedule.placements, model.workloads);
  const placed = (placement: Placement): PlacedReplica => {
    return { placement, wave: waves.get(placement)?.fleet ?? 1, usage: usageAt(placement) };
  };

  return [...ids].sort(compareText).map((id) => {
    const workload = workloads.get(id);
    const moves = pairMoves(previous.get(id) ?? [], placements.get(id) ?? [], evictions.get(id) ?? []);
    const shortfall = workload && shortfallOf(workload, shortfalls.get(id), lock.unplaced.get(id) ?? 0);
    return {
      deployment: id,
      replicas: workload?.replicas ?? 0,
      engines: workload?.demand.engines.length ?? 0,
      changes: toChanges(moves, placed),
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
  const changes = deployments.flatMap((deployment) => deployment.changes);
  const count = (action: Change['action']): number =>
    changes.filter((change) => change.action === action).length;
  const missing = (accepted: boolean): number =>
    deployments.reduce(
      (sum, { shortfall }) => sum + (shortfall?.accepted === accepted ? shortfall.missing : 0),
      0,
    );
  return {
    place: count('place'),
    move: count('move'),
    remove: count('remove'),
    keep: count('keep'),
    leaving:
      count('leaving') + changes.filter((change) => change.action === 'move' && change.surgeFirst).length,
    unplaced: missing(false),
    accepted: missing(true),
  };
}

function toChanges(
  { kept, placed, moved, removed, leaving }: Moves,
  usage: (p: Placement) => PlacedReplica,
): Change[] {
  return [
    ...kept.map((placement): Change => ({ action: 'keep', replica: usage(placement) })),
    ...placed.map((placement): Change => ({ action: 'place', replica: usage(placement) })),
    ...moved.map(({ from, to, reason, surgeFirst }): Change => {
      return { action: 'move', replica: usage(to), from, reason, surgeFirst };
    }),
    ...removed.map(
      ({ placement, reason }: Eviction): Change => ({ action: 'remove', from: placement, reason }),
    ),
    ...leaving.map((placement): Change => ({ action: 'leaving', replica: usage(placement) })),
  ];
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
