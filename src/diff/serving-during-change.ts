import type { ModelDeployment } from '../api/model-deployment';
import { groupBy, sortUnique } from '../base/order';
import type { ReplicaChange } from '../plan/replica-moves';
import { isLoss } from '../scheduler/lost-clusters';

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

  /**
   * The clusters on which none of its replicas serves at some time, although it keeps some there: clients there get no
   * answer then. Absent: services send requests to its replicas on all clusters, or no pod can be a client.
   */
  readonly emptied?: EmptiedClusters;
}

/** Clusters on which no replica of a deployment serves at some time, by how a change is applied. */
export interface EmptiedClusters {
  readonly withWaves: readonly string[];
  readonly perCluster: readonly string[];
  readonly atOnce: readonly string[];
}

/** How a change is applied, by the number of serving replicas that counts then. */
export type ApplyMode = keyof EmptiedClusters;

/** The numbers alone, without what else is known of a change. */
export function lowestOf({ withWaves, perCluster, atOnce, emptied }: LowestServing): LowestServing {
  return { withWaves, perCluster, atOnce, ...(emptied && { emptied }) };
}

/** The numbers for a tool that applies changes in one way: what counts then comes first, and none is above it. */
export function countAsApplied<T extends LowestServing>(serving: T, applied: ApplyMode): T {
  const least = serving[applied];
  const atMost = (count: number): number => Math.min(count, least);
  return { ...serving, withWaves: least, perCluster: atMost(serving.perCluster), atOnce: atMost(serving.atOnce) };
}

