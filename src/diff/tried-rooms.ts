import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { compareText, sortUnique } from '../base/order';
import type { ReplicaChange } from '../plan/replica-moves';
import { addNodes, changeCompiledCluster } from '../scheduler/changed-demands';
import type { CompiledDeployment, CompiledFleet } from '../scheduler/compiled-fleet';
import type { SurgeWithoutRoom } from '../scheduler/schedule-result';
import { scheduleState } from '../scheduler/schedule';
import type { SchedulingState } from '../scheduler/scheduling-state';
import { countLeastServing, neededOf, type ServingDuringChange } from './serving-during-change';
import { countSupposedServing, isMovedByLock, type SupposedSchedule } from './supposed-serving';
import type { AppliedStates } from './wanted-pods';

/** Nodes to add to a pool: `cluster/pool`. */
interface AddedNodes {
  readonly pool: string;
  readonly nodes: number;
}

/** Room that is offered to a deployment of which too few replicas serve during a change. */
export interface OfferedRoom {
  readonly one: {
    readonly diff: { readonly changes: readonly ReplicaChange[]; readonly serving: ServingDuringChange };
    readonly deployment: ModelDeployment;
  };
  readonly room: {
    readonly for: 'surge' | 'both';
    readonly missing: readonly AddedNodes[];
    readonly together?: readonly AddedNodes[];

    /** Deployments with a surge next to this one. */
    readonly nextTo?: readonly string[];
  };

  /** The deployment with a surge, if the room is for one. */
  readonly surging?: CompiledDeployment;
}

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 100_000;

/** Tells whether several offers, applied together, work for each of them. Undefined: the trials are used up. */
export type TryRooms = (offers: readonly OfferedRoom[], surging: readonly CompiledDeployment[]) => boolean | undefined;

/** Creates a function that decides the change again with offered room. */
export function createRoomTrials({ before, planned, applied = 'withWaves' }: Omit<AppliedStates, 'after'>): TryRooms {
  const lines = before.schedule.placements;
  const placed = planned.schedule.placements.length;
  const placesNone = planned.schedule.evictions.length === 0 && placed === lines.length;
  const missing = planned.schedule.shortfalls.reduce((sum, one) => sum + one.missing, 0);
  const crowded = listCrowded(planned.schedule);
  const tried = new Map<string, SchedulingState>();
  let left = TRIED_REPLICAS;
  const decide = (edits: OfferedEdits, surging: readonly CompiledDeployment[]): SchedulingState | undefined => {
    const key = JSON.stringify(edits);
    const known = tried.get(key);
    if (known || left <= 0) return known;
    left -= lines.length + placed;
    const state = scheduleState(applyEdits(planned.model, edits, surging), lines, planned.matcher);
    tried.set(key, state);
    return state;
  };
  return (offers, surging) => {
    // Where every replica keeps its place, room that is enough in place is enough.
    if (placesNone && !offers.some(({ one }) => one.diff.changes.some(isMovedByLock))) return true;
    const edits = listEdits(offers);
    const state = decide(edits, surging);
    if (!state) return undefined;
    if (state.model.deployments.reduce((sum, one) => sum + state.missing(one), 0) > missing) return false;
    if ([...listCrowded(state)].some((id) => !crowded.has(id))) return false;
    const surges = new Set(edits.surges);
    return offers.every(({ one }) => {
      const isSurging = surges.has(qualifiedNameOf(one.deployment));
      return isEnough(one, { before: lines, state, applied }, isSurging);
    });
  };
}

/** Selects offers that work alone and together. */
export function selectWorking<T extends OfferedRoom>(
  offers: readonly T[],
  tryRooms: TryRooms,
  surging: readonly CompiledDeployment[],
): readonly T[] {
  if (offers.length === 0) return offers;
  const whole = tryRooms(offers, surging);
  if (offers.length === 1) return whole ? offers : [];
  const alone = offers.filter((one) => tryRooms([one], surging) ?? whole);
  if (alone.length === offers.length && whole) return offers;
  const kept: T[] = [];
  for (const one of alone) if (tryRooms([...kept, one], surging)) kept.push(one);
  return kept;
}

/** What a reader declares who follows offers. */
interface OfferedEdits {
  /** The nodes to add, by `cluster/pool`. */
  readonly nodes: readonly (readonly [pool: string, nodes: number])[];

  /** The deployments to give a surge. */
  readonly surges: readonly string[];
}

function listEdits(offers: readonly OfferedRoom[]): OfferedEdits {
  const nodes = new Map<string, number>();
  for (const { missing, together = [] } of offers.map(({ room }) => room)) {
    for (const one of [...missing, ...together]) nodes.set(one.pool, Math.max(one.nodes, nodes.get(one.pool) ?? 0));
  }
  const surges = offers.flatMap(({ one, room }) =>
    room.for === 'surge' ? [qualifiedNameOf(one.deployment), ...(room.nextTo ?? [])] : [],
  );
  return { nodes: [...nodes].sort(([a], [b]) => compareText(a, b)), surges: sortUnique(surges) };
}

function applyEdits(
  model: CompiledFleet,
  { nodes, surges }: OfferedEdits,
  surging: readonly CompiledDeployment[],
): CompiledFleet {
  const withSurge = new Map(surging.filter(({ id }) => surges.includes(id)).map((one) => [one.id, one]));
  const deployments = model.deployments.map((one) => {
    const other = withSurge.get(one.id);
    return other ? { ...other, previousRevisions: one.previousRevisions } : one;
  });
  return nodes.reduce<CompiledFleet>(
    (fleet, [key, count]) => {
      const [cluster = '', pool = ''] = key.split('/');
      return changeCompiledCluster(fleet, cluster, (one) => addNodes(one, pool, count));
    },
    { ...model, deployments },
  );
}

function listCrowded({ withoutSurge = [] }: { readonly withoutSurge?: readonly SurgeWithoutRoom[] }): Set<string> {
  return new Set(withoutSurge.map(({ deployment }) => deployment));
}

/** Whether enough replicas of a deployment serve during a supposed change, of those that serve before and after it. */
function isEnough(
  { diff: { changes, serving }, deployment }: OfferedRoom['one'],
  supposed: SupposedSchedule & Required<Pick<AppliedStates, 'applied'>>,
  surges: boolean,
): boolean {
  const needed = Math.min(neededOf(deployment.spec), serving.before, serving.after);
  const lowest = countSupposedServing(supposed, { deployment, changes, surges });
  return countLeastServing(lowest, supposed.applied) >= needed;
}
