import { copyBoundsOf } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { compareText, groupBy, type Groups, sortUnique } from '../base/order';
import type { PlacedFleet } from '../plan/decision';
import { locationKeyOf, type ReplicaChange, replicaChangesOf, type ReplicaLocation } from '../plan/replica-moves';
import type { ComputedReplica } from '../replicas/replica';
import { groupByDeployment, type Placement } from '../scheduler/placement';
import type { EvictionReason } from '../scheduler/schedule-result';
import { listUnreplaced } from '../scheduler/unreplaced-replicas';
import { indexDeploymentsById } from '../fleet/fleet';
import type { Routing } from '../routing/routing';
import { findPortSwitch } from './moved-ports';
import { keyOfReplica, type RolledReplica, type RolledReplicas, toLabelId } from './rolled-replicas';
import { countCopiesInRollout, countMostCopies } from './running-copies';
import type { ApplyMode } from './serving-during-change';
import { listDeclaredLost } from './suppose-lost';

/** Two states and the known facts about the transition between them. */
export interface StateTransition {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;

  /** The later declarations decided from the earlier lock. It has the reasons why replicas do not stay. */
  readonly planned: PlacedFleet;
  readonly rolled: RolledReplicas;

  /** How the change is applied. Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/**
 * Compares the replicas of two states by deployment ID, without deployments whose replicas cannot have changed.
 *
 * @param disrupted the clusters on which nodes go or are recreated
 */
export function diffReplicas(
  passage: StateTransition,
  disrupted: ReadonlySet<string>,
): ReadonlyMap<string, ReplicaChange[]> {
  const { before, after, planned, rolled } = passage;
  const earlier = groupByDeployment(before.schedule.placements);
  const later = new Map(groupByDeployment(after.schedule.placements));
  const frozen = listFrozen(after);
  for (const id of frozen) later.set(id, [...(earlier.get(id) ?? [])]);
  const evictions = groupBy(planned.schedule.evictions, ({ placement }) => placement.deployment);
  const rolling = new Set([...rolled.keys()].map((key) => key.slice(0, key.indexOf(' '))));
  const unreplaced = new Set(listUnreplaced(after.schedule));
  const serving = groupByDeployment(planned.schedule.placements.filter(({ draining }) => draining));
  const lost = listDeclaredLost(before.model, after.model);
  const isDisrupted = ({ cluster }: Placement): boolean => disrupted.has(cluster) || lost.has(cluster);
  const touched = sortUnique([...earlier.keys(), ...later.keys()]).filter((id) => {
    const [was, is] = [earlier.get(id), later.get(id)];
    return !was || !is || !areAtSameLocations(was, is) || rolling.has(toLabelId(id)) || was.some(isDisrupted);
  });
  const ids = new Set(touched);
  const declared = indexDeploymentsById(after.fleet.deployments);
  const [old, now] = [lockedReplicasOf(before, ids), lockedReplicasOf(after, ids)];
  return new Map(
    touched.map((id) => {
      const own = evictions.get(id) ?? [];
      const reasons = new Map(own.map(({ placement, reason }) => [locationKeyOf(placement), reason]));
      const was = old.get(id) ?? [];
      const draining = new Set((serving.get(id) ?? []).map(locationKeyOf));
      const known = { reasons, draining, unreplaced, lost, routing: after.routing, declared: declared.get(id) };
      if (frozen.has(id)) return [id, diffDeploymentReplicas(was, was, { ...known, rolled: new Map() })];
      return [id, diffDeploymentReplicas(was, now.get(id) ?? [], { ...known, rolled })];
    }),
  );
}

/**
 * The deployments that stay as they are although their later replicas are not known, because of errors: what a
 * comparison of the two states says of them does not happen.
 *
 * @internal
 */
export function listFrozen({ held }: Pick<PlacedFleet, 'held'>): ReadonlySet<string> {
  return new Set(held.unknown.map(({ deployment }) => deployment));
}

/** A replica and its line in the lock. */
interface LockedReplica {
  readonly replica: ComputedReplica;
  readonly placement: Placement;
}

interface TransitionFacts {
  /** Why replicas of the deployment go, by cluster and index. */
  readonly reasons: ReadonlyMap<string, EvictionReason>;
  readonly rolled: RolledReplicas;

  /** The replicas that drain if the later declarations are planned from the earlier lock, by cluster and index. */
  readonly draining: ReadonlySet<string>;

  /** The draining replicas of all deployments whose replacements have no place. */
  readonly unreplaced: ReadonlySet<Placement>;

  /** The clusters that the change declares lost. */
  readonly lost: ReadonlySet<string>;

