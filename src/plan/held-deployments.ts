import type { Locate } from '../api/kinds';
import { sortedBy } from '../base/order';
import type { FaultyDeployments } from '../engine/expand/expand-faulty';
import type { Fleet } from '../fleet/fleet';
import { compileDeployments } from '../scheduler/compile/compile-deployments';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Lock } from '../scheduler/lock/lock';
import { type Placement, placementKeyOf, sortPlacements } from '../scheduler/placement';
import { type RebalanceOptions, schedule } from '../scheduler/schedule';
import type { Reason } from '../scheduler/reason';
import type { Schedule, Shortfall } from '../scheduler/schedule-result';

/** The deployments whose replicas stay exactly as the lock has them, whatever is declared. IDs are `namespace/name`. */
export interface HeldDeployments {
  /** Held because a caller asks for it: they have errors, or the run is about others. */
  readonly requested: ReadonlySet<string>;

  /** Held because they ask for something that no cluster has. */
  readonly impossible: ReadonlySet<string>;

  /** Lines of held deployments whose replicas are not known: they are in the lock, and cannot be rendered. */
  readonly unknown: readonly Placement[];

  /** Those of them whose pools are declared, but have no nodes with what the replicas ask for. Absent if there are none. */
  readonly misplaced?: readonly Placement[];
}

/** The lines of a lock, and those that stay. */
export interface LockLines {
  readonly placements: readonly Placement[];

  /** The deployments to hold. */
  readonly held: ReadonlySet<string>;

  /** Declarations of held deployments that have errors. They say what replicas take, and are not rendered. */
  readonly faulty: FaultyDeployments;

  /** The replicas of the lock that may move for replicas without a place. Default: none. */
  readonly rebalance?: RebalanceOptions | undefined;
}

/**
 * Compiles faulty declarations whose selectors compile, for what their replicas take.
 */
export function compileFaulty(fleet: Fleet, faulty: FaultyDeployments, locate: Locate): CompiledDeployment[] {
  if (faulty.deployments.length === 0) return [];
  const { deployments, problems } = compileDeployments({ ...fleet, ...faulty }, locate);
  const wrong = new Set(problems.map(({ subject }) => subject));
  return deployments.filter(({ id }) => !wrong.has(`ModelDeployment ${id}`));
}

interface HoldingSchedule {
  readonly result: Schedule;
  readonly held: HeldDeployments;
}

/**
 * Schedules a fleet next to the replicas of held deployments. They are charged like all others. Where their engines are
 * not known, the pools that they are on take no new replicas.
 */
export function scheduleHolding(
  declared: CompiledFleet,
  lock: Omit<LockLines, 'faulty'> & { readonly faulty: readonly CompiledDeployment[] },
  matcher: PodMatcher,
): HoldingSchedule {
  const { held: requested, faulty } = lock;
  const model = { ...declared, faulty };
  const asked = scheduleFrozen(model, lock, requested, matcher);
  const hopeless = findImpossible(asked.result);
  if (hopeless.length === 0)
    return { result: asked.result, held: { requested, impossible: NONE, ...unknownOf(asked) } };
  const frozen = scheduleFrozen(model, lock, new Set([...requested, ...hopeless]), matcher);
  // What has no place where it is cannot be held: its replicas are evicted.
  const gone = new Set(frozen.unknown.map(({ deployment }) => deployment));
  const impossible = new Set(hopeless.filter((id) => !gone.has(id)));
  const final =
    impossible.size === hopeless.length
      ? frozen
      : scheduleFrozen(model, lock, new Set([...requested, ...impossible]), matcher);
  const extra = asked.result.shortfalls.filter(({ deployment }) => impossible.has(deployment));
  const shortfalls = sortedBy([...final.result.shortfalls, ...extra], ({ deployment }) => deployment);
  return { result: { ...final.result, shortfalls }, held: { requested, impossible, ...unknownOf(final) } };
}

function unknownOf({ unknown, misplaced }: FrozenSchedule): Pick<HeldDeployments, 'unknown' | 'misplaced'> {
  return { unknown, ...(misplaced.length > 0 && { misplaced }) };
}

/** A schedule, with the lines of held deployments that it has not. */
interface FrozenSchedule extends Required<Pick<HeldDeployments, 'unknown' | 'misplaced'>> {
  readonly result: Schedule;
}

const NONE: ReadonlySet<string> = new Set();

/** The filters that depend on the demand of a deployment, and on no other deployment. */
const OWN_FILTERS: ReadonlySet<Reason['filter']> = new Set(['selector', 'cache', 'monitoring', 'devices', 'pools']);

