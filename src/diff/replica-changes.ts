import type { ModelDeployment } from '../api/model-deployment';
import { compareText, groupBy } from '../base/order';
import { shortenName } from '../manifest/kubernetes/object-names';
import type { PlacedFleet } from '../plan/decide';
import { pairMoves, type ReplicaMove } from '../plan/replica-moves';
import type { ComputedReplica } from '../replicas/replica';
import { groupByDeployment } from '../scheduler/placement-order';
import type { EvictionReason, Placement } from '../scheduler/schedule-result';
import { type RolledEngines, toLabelId, toReplicaKey } from './rolled-engines';

/** A change of one replica between two states. */
export interface ReplicaChange {
  /**
   * `move`: it takes the place of another of its deployment. `roll`: its pods are replaced where they are. `leaving`: it
   * serves until it is settled, and none takes its place.
   */
  readonly action: 'keep' | 'place' | 'move' | 'roll' | 'leaving' | 'remove';
  readonly cluster: string;
  readonly index: number;

  /** The pool of each engine; before, where it is removed. */
  readonly pools: Placement['pools'];

  /** The one whose place it takes: of a move, and of what is rolled with another shape or on other pools. */
  readonly from?: ReplicaLocation;

  /** Whether the one that it takes the place of serves until it is settled; otherwise there is a gap. Only of a move. */
  readonly surgeFirst?: boolean;

  /** When it is rolled, counted over the replicas of the deployment. */
  readonly wave?: number;

  /** Whether it stops serving while it is rolled: an engine of it has one copy and no surge. */
  readonly down?: boolean;

  /** Why it does not stay, or the one whose place it takes. Absent where the lock alone says so. */
  readonly reason?: EvictionReason;
}

/** Where a replica is. */
export type ReplicaLocation = Pick<Placement, 'cluster' | 'index' | 'pools'>;

/** Two states and the known facts about the transition between them. */
export interface StateTransition {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;

  /** The later declarations decided from the earlier lock. It has the reasons why replicas do not stay. */
  readonly planned: PlacedFleet;
  readonly rolled: RolledEngines;
}

/**
 * Compares the replicas of the deployments of two states, by deployment ID. Deployments whose replicas cannot have
 * changed are omitted.
 */
export function diffReplicas(passage: StateTransition): ReadonlyMap<string, ReplicaChange[]> {
  const { before, after, planned, rolled } = passage;
  const [earlier, later] = [
    groupByDeployment(before.schedule.placements),
    groupByDeployment(after.schedule.placements),
  ];
  const reasons = new Map(
    planned.schedule.evictions.map(({ placement, reason }) => [keyOf(placement), reason]),
  );
  const rolling = new Set([...rolled.keys()].map(deploymentOfKey));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  const touched = ids.filter((id) => {
    const [was, is] = [earlier.get(id), later.get(id)];
    return !was || !is || !areAtSameLocations(was, is) || rolling.has(toLabelId(id));
  });
  const [old, now] = [before, after].map((placed) => lockedReplicasOf(placed, new Set(touched)));
  return new Map(
    touched.map((id) => {
      return [id, diffDeploymentReplicas(old?.get(id) ?? [], now?.get(id) ?? [], { reasons, rolled })];
    }),
  );
}

/** A replica and its line in the lock. */
interface LockedReplica {
  readonly replica: ComputedReplica;
  readonly placement: Placement;
}

interface TransitionFacts {
  readonly reasons: ReadonlyMap<string, EvictionReason>;
  readonly rolled: RolledEngines;
}

function diffDeploymentReplicas(
  earlier: readonly LockedReplica[],
  later: readonly LockedReplica[],
  known: TransitionFacts,
): ReplicaChange[] {
  const [was, is] = [indexByKey(earlier), indexByKey(later)];
  const taken = findReplacements(earlier, later, known);
  const gone = new Set([...taken.values()].map(({ from }) => keyOf(from)).filter((key) => !taken.has(key)));
  const keys = [...new Set([...is.keys(), ...was.keys()])].filter((key) => !gone.has(key)).sort(compareText);
  const changes = keys.flatMap((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    const placement = (now ?? old)?.placement;
    if (!placement) return [];
    const newlyLeaving = placement.leaving === true && !old?.placement.leaving;
    const both = { was: old?.replica, is: now?.replica, rolled: known.rolled, newlyLeaving };
    return [toReplicaChange({ ...both, placement, taken: taken.get(key) }, known.reasons.get(key))];
  });
  return changes.sort((a, b) => compareText(a.cluster, b.cluster) || a.index - b.index);
}