  /** The later declaration. Undefined: there is none. */
  readonly declared: ModelDeployment | undefined;
  readonly routing: Pick<Routing, 'edges'>;
}

function diffDeploymentReplicas(
  earlier: readonly LockedReplica[],
  later: readonly LockedReplica[],
  known: TransitionFacts,
): ReplicaChange[] {
  const [was, is] = [indexByKey(earlier), indexByKey(later)];
  const lines = (all: readonly LockedReplica[]): Placement[] => all.map(({ placement }) => placement);
  const gone = [...was].map(([key, { placement }]) => ({ placement, reason: known.reasons.get(key) }));
  return replicaChangesOf(lines(earlier), lines(later), gone)
    .filter((change) => !wasLost(change, was, known))
    .flatMap((change) => (isNoMove(change, was) ? apart(change, is) : [change]))
    .map((change) => compared(change, findFormer(change, was), is.get(locationKeyOf(change)), known))
    .map((change) => (restartsOld(change, { was, is, known }) ? withoutOld(change) : change))
    .map((change) => withoutPicked(change, was, known))
    .map((change) => (isFinalized(change, { was, is, known }) ? { ...change, finalized: true as const } : change))
    .map((change) => (isUnreplaced(change, is, known) ? { ...change, unreplaced: true as const } : change))
    .sort((a, b) => compareText(a.cluster, b.cluster) || a.index - b.index);
}

/** Whether nothing happens to a replica of a lost cluster: it was lost before. */
function wasLost(change: ReplicaChange<Placement>, was: ReplicasByKey, { lost }: TransitionFacts): boolean {
  return change.action === 'lost' && was.has(locationKeyOf(change)) && !lost.has(change.cluster);
}

/** Whether a move goes where another replica was before, which has not moved. */
function isNoMove({ from, ...change }: ReplicaChange<Placement>, was: ReplicasByKey): boolean {
  if (change.action !== 'move' || !from) return false;
  return was.has(locationKeyOf(change)) && locationKeyOf(from) !== locationKeyOf(change);
}

/** Both ends of a move, each by itself. */
function apart({ from, reason, ...to }: ReplicaChange<Placement>, is: ReplicasByKey): ReplicaChange<Placement>[] {
  const why = reason ? { reason } : {};
  const stays = from && is.get(locationKeyOf(from))?.placement;
  const action = stays ? (stays.lost ? 'lost' : 'draining') : 'remove';
  return [{ ...to, action: 'keep' }, ...(from ? [{ action, ...locationOf(from), ...why } as const] : [])];
}

/** Whether a replica that is to serve until its replacement does stops before, because its own pods are replaced too. */
function restartsOld(
  { action, from, ...place }: ReplicaChange,
  { was, is, known }: { readonly was: ReplicasByKey; readonly is: ReplicasByKey; readonly known: TransitionFacts },
): boolean {
  if (action !== 'draining' && action !== 'move') return false;
  const key = locationKeyOf(from ?? place);
  const [old, now] = [was.get(key)?.replica, is.get(key)?.replica];
  const changed = now && known.rolled.get(keyOfReplica(now));
  return Boolean(old && now && changed && goesDown(old.deployment, now.deployment, changed));
}

/** A change without the old replica that serves meanwhile. */
function withoutOld(change: ReplicaChange): ReplicaChange {
  const oldRestarts = true as const;
  return change.action === 'move'
    ? { ...change, surgeFirst: false, oldRestarts }
    : { ...change, action: 'roll', down: true, oldRestarts };
}

/** A change of a replica that is to serve until its replacement does, and that no endpoint picker asks any more. */
function withoutPicked(
  change: ReplicaChange,
  was: ReplicasByKey,
  { declared: is, routing }: TransitionFacts,
): ReplicaChange {
  const { action, from, ...place } = change;
  const old = was.get(locationKeyOf(from ?? place))?.replica.deployment;
  if ((action !== 'draining' && action !== 'move') || !old || !is) return change;
  const portSwitch = findPortSwitch({ cluster: (from ?? place).cluster, was: old, is, routing });
  if (portSwitch?.by !== 'picker') return change;
  return action === 'move'
    ? { ...change, surgeFirst: false, portSwitch }
    : { ...change, action: 'roll', down: true, portSwitch };
}

/** Whether a replica that a plan lets serve until its replacement does is no longer in the lock. */
function isFinalized(
  { action, from, surgeFirst }: ReplicaChange,
  { was, is, known }: { readonly was: ReplicasByKey; readonly is: ReplicasByKey; readonly known: TransitionFacts },
): boolean {
  if (action !== 'move' || !from || surgeFirst !== false) return false;
  const key = locationKeyOf(from);
  return known.draining.has(key) && was.get(key)?.placement.draining !== true && !is.get(key)?.placement.draining;
}

function isUnreplaced(change: ReplicaChange, is: ReplicasByKey, { unreplaced }: TransitionFacts): boolean {
  const now = is.get(locationKeyOf(change));
  return change.action === 'draining' && now !== undefined && unreplaced.has(now.placement);
}

type ReplicasByKey = ReadonlyMap<string, LockedReplica>;

function indexByKey(all: readonly LockedReplica[]): ReplicasByKey {
  return new Map(all.map((one) => [locationKeyOf(one.placement), one]));
}

/** Whether replicas are on the same clusters with the same `draining` state. */
function areAtSameLocations(was: readonly Placement[], is: readonly Placement[]): boolean {
  if (was.length !== is.length) return false;
  return was.every((old, i) => {
    const now = is[i];
    if (now === old) return true;
    return now?.cluster === old.cluster && now.index === old.index && now.draining === old.draining;
  });
}

/** Actions after which a replica does not serve. */
const ENDS: ReadonlySet<ReplicaChange['action']> = new Set(['remove', 'lost']);

/** The replica that is there before. One that serves again because its cluster is no longer lost was not. */
function findFormer(change: ReplicaChange<Placement>, was: ReplicasByKey): LockedReplica | undefined {
  const former = was.get(locationKeyOf(change));
  return change.action === 'keep' && former?.placement.lost ? undefined : former;
}

/** A change of a deployment as it is between two states: what is rolled follows from the objects of a replica. */
function compared(
  { from, ...change }: ReplicaChange<Placement>,
  was: LockedReplica | undefined,
  is: LockedReplica | undefined,
  { rolled, routing }: TransitionFacts,
): ReplicaChange {
  const { action, cluster, index, pools, reason, surgeFirst } = change;
  const place = { cluster, index, pools };
  if (action === 'remove' && was?.placement.draining) return { ...change, drained: true };
  if (ENDS.has(action) || !is) return change;
  const origin = from && { from: locationOf(from), ...(reason && { reason }) };
  if (!was && action === 'move')
    return { action, ...place, ...origin, ...(surgeFirst !== undefined && { surgeFirst }) };
  if (!was) return { action: 'place', ...place };
  if (action === 'draining' && !was.placement.draining) return change;
  const changed = rolled.get(keyOfReplica(is.replica));
  if (!changed) return { action: 'keep', ...place };
  return { action: 'roll', ...place, ...origin, ...describeRoll(was.replica, is.replica, { changed, routing }) };
}

function describeRoll(
  was: ComputedReplica,
  is: ComputedReplica,
  { changed: rolled, routing }: Pick<TransitionFacts, 'routing'> & { readonly changed: RolledReplica },
): Partial<ReplicaChange> {
  const { requests } = rolled;
  const found = findPortSwitch({
    cluster: is.cluster.metadata.name,
    was: was.deployment,
    is: is.deployment,
    routing,
  });
  const stops = goesDown(was.deployment, is.deployment, rolled);
  const portSwitch = found && { ...found, ...(!stops && { servesOtherwise: true as const }) };
  const down = stops || portSwitch !== undefined;
  const isInTurn = down || is.deployment.spec.rollout.surge === 0;
  const copies = isInTurn ? countCopiesInTurn(was.deployment, is.deployment, rolled) : 1;
  const isSpared = down && !portSwitch && !goesDown(is.deployment, is.deployment, rolled);
  return {
    wave: is.wave.fleet,
    down,
    ...(copies > 1 && { copiesInTurn: copies }),
    ...(portSwitch && { portSwitch }),
    ...(isSpared && { servesWithNewCopies: true as const }),
    ...(requests && { requests }),
  };
}

function locationOf({ cluster, index, pools }: Placement): ReplicaLocation {
  return { cluster, index, pools };
}

/** Whether a replica stops serving while some of its engines are replaced. */
function goesDown(
  was: ModelDeployment,
  { spec: { rollout, template } }: ModelDeployment,
  { engines, recreated }: RolledReplica,
): boolean {
  // Requests wait for the next copy.
  if (template.spec.engines.some((engine) => copyBoundsOf(engine).min === 0)) return false;
  if (recreated) return true;
  const rolled = template.spec.engines.filter(({ name }) => isRolled(name, engines));
  if (rollout.strategy === 'Recreate') return rolled.length > 0;
  return rolled.some((engine) => countCopiesInRollout(engine, was) + rollout.surge <= 1);
}

/** The most copies of an engine that its workload replaces one after the other. A new workload starts all at once. */
function countCopiesInTurn(
  was: ModelDeployment,
  { spec: { rollout, template } }: ModelDeployment,
  { engines }: RolledReplica,
): number {
  if (rollout.strategy === 'Recreate') return 1;
  const rolled = template.spec.engines.filter(({ name }) => isRolled(name, engines));
  return Math.max(1, ...rolled.map((engine) => countMostCopies(engine, was)));
}

function isRolled(engine: string, engines: ReadonlySet<string>): boolean {
  return engines.has(engine) || engines.has('');
}

/** The replicas of some deployments. Replicas have the same order as placements. */
function lockedReplicasOf(
  { schedule, replicas }: PlacedFleet,
  ids: ReadonlySet<string>,
): Groups<string, LockedReplica> {
  const all: LockedReplica[] = [];
  for (const [i, placement] of schedule.placements.entries()) {
    const replica = ids.has(placement.deployment) ? replicas[i] : undefined;
    if (replica) all.push({ replica, placement });
  }
  return groupBy(all, ({ placement }) => placement.deployment);
}
