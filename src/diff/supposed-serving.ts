import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { locationKeyOf, type ReplicaChange, replicaChangesOf } from '../plan/replica-moves';
import type { Placement } from '../scheduler/placement';
import type { SchedulingState } from '../scheduler/scheduling-state';
import { countServing, type ServingDuringChange } from './serving-during-change';

/** A change that is only supposed: the replicas before it, and what is placed by it. */
export interface SupposedSchedule {
  readonly before: readonly Placement[];
  readonly state: SchedulingState;
}

/** What is known of a deployment that a supposed change concerns. */
export interface SupposedRollout {
  readonly deployment: ModelDeployment;

  /** What happens to its replicas in the change as it is declared. Those that it does not list stay as they are. */
  readonly changes: readonly ReplicaChange[];

  /** Whether the supposed change gives it a surge. */
  readonly surges?: boolean;

  /** Whether clients reach only the replicas of their own cluster. Default: they reach all. */
  readonly isLocal?: boolean;
}

/**
 * Computes a lower bound of the replicas of a deployment that serve during a supposed change. A replica that does not
 * stay where it is in the declared change, and does in the supposed one, counts as one that restarts there.
 */
export function countSupposedServing(
  { before, state }: SupposedSchedule,
  { deployment, changes, surges = false, isLocal = false }: SupposedRollout,
): ServingDuringChange {
  const id = qualifiedNameOf(deployment);
  const [was, is] = [before, state.placements()].map((all) => all.filter((one) => one.deployment === id));
  const declared = new Map(changes.map((one) => [locationKeyOf(one.from ?? one), one]));
  const supposed = replicaChangesOf(was ?? [], is ?? [], state.evicted(id)).map((change) =>
    rollAsDeclared(change, declared.get(locationKeyOf(change.from ?? change)), surges),
  );
  return countServing(deployment, supposed, { before: countStaying(was), after: countStaying(is) }, isLocal);
}

/** Adds to a change of a replica what its pods and nodes do in the declared change. */
function rollAsDeclared(change: ReplicaChange, declared: ReplicaChange | undefined, surges: boolean): ReplicaChange {
  if (!declared || declared.action === 'keep') return change;
  if (isMovedByLock(declared)) return declared;
  const nodes = pickNodes(declared);
  const { wave } = declared.action === 'roll' ? declared : {};
  if (!restartsInPlace(change)) return { ...change, ...nodes };
  // Room for a surge is no room for engines of another shape.
  // Nor do old pods get requests on another port while new ones start.
  const { portSwitch } = declared;
  const isSurging = surges && change.reason?.kind !== 'shape' && !nodes && !portSwitch;
  const down = !isSurging && (declared.action !== 'roll' || declared.down === true);
  return {
    ...change,
    action: 'roll',
    down,
    ...(wave !== undefined && { wave }),
    ...(portSwitch && { portSwitch }),
    ...nodes,
  };
}

/** What happens to the nodes of a replica. Undefined: nothing. */
function pickNodes({ nodes, mayStay, ifDrained }: ReplicaChange): Partial<ReplicaChange> | undefined {
  return nodes && { nodes, ...(mayStay && { mayStay }), ...(ifDrained && { ifDrained }) };
}

/** Whether a replica moves with downtime only because of the lock, which a supposed change leaves as it is. */
export function isMovedByLock({ action, reason, surgeFirst, finalized }: ReplicaChange): boolean {
  return action === 'move' && surgeFirst !== true && (reason === undefined || finalized === true);
}

/** Whether a replica that the declared change lists is where it was before: its pods restart there. */
function restartsInPlace({ action, from, surgeFirst, ...to }: ReplicaChange): boolean {
  if (action === 'move') return from !== undefined && !surgeFirst && locationKeyOf(from) === locationKeyOf(to);
  return action === 'keep';
}

function countStaying(placements: readonly Placement[] = []): number {
  return placements.filter(({ draining }) => !draining).length;
}
