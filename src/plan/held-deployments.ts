import { qualifiedNameOf } from '../api/resource';
import { sortedBy } from '../base/order';
import { checkDeviceCounts } from '../fleet/checks/devices';
import type { Fleet } from '../fleet/fleet';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import { type Placement, placementKeyOf, sortPlacements } from '../scheduler/placement';
import { schedule } from '../scheduler/schedule';
import type { Schedule, Shortfall } from '../scheduler/schedule-result';

/** The deployments whose replicas stay exactly as the lock has them, whatever is declared. IDs are `namespace/name`. */
export interface HeldDeployments {
  /** Held because a caller asks for it: they have errors, or the run is about others. */
  readonly requested: ReadonlySet<string>;

  /** Held because no node of any class has the devices of one of their pods. */
  readonly impossible: ReadonlySet<string>;

  /** Lines of held deployments whose replicas are not known: they are in the lock, and cannot be rendered. */
  readonly unknown: readonly Placement[];
}

interface LockLines {
  readonly placements: readonly Placement[];
  readonly held: ReadonlySet<string>;
}

interface HoldingSchedule {
  readonly result: Schedule;
  readonly held: HeldDeployments;
}

/**
 * Schedules a fleet beside the replicas of held deployments. They are charged like all others. Where their engines are
 * not known, the pools that they are on take no new replicas.
 */
export function scheduleHolding(
  fleet: Fleet,
  model: CompiledFleet,
  lock: LockLines,
  matcher: PodMatcher,
): HoldingSchedule {
  const impossible = findImpossible(fleet, lock.held);
  const names = { requested: lock.held, impossible };
  const ids = new Set([...lock.held, ...impossible]);
  if (ids.size === 0) return { result: schedule(model, lock.placements, matcher), held: { ...names, unknown: [] } };
  const frozen = pauseAll(model, ids);
  const first = schedule(frozen, lock.placements, matcher);
  const unknown = findUnknown(first, lock.placements, ids);
  const final = unknown.length > 0 ? schedule(closePools(frozen, unknown), lock.placements, matcher) : first;
  const extra = shortfallsOf(impossible, model, lock.placements, matcher);
  const shortfalls = sortedBy([...final.shortfalls, ...extra], ({ deployment }) => deployment);
  const evictions = final.evictions.filter(({ placement }) => !ids.has(placement.deployment));
  return { result: { ...final, shortfalls, evictions }, held: { ...names, unknown } };
}

/** Finds the deployments with a pod that asks for more devices than a node of any class has. */
function findImpossible(fleet: Fleet, held: ReadonlySet<string>): Set<string> {
  const ids = [...checkDeviceCounts(fleet)].map(({ at }) => qualifiedNameOf(at.resource));
  return new Set(ids.filter((id) => !held.has(id)));
}

function pauseAll(model: CompiledFleet, ids: ReadonlySet<string>): CompiledFleet {
  const deployments = model.deployments.map((one) => (ids.has(one.id) ? { ...one, paused: true } : one));
  return { ...model, deployments };
}

function findUnknown(
  { placements }: Schedule,
  lines: readonly Placement[],
  ids: ReadonlySet<string>,
): readonly Placement[] {
  const charged = new Set(placements.filter(({ deployment }) => ids.has(deployment)).map(placementKeyOf));
  return lines.filter((line) => ids.has(line.deployment) && !charged.has(placementKeyOf(line)));
}

function closePools(model: CompiledFleet, lines: readonly Placement[]): CompiledFleet {
  const keys = new Set(lines.flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => `${cluster}/${pool}`)));
  const clusters = model.clusters.map((cluster) => ({
    ...cluster,
    pools: cluster.pools.map((pool) =>
      keys.has(`${pool.cluster}/${pool.name}`) ? { ...pool, closed: true as const } : pool,
    ),
  }));
  return { ...model, clusters };
}

/** The reasons why deployments that are held as impossible have no place. */
function shortfallsOf(
  impossible: ReadonlySet<string>,
  model: CompiledFleet,
  placements: readonly Placement[],
  matcher: PodMatcher,
): readonly Shortfall[] {
  if (impossible.size === 0) return [];
  const { shortfalls } = schedule(model, placements, matcher);
  return shortfalls.filter(({ deployment }) => impossible.has(deployment));
}

/** The lock with the lines of held deployments as they were. An accepted shortfall of an impossible one is new. */
export function keepHeldLines(next: Lock, lock: Lock, { requested, impossible }: HeldDeployments): Lock {
  const isHeld = ({ deployment }: { readonly deployment: string }): boolean =>
    requested.has(deployment) || impossible.has(deployment);
  if (requested.size + impossible.size === 0) return next;
  const mix = <T extends { readonly deployment: string }>(now: readonly T[], old: readonly T[]): T[] => [
    ...now.filter((one) => !isHeld(one)),
    ...old.filter(isHeld),
  ];
  const unplaced = [
    ...[...next.unplaced].filter(([id]) => !requested.has(id)),
    ...[...lock.unplaced].filter(([id]) => requested.has(id)),
  ];
  return {
    placements: sortPlacements(mix(next.placements, lock.placements)),
    unplaced: new Map(unplaced),
    shapes: mix(next.shapes, lock.shapes),
  };
}
