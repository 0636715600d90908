import type { ModelDeployment } from '../api/model-deployment';
import { groupBy } from '../base/order';
import type { ReplicaChange } from '../plan/replica-moves';

/** The number of replicas of a deployment before and after a change, without those that are draining. */
interface ReplicaCounts {
  readonly before: number;
  readonly after: number;
}

/** The fewest replicas of a deployment that serve at any time, by how a change is applied. */
export interface LowestServing {
  /** Where replicas are replaced wave by wave. */
  readonly withWaves: number;

  /** Where each cluster has its own waves, independently of the others, as with Argo CD. */
  readonly perCluster: number;

  /** Where all of them are replaced at once. */
  readonly atOnce: number;
}

/** How a change is applied, by the number of serving replicas that counts then. */
export type ApplyMode = keyof LowestServing;

/** The numbers for a tool that applies changes in one way: what counts then comes first, and none is above it. */
export function countAsApplied<T extends LowestServing>(serving: T, applied: ApplyMode): T {
  const least = serving[applied];
  const atMost = (count: number): number => Math.min(count, least);
  return { ...serving, withWaves: least, perCluster: atMost(serving.perCluster), atOnce: atMost(serving.atOnce) };
}

/** How many replicas of a deployment serve while a change is applied. */
export interface ServingDuringChange extends ReplicaCounts, LowestServing {
  /**
   * Whether the deployment accepts that: `rollout: Recreate`. It accepts what its rollout takes down, not what the
   * replacement of a node pool takes down in addition.
   */
  readonly recreate: boolean;

  /** The fewest replicas that the deployment asks to serve, which `Recreate` does not keep. Absent: it does not say. */
  readonly minAvailable?: number;
}

/**
 * Computes a lower bound of the replicas that serve while changes are applied. A placed replica counts only after the
 * change; a removed replica does not count. For a move, the old replica counts if it serves until the new one is
 * finalized. A replica on a node pool that is deleted before the new pool exists does not count. Where the nodes of a
 * pool are recreated, one replica at a time on each cluster does not count.
 */
export function countServing(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  counts: ReplicaCounts,
): ServingDuringChange {
  const { minAvailable, rollout: declared } = deployment.spec;
  const { strategy, parallel } = declared;
  const atATime = strategy === 'Recreate' ? Infinity : parallel;
  const lowest = countLowest(
    changes.filter(({ nodes }) => nodes !== 'replace'),
    atATime,
  );
  const rollout = countLowest(changes, atATime);
  const isPoolToBlame = lowest.withWaves === 0 && rollout.withWaves > 0;
  return {
    ...counts,
    ...lowest,
    recreate: strategy === 'Recreate' && !isPoolToBlame,
    ...(minAvailable !== undefined && { minAvailable }),
  };
}

function countLowest(changes: readonly ReplicaChange[], parallel: number): LowestServing {
  const serving = changes.filter(servesUntilReplaced);
  const down = serving.filter(isDownInRollout);
  const perWave = new Map<number, number>();
  for (const { wave = 1 } of down) perWave.set(wave, (perWave.get(wave) ?? 0) + 1);
  const isUp = (change: ReplicaChange): boolean => !isDownInRollout(change);
  const downOnCluster = [...groupBy(serving, clusterOf).values()].map((replicas) =>
    Math.max(countRolledClusters(replicas), Math.min(parallel, replicas.filter(isDownInRollout).length)),
  );
  return {
    withWaves: serving.length - Math.max(countRolledClusters(serving), ...perWave.values()),
    perCluster: serving.length - downOnCluster.reduce((sum, count) => sum + count, 0),
    atOnce: serving.length - down.length - countRolledClusters(serving.filter(isUp)),
  };
}

/** The clusters on which nodes of such replicas are recreated: one node at a time on each. */
function countRolledClusters(changes: readonly ReplicaChange[]): number {
  const rolled = changes.filter(({ nodes }) => nodes === 'roll');
  return new Set(rolled.map(clusterOf)).size;
}

/** The cluster on which a replica serves until the change. */
function clusterOf({ from, cluster }: ReplicaChange): string {
  return from?.cluster ?? cluster;
}

function servesUntilReplaced({ action, surgeFirst }: ReplicaChange): boolean {
  return action === 'keep' || action === 'draining' || action === 'roll' || (action === 'move' && surgeFirst === true);
}

/** Whether a replica stops because its own pods are replaced, in its wave. */
function isDownInRollout(change: ReplicaChange): boolean {
  return change.action === 'roll' && change.down === true && !restartsWithNodes(change);
}

/** Whether a replica restarts only because its nodes do. */
export function restartsWithNodes({ action, wave, nodes }: ReplicaChange): boolean {
  return action === 'roll' && nodes !== undefined && wave === undefined;
}

/** Whether a change leaves a deployment without any serving replica although it does not declare `Recreate`. */
export function isOutage({ before, after, recreate, ...lowest }: ServingDuringChange, applied: ApplyMode): boolean {
  return before > 0 && after > 0 && !recreate && lowest[applied] === 0;
}
