import type { ModelDeployment } from '../api/model-deployment';
import type { Placed } from '../plan/decide';
import { type Move, pairMoves } from '../plan/moves';
import { compareText, groupBy } from '../order';
import { fitted } from '../render/names';
import type { ComputedReplica } from '../render/replica';
import { linesOf } from '../scheduler/lines';
import type { EvictionReason, Placement } from '../scheduler/types';
import { labelledId, type RolledEngines, replicaKey } from './rolled-engines';

/** What happens to one replica between two states. */
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
  readonly from?: Place;

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
export type Place = Pick<Placement, 'cluster' | 'index' | 'pools'>;

/** Replicas of two states and what is known of the way from one to the other. */
export interface Passage {
  readonly before: Placed;
  readonly after: Placed;

  /** The later declarations decided from the earlier lock: it knows why replicas do not stay. */
  readonly planned: Placed;
  readonly rolled: RolledEngines;
}

/**
 * What happens to the replicas of the deployments that are in one of two states, by id. Those of which none can have
 * changed are left out.
 */
export function replicaChanges(passage: Passage): ReadonlyMap<string, ReplicaChange[]> {
  const { before, after, planned, rolled } = passage;
  const [earlier, later] = [linesOf(before.schedule.placements), linesOf(after.schedule.placements)];
  const reasons = new Map(
    planned.schedule.evictions.map(({ placement, reason }) => [keyOf(placement), reason]),
  );
  const rolling = new Set([...rolled.keys()].map(deploymentIn));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].sort(compareText);
  const touched = ids.filter((id) => {
    const [was, is] = [earlier.get(id), later.get(id)];
    return !was || !is || !areAtSamePlaces(was, is) || rolling.has(labelledId(id));
  });
  const [old, now] = [before, after].map((placed) => stood(placed, new Set(touched)));
  return new Map(
    touched.map((id) => {
      return [id, changesOf(old?.get(id) ?? [], now?.get(id) ?? [], { reasons, rolled })];
    }),
  );
}

/** A replica, and its line of the lock. */
interface Stood {
  readonly replica: ComputedReplica;
  readonly placement: Placement;
}

interface Known {
  readonly reasons: ReadonlyMap<string, EvictionReason>;
  readonly rolled: RolledEngines;
}

function changesOf(earlier: readonly Stood[], later: readonly Stood[], known: Known): ReplicaChange[] {
  const [was, is] = [byKey(earlier), byKey(later)];
  const taken = placesTaken(earlier, later, known);
  const gone = new Set([...taken.values()].map(({ from }) => keyOf(from)).filter((key) => !taken.has(key)));
  const keys = [...new Set([...is.keys(), ...was.keys()])].filter((key) => !gone.has(key)).sort(compareText);
  const changes = keys.flatMap((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    const placement = (now ?? old)?.placement;
    if (!placement) return [];
    const newlyLeaving = placement.leaving === true && !old?.placement.leaving;
    const both = { was: old?.replica, is: now?.replica, rolled: known.rolled, newlyLeaving };
    return [changeOf({ ...both, placement, taken: taken.get(key) }, known.reasons.get(key))];
  });
  return changes.sort((a, b) => compareText(a.cluster, b.cluster) || a.index - b.index);
}

function byKey(all: readonly Stood[]): ReadonlyMap<string, Stood> {
  return new Map(all.map((one) => [keyOf(one.placement), one]));
}

type Taken = Move<EvictionReason | undefined>;

/** The replicas that take the place of another, where they are or where none was, by key. */
function placesTaken(
  earlier: readonly Stood[],
  later: readonly Stood[],
  { reasons }: Known,
): ReadonlyMap<string, Taken> {
  const [was, is] = [earlier, later].map((all) => all.map(({ placement }) => placement));
  const gone = (was ?? []).map((placement) => ({ placement, reason: reasons.get(keyOf(placement)) }));
  const taken = new Set(was?.map(keyOf));
  const { moved } = pairMoves(was ?? [], is ?? [], gone);
  const own = moved.filter(({ from, to }) => keyOf(from) === keyOf(to) || !taken.has(keyOf(to)));
  return new Map(own.map((move) => [keyOf(move.to), move]));
}

/** Whether replicas are on the same clusters and leave or stay as they did. */
function areAtSamePlaces(was: readonly Placement[], is: readonly Placement[]): boolean {
  return (
    was.length === is.length &&
    was.every((old, i) => {
      const now = is[i];
      if (now === old) return true;
      return now?.cluster === old.cluster && now.index === old.index && now.leaving === old.leaving;
    })
  );
}

interface Both {
  readonly placement: Placement;
  readonly was: ComputedReplica | undefined;
  readonly is: ComputedReplica | undefined;
  readonly rolled: RolledEngines;
  readonly newlyLeaving: boolean;
  readonly taken: Taken | undefined;
}

function changeOf(
  { placement, was, is, rolled, newlyLeaving, taken }: Both,
  reason: EvictionReason | undefined,
): ReplicaChange {
  const place = placeOf(placement);
  const why = reason && { reason };
  const origin = taken && { from: placeOf(taken.from), ...(taken.reason && { reason: taken.reason }) };
  if (!is) return { action: 'remove', ...place, ...why };
  if (!was && taken) return { action: 'move', ...place, ...origin, surgeFirst: taken.surgeFirst };
  if (!was) return { action: 'place', ...place };
  if (newlyLeaving) return { action: 'leaving', ...place, ...why };
  const engines = rolled.get(keyOfReplica(is));
  if (!engines) return { action: 'keep', ...place };
  const down = goesDown(is.deployment, engines);
  return { action: 'roll', ...place, ...origin, wave: is.wave.fleet, down };
}

function placeOf({ cluster, index, pools }: Placement): Place {
  return { cluster, index, pools };
}

/** Whether a replica stops serving while some of its engines are replaced. */
function goesDown({ spec: { rollout, template } }: ModelDeployment, engines: ReadonlySet<string>): boolean {
  const rolled = template.spec.engines.filter(({ name }) => engines.has(name) || engines.has(''));
  return rolled.some(({ copies }) => rollout.strategy === 'Recreate' || copies + rollout.surge <= 1);
}

/** The replicas of some deployments. They stand in the order of placements. */
function stood({ schedule, replicas }: Placed, ids: ReadonlySet<string>): ReadonlyMap<string, Stood[]> {
  const all: Stood[] = [];
  schedule.placements.forEach((placement, i) => {
    const replica = ids.has(placement.deployment) ? replicas[i] : undefined;
    if (replica) all.push({ replica, placement });
  });
  return groupBy(all, ({ placement }) => placement.deployment);
}

function keyOf({ deployment, cluster, index }: Placement): string {
  return `${deployment} ${cluster}/${index}`;
}

/** As the labels of its objects have it. */
function keyOfReplica({ deployment: { metadata }, cluster, index }: ComputedReplica): string {
  return replicaKey(metadata.namespace ?? '', fitted(metadata.name), cluster.metadata.name, index);
}

/** The deployment of a replica that labels name. */
function deploymentIn(key: string): string {
  return key.slice(0, key.indexOf(' '));
}