/** How many replicas of a deployment serve while a change is applied, with the nodes that it names drained before. */
export interface ServingDuringChange extends ReplicaCounts, LowestServing {
  /**
   * The numbers where nodes that go are not drained as the warning `fewer-nodes` says. Absent: there are none, or draining
   * them does not help.
   */
  readonly undrained?: LowestServing;

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
 * finalized. A replica of a lost cluster does not count. A replica on a node pool that is deleted before the new pool exists does not count. Where the nodes of a
 * pool are recreated, one replica at a time on each cluster does not count.
 *
 * @param isLocal whether clients reach only the replicas of their own cluster. Default: they reach all
 */
export function countServing(
  deployment: ModelDeployment,
  changes: readonly ReplicaChange[],
  counts: ReplicaCounts,
  isLocal = false,
): ServingDuringChange {
  const { minAvailable, rollout: declared } = deployment.spec;
  const { strategy, parallel } = declared;
  const atATime = strategy === 'Recreate' ? Infinity : parallel;
  const countAll = (all: readonly ReplicaChange[]): LowestServing => countLowest(all.filter(keepsNodes), atATime);
  const undrained = countAll(changes);
  const drained = countDrained(changes, atATime);
  const lowest = drained ?? undrained;
  const rollout = countLowest(changes, atATime);
  const isPoolToBlame = lowest.withWaves === 0 && rollout.withWaves > 0;
  return {
    ...counts,
    ...lowest,
    ...(isLocal && { emptied: listEmptied(changes, (own) => countDrained(own, atATime) ?? countAll(own)) }),
    ...(drained && { undrained: { ...undrained, ...(isLocal && { emptied: listEmptied(changes, countAll) }) } }),
    recreate: strategy === 'Recreate' && !isPoolToBlame,
    ...(minAvailable !== undefined && { minAvailable }),
  };
}

/** Lists the clusters of which all replicas stop at some time, without those that all replicas leave. */
function listEmptied(
  changes: readonly ReplicaChange[],
  count: (own: readonly ReplicaChange[]) => LowestServing,
): EmptiedClusters {
  const kept = new Set(changes.flatMap(({ action, cluster }) => (LEAVING.has(action) ? [] : [cluster])));
  const served = groupBy(
    changes.filter(({ action }) => action !== 'place'),
    clusterOf,
  );
  const lowest = [...served].flatMap(([cluster, own]) => (kept.has(cluster) ? [{ cluster, ...count(own) }] : []));
  const without = (applied: ApplyMode): string[] =>
    sortUnique(lowest.flatMap(({ cluster, [applied]: least }) => (least === 0 ? [cluster] : [])));
  return { withWaves: without('withWaves'), perCluster: without('perCluster'), atOnce: without('atOnce') };
}

const LEAVING: ReadonlySet<ReplicaChange['action']> = new Set(['draining', 'lost', 'remove']);

function countLowest(changes: readonly ReplicaChange[], parallel: number): LowestServing {
  const serving = changes.filter(servesUntilReplaced);
  const down = serving.filter(isDownInRollout);
  const perWave = new Map<number, number>();
  // An endpoint picker waits for no wave.
  const isAtOnce = down.some(({ portSwitch }) => portSwitch?.by === 'picker');
  for (const { wave = 1 } of down) {
    const turn = isAtOnce ? 1 : wave;
    perWave.set(turn, (perWave.get(turn) ?? 0) + 1);
  }
  const atATime = isAtOnce ? Infinity : parallel;
  const isUp = (change: ReplicaChange): boolean => !isDownInRollout(change);
  const downOnCluster = [...groupBy(serving, clusterOf).values()].map((replicas) =>
    Math.max(countRolledClusters(replicas), Math.min(atATime, replicas.filter(isDownInRollout).length)),
  );
  return {
    withWaves: serving.length - Math.max(countRolledClusters(serving), ...perWave.values()),
    perCluster: serving.length - downOnCluster.reduce((sum, count) => sum + count, 0),
    atOnce: serving.length - down.length - countRolledClusters(serving.filter(isUp)),
  };
}

/** Counts those that serve while nodes are drained, and then while the change is applied. Undefined: nothing is drained. */
function countDrained(changes: readonly ReplicaChange[], parallel: number): LowestServing | undefined {
  const exposed = changes.filter(({ ifDrained }) => ifDrained !== undefined);
  if (exposed.length === 0) return undefined;
  const restarting = exposed.filter(({ ifDrained }) => ifDrained === 'restarts');
  const serving = changes.filter(wasServing);
  const most = serving.length - new Set(restarting.map(clusterOf)).size;
  const { withWaves, perCluster, atOnce } = countLowest(changes.map(leaveNode).filter(keepsNodes), parallel);
  const atMost = (count: number): number => Math.min(count, most);
  return { withWaves: atMost(withWaves), perCluster: atMost(perCluster), atOnce: atMost(atOnce) };
}

/** What a change does to a replica that a drain has taken off a node that goes. */
function leaveNode(change: ReplicaChange): ReplicaChange {
  const { nodes: _, mayStay: __, ifDrained, ...rest } = change;
  if (ifDrained === undefined) return change;
  return restartsWithNodes(change) ? { ...rest, action: 'keep' } : rest;
}

/** Whether it serves before the change, or something that it replaces does. */
function wasServing({ action, reason }: ReplicaChange): boolean {
  return action !== 'place' && action !== 'lost' && !isLoss(reason);
}

function keepsNodes({ nodes }: ReplicaChange): boolean {
  return nodes !== 'replace';
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

/** The fewest replicas of a deployment that have to serve: `minAvailable`, or one. */
export function neededOf({ minAvailable = 0 }: Pick<ModelDeployment['spec'], 'minAvailable'>): number {
  return Math.max(1, minAvailable);
}

/** The fewest replicas of a deployment that have to serve: `minAvailable` where so many did before, or else one. */
export function countNeeded(before: number, minAvailable = 0): number {
  return before < minAvailable ? 1 : neededOf({ minAvailable });
}

/** The fewest replicas that serve wave by wave, and in all at once where a change is applied that way. */
export function countLeastServing({ withWaves, perCluster, atOnce }: LowestServing, applied: ApplyMode): number {
  return Math.min(withWaves, perCluster, applied === 'atOnce' ? atOnce : Infinity);
}

/** Whether enough replicas of a deployment serve only because nodes are drained before they go. */
export function needsDrain(serving: ServingDuringChange, applied: ApplyMode): boolean {
  const needed = countNeeded(serving.before, serving.minAvailable);
  return serving[applied] >= needed && serving.undrained !== undefined && serving.undrained[applied] < needed;
}

/** Whether a change leaves a deployment without any serving replica although it does not declare `Recreate`. */
export function isOutage({ before, after, recreate, ...lowest }: ServingDuringChange, applied: ApplyMode): boolean {
  return before > 0 && after > 0 && !recreate && lowest[applied] === 0;
}
