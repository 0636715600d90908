import type { Taint } from '../api/schema/taints-and-tolerations';
import { groupBy } from '../base/order';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import { findUntolerated } from '../scheduler/filters';
import { comparePlacements, groupByDeployment } from '../scheduler/placement-order';
import type { Placement, Schedule } from '../scheduler/schedule-result';
import type { Drain, Stuck } from './plan';

/** The clusters that are drained, and whether each replica that has to leave has another in its place. */
export function findDrains(
  { clusters: sites, deployments: workloads }: CompiledFleet,
  { placements, shortfalls }: Schedule,
): Drain[] {
  if (!sites.some(({ taints }) => taints.some(isDrainTaint))) return [];
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const there = groupBy(placements, ({ cluster }) => cluster);
  const missing = new Map(shortfalls.map(({ deployment, missing }) => [deployment, missing]));
  const unreplaced = new Set(
    [...groupByDeployment(placements)].flatMap(([id, own]) => lastDraining(own, missing.get(id) ?? 0)),
  );
  return sites.flatMap(({ name, taints }) => {
    const binding = taints.filter(isDrainTaint);
    const has = (workload: CompiledDeployment | undefined): boolean =>
      workload !== undefined && findUntolerated(binding, workload.demand.tolerations) !== undefined;
    const going = (there.get(name) ?? []).filter(({ deployment }) => has(byId.get(deployment)));
    if (going.length === 0) return [];
    const stuck = going.flatMap((placement): Stuck[] => {
      if (!placement.leaving) return [{ placement, why: 'paused' }];
      return unreplaced.has(placement) ? [{ placement, why: 'no-replacement' }] : [];
    });
    return [{ cluster: name, replicas: going.length, stuck }];
  });
}

/** Whether a taint of a cluster drains it. */
export function isDrainTaint({ effect }: Pick<Taint, 'effect'>): boolean {
  return effect === 'NoExecute';
}

/** Of the leaving replicas of a deployment the last, as many as it lacks: what is placed replaces the first. */
function lastDraining(own: readonly Placement[], missing: number): Placement[] {
  const leaving = own.filter((placement) => placement.leaving).sort(comparePlacements);
  return leaving.slice(Math.max(0, leaving.length - missing));
}