/** Whether a deployment asks for something that no cluster has, so that it would have no place in an empty fleet. */
export function isImpossible({ rejections }: Pick<Shortfall, 'rejections'>): boolean {
  return rejections.length > 0 && rejections.every(({ reason }) => OWN_FILTERS.has(reason.filter));
}

/**
 * Whether no number of nodes helps: every cluster lacks what the deployment asks for, or is closed by a limit of its
 * placement, as where too few failure domains have its hardware.
 */
export function isBeyondCapacity({ rejections }: Pick<Shortfall, 'rejections'>): boolean {
  return (
    rejections.length > 0 &&
    rejections.every(({ reason }) => OWN_FILTERS.has(reason.filter) || reason.filter === 'spread')
  );
}

/** What more nodes, or nodes in use by fewer replicas, take away. */
const ROOM_FILTERS: ReadonlySet<Reason['filter']> = new Set(['capacity', 'quota', 'together']);

/** Whether room is all that a deployment lacks: every cluster that could run it is open to it, and full. */
export function lacksOnlyCapacity({ rejections }: Pick<Shortfall, 'rejections'>): boolean {
  return rejections.every(({ reason }) => ROOM_FILTERS.has(reason.filter) || OWN_FILTERS.has(reason.filter));
}

function findImpossible({ shortfalls, evictions }: Schedule): string[] {
  const gone = evictions.filter(({ reason }) => reason.kind === 'cluster-gone' || reason.kind === 'pool-gone');
  const homeless = new Set(gone.map(({ placement }) => placement.deployment));
  return shortfalls.filter((one) => isImpossible(one) && !homeless.has(one.deployment)).map((one) => one.deployment);
}

/** A fleet with further deployments, whose replicas are charged and not rendered. */
interface FleetToHold extends CompiledFleet {
  readonly faulty: readonly CompiledDeployment[];
}

/** Schedules a fleet in which the replicas of some deployments do not change. */
function scheduleFrozen(
  model: FleetToHold,
  { placements: lines, rebalance }: Pick<LockLines, 'placements' | 'rebalance'>,
  ids: ReadonlySet<string>,
  matcher: PodMatcher,
): FrozenSchedule {
  if (ids.size === 0) return { result: schedule(model, lines, matcher, rebalance), unknown: [], misplaced: [] };
  const paused = pauseAll(model, ids);
  const first = schedule(paused, lines, matcher, rebalance);
  const unknown = findUnknown(first, lines, ids);
  const final = unknown.length > 0 ? schedule(closePools(paused, unknown), lines, matcher, rebalance) : first;
  const evictions = final.evictions.filter(({ placement }) => !ids.has(placement.deployment));
  const faulty = new Set(model.faulty.map(({ id }) => id));
  const known = new Set([...faulty, ...model.deployments.map(({ id }) => id)]);
  const pools = new Set(model.clusters.flatMap((one) => one.pools.map(({ cluster, name }) => `${cluster}/${name}`)));
  const misplaced = unknown.filter(({ deployment, cluster, pools: own }) => {
    return known.has(deployment) && Object.values(own).every((pool) => pools.has(`${cluster}/${pool}`));
  });
  if (faulty.size === 0) return { result: { ...final, evictions }, unknown, misplaced };
  const placements = final.placements.filter(({ deployment }) => !faulty.has(deployment));
  return { result: { ...final, placements, evictions }, unknown: findUnknown({ placements }, lines, ids), misplaced };
}

function pauseAll({ faulty, ...model }: FleetToHold, ids: ReadonlySet<string>): CompiledFleet {
  const all = [...model.deployments, ...faulty];
  return { ...model, deployments: all.map((one) => (ids.has(one.id) ? { ...one, paused: true } : one)) };
}

function findUnknown(
  { placements }: Pick<Schedule, 'placements'>,
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

/** Lines of held deployments on clusters that are not declared: nothing runs or renders there. */
export function findLostLines(
  { clusters }: Pick<CompiledFleet, 'clusters'>,
  { unknown }: Pick<HeldDeployments, 'unknown'>,
): readonly Placement[] {
  const declared = new Set(clusters.map(({ name }) => name));
  return unknown.filter(({ cluster }) => !declared.has(cluster));
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
  const layouts = [
    ...[...(next.layouts ?? [])].filter(([deployment]) => !isHeld({ deployment })),
    ...[...(lock.layouts ?? [])].filter(([deployment]) => isHeld({ deployment })),
  ];
  return {
    placements: sortPlacements(mix(next.placements, lock.placements)),
    unplaced: new Map(unplaced),
    shapes: mix(next.shapes, lock.shapes),
    ...(layouts.length > 0 && { layouts: new Map(layouts) }),
  };
}
