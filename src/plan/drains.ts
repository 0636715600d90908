import type { Taint } from '../api/shared/taint';
import { groupBy } from '../order';
import { byIdentity } from '../scheduler/identity';
import { linesOf } from '../scheduler/lines';
import type { Model, Workload } from '../scheduler/model';
import { untolerated } from '../scheduler/tolerate';
import type { Placement, Schedule } from '../scheduler/types';
import type { Drain, Stuck } from './plan';

/** The clusters that are drained, and whether each replica that has to leave has another in its place. */
export function drainsOf({ sites, workloads }: Model, { placements, shortfalls }: Schedule): Drain[] {
  if (!sites.some(({ taints }) => taints.some(isDrain))) return [];
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  const there = groupBy(placements, ({ cluster }) => cluster);
  const missing = new Map(shortfalls.map(({ deployment, missing }) => [deployment, missing]));
  const unreplaced = new Set(
    [...linesOf(placements)].flatMap(([id, own]) => lastLeaving(own, missing.get(id) ?? 0)),
  );
  return sites.flatMap(({ name, taints }) => {
    const binding = taints.filter(isDrain);
    const has = (workload: Workload | undefined): boolean =>
      workload !== undefined && untolerated(binding, workload.demand.tolerations) !== undefined;
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
export function isDrain({ effect }: Pick<Taint, 'effect'>): boolean {
  return effect === 'NoExecute';
}

/** Of the leaving replicas of a deployment the last, as many as it lacks: what is placed replaces the first. */
function lastLeaving(own: readonly Placement[], missing: number): Placement[] {
  const leaving = own.filter((placement) => placement.leaving).sort(byIdentity);
  return leaving.slice(Math.max(0, leaving.length - missing));
}
