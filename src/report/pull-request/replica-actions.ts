import type { DeploymentDiff } from '../../diff/deployment-diff';
import { movesToPool } from '../../diff/replica-causes';
import { isEvicted } from '../../plan/replica-moves';
import { type ApplyMode, restartsWithNodes } from '../../diff/serving-during-change';
import type { ReplicaChange } from '../../plan/replica-moves';

/**
 * What happens to a replica: `offline` on nodes that are deleted first, `mayRestart` where the cloud chooses which nodes
 * go, `restart` while its nodes are recreated, `evict` where it has no place any more, `unreplaced` where it drains and its
 * replacement has no place, `finish` where it was draining and leaves.
 */
export type Action =
  | Exclude<ReplicaChange['action'], 'keep'>
  | 'offline'
  | 'mayRestart'
  | 'restart'
  | 'evict'
  | 'unreplaced'
  | 'finish';

/** The number of replicas by what happens to them. */
export type ActionCounts = Readonly<Record<Action, number>>;

export const NO_ACTIONS: ActionCounts = {
  offline: 0,
  mayRestart: 0,
  restart: 0,
  place: 0,
  move: 0,
  roll: 0,
  draining: 0,
  unreplaced: 0,
  lost: 0,
  remove: 0,
  evict: 0,
  finish: 0,
};

/** Counts the replicas of a deployment by what happens to them. A replica that restarts once more counts twice. */
export function countActions({ changes }: DeploymentDiff): ActionCounts {
  const others = changes.filter((one) => !isOffline(one) && !restartsWithNodes(one));
  const count = (action: ReplicaChange['action']): number => others.filter((one) => one.action === action).length;
  const shifted = others.filter(movesToPool);
  const finished = others.filter(({ drained }) => drained);
  const unreplaced = others.filter((one) => one.unreplaced).length;
  const evicted = others.filter((one) => isEvicted(one) && !one.drained);
  return {
    offline: changes.filter(isOffline).length,
    mayRestart: changes.filter((one) => one.mayStay && restartsWithNodes(one)).length,
    restart: changes.filter(({ nodes }) => nodes === 'roll').length,
    place: count('place'),
    move: count('move') + shifted.length,
    roll: count('roll') - shifted.length,
    draining: count('draining') - unreplaced,
    unreplaced,
    lost: count('lost'),
    remove: count('remove') - evicted.length - finished.length,
    evict: evicted.length,
    finish: finished.length,
  };
}

/** Whether a replica stays on nodes that are sure to be deleted before the new ones exist. */
function isOffline(change: ReplicaChange): boolean {
  return change.nodes === 'replace' && !change.mayStay && change.action !== 'move' && !movesToPool(change);
}

/** The most replicas that stop at the same time, because their own pods are replaced. */
export function countAtATime({ changes }: DeploymentDiff, applied: ApplyMode): number {
  const waves = new Map<number, number>();
  for (const change of changes) {
    const { action, down, nodes, mayStay } = change;
    const wave = applied === 'atOnce' ? 1 : (change.wave ?? 1);
    if (
      action === 'roll' &&
      down &&
      (nodes !== 'replace' || mayStay) &&
      !restartsWithNodes(change) &&
      !movesToPool(change)
    )
      waves.set(wave, (waves.get(wave) ?? 0) + 1);
  }
  return Math.max(0, ...waves.values());
}

/** Of replicas that serve while they restart, the most copies that do so one after the other. */
export function pickCopiesInTurn({ changes }: DeploymentDiff): { readonly copiesInTurn?: number } {
  const serving = changes.filter(({ action, down }) => action === 'roll' && !down);
  const copiesInTurn = Math.max(1, ...serving.map((one) => one.copiesInTurn ?? 1));
  return copiesInTurn > 1 ? { copiesInTurn } : {};
}