function indexByKey(all: readonly LockedReplica[]): ReadonlyMap<string, LockedReplica> {
  return new Map(all.map((one) => [keyOf(one.placement), one]));
}

type Replacement = ReplicaMove<EvictionReason | undefined>;

/** The replicas that replace another, either in place or at a new location, by key. */
function findReplacements(
  earlier: readonly LockedReplica[],
  later: readonly LockedReplica[],
  { reasons }: TransitionFacts,
): ReadonlyMap<string, Replacement> {
  const [was, is] = [earlier, later].map((all) => all.map(({ placement }) => placement));
  const gone = (was ?? []).map((placement) => ({ placement, reason: reasons.get(keyOf(placement)) }));
  const taken = new Set(was?.map(keyOf));
  const { moved } = pairMoves(was ?? [], is ?? [], gone);
  const own = moved.filter(({ from, to }) => keyOf(from) === keyOf(to) || !taken.has(keyOf(to)));
  return new Map(own.map((move) => [keyOf(move.to), move]));
}

/** Whether replicas are on the same clusters with the same `leaving` state. */
function areAtSameLocations(was: readonly Placement[], is: readonly Placement[]): boolean {
  return (
    was.length === is.length &&
    was.every((old, i) => {
      const now = is[i];
      if (now === old) return true;
      return now?.cluster === old.cluster && now.index === old.index && now.leaving === old.leaving;
    })
  );
}

interface ReplicaBeforeAndAfter {
  readonly placement: Placement;
  readonly was: ComputedReplica | undefined;
  readonly is: ComputedReplica | undefined;
  readonly rolled: RolledEngines;
  readonly newlyLeaving: boolean;
  readonly taken: Replacement | undefined;
}

function toReplicaChange(
  { placement, was, is, rolled, newlyLeaving, taken }: ReplicaBeforeAndAfter,
  reason: EvictionReason | undefined,
): ReplicaChange {
  const place = locationOf(placement);
  const why = reason && { reason };
  const origin = taken && { from: locationOf(taken.from), ...(taken.reason && { reason: taken.reason }) };
  if (!is) return { action: 'remove', ...place, ...why };
  if (!was && taken) return { action: 'move', ...place, ...origin, surgeFirst: taken.surgeFirst };
  if (!was) return { action: 'place', ...place };
  if (newlyLeaving) return { action: 'leaving', ...place, ...why };
  const engines = rolled.get(keyOfReplica(is));
  if (!engines) return { action: 'keep', ...place };
  const down = goesDown(is.deployment, engines);
  return { action: 'roll', ...place, ...origin, wave: is.wave.fleet, down };
}

function locationOf({ cluster, index, pools }: Placement): ReplicaLocation {
  return { cluster, index, pools };
}

/** Whether a replica stops serving while some of its engines are replaced. */
function goesDown({ spec: { rollout, template } }: ModelDeployment, engines: ReadonlySet<string>): boolean {
  const rolled = template.spec.engines.filter(({ name }) => engines.has(name) || engines.has(''));
  return rolled.some(({ copies }) => rollout.strategy === 'Recreate' || copies + rollout.surge <= 1);
}

/** The replicas of some deployments. Replicas have the same order as placements. */
function lockedReplicasOf(
  { schedule, replicas }: PlacedFleet,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, LockedReplica[]> {
  const all: LockedReplica[] = [];
  schedule.placements.forEach((placement, i) => {
    const replica = ids.has(placement.deployment) ? replicas[i] : undefined;
    if (replica) all.push({ replica, placement });
  });
  return groupBy(all, ({ placement }) => placement.deployment);
}

function keyOf({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}

/** The replica key that the labels of its objects have. */
function keyOfReplica({ deployment: { metadata }, cluster, index }: ComputedReplica): string {
  return toReplicaKey(metadata.namespace ?? '', shortenName(metadata.name), cluster.metadata.name, index);
}

/** The deployment part of a replica key. */
function deploymentOfKey(key: string): string {
  return key.slice(0, key.indexOf(' '));
}
