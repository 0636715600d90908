import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { describeReplacement, formatChange, joinAnd, joinNames, placeText, pluralize } from '../../base/text';
import type { PlacementPolicy } from '../../api/placement';
import type { CacheChange } from '../../diff/cache-changes';
import type { Downtime, StartWait } from '../../diff/downtime';
import type { DeclarationChange } from '../../diff/declaration-changes';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { ObjectChange } from '../../diff/object-changes';
import { losesItsPool } from '../../diff/pool-disruption';
import type { Cause } from '../../diff/replica-causes';
import { restartsWithNodes } from '../../diff/serving-during-change';
import { formatEvictionReason } from '../../plan/rejection-messages';
import type { ReplicaChange, ReplicaLocation } from '../../plan/replica-moves';
import type { OtherClusters } from '../../scheduler/explain-deployment';
import type { ChosenCluster } from '../../scheduler/place-replicas';
import type { EvictionReason } from '../../scheduler/schedule-result';
import { isLoss } from '../../scheduler/lost-clusters';
import { haveSamePools } from '../../scheduler/placement';
import { formatMainReasons } from '../plan/shortfall-text';
import { formatFieldChange, shortenField } from './field-changes-text';

export const REPLICA_ACTION_WORDS: Readonly<Record<ReplicaChange['action'], string>> = {
  keep: 'kept',
  place: 'placed',
  move: 'moved',
  roll: 'rolled in place',
  draining: 'draining',
  lost: 'lost',
  remove: 'removed',
};

const OBJECT_ACTION_WORDS: Readonly<Record<ObjectChange['action'], string>> = {
  create: 'created',
  change: 'changed',
  replace: 'replaced',
  delete: 'deleted',
};

const CACHE_ACTION_WORDS: Readonly<Record<CacheChange['action'], string>> = {
  stage: 'staged',
  restage: 'staged again, next to the existing files',
  relocate:
    'staged again, into a new volume of the new storage class; the old volume is deleted where manifests are pruned ' +
    "(Argo CD, Flux: 'prune: true'); otherwise it stays until you delete it",
  refill:
    'staged again, into a new volume, because the cluster is replaced; delete its volume claim before the cluster, ' +
    'because the cloud may keep and bill the old volume otherwise',
  drop:
    "no longer needed; its volume is deleted where manifests are pruned (Argo CD, Flux: 'prune: true'); " +
    'otherwise it stays until you delete it',
};

/** The driver that makes volumes runs on the cluster: without it, no one deletes them. */
const DROPPED_WITH_CLUSTER =
  'no longer needed; delete its volume claim before the cluster, because the cloud may keep and bill the volume otherwise';

/** `2 -> 3 replicas; at least 1 serves during rollout, 0 where all are replaced at once`. */
export function formatServing({ serving, downtime }: DeploymentDiff): string {
  const { before, after } = serving;
  return `${formatChange(before, after, pluralize(after, 'replica'))}${formatLowest(serving, downtime)}`;
}

/** The most clusters to name. */
const MAX_NAMED = 3;

/** `; at least 1 serves during rollout, 0 where all are replaced at once`. Empty where none serves before or after. */
export function formatLowest(serving: DeploymentDiff['serving'], downtime?: Downtime): string {
  const { withWaves, perCluster, atOnce, emptied } = serving.undrained ?? serving;
  if (serving.before === 0 || serving.after === 0) return '';
  const clusters = withWaves === 0 ? [] : (emptied?.withWaves ?? []);
  const none = clusters.length === 0 ? '' : ` (for a time none on ${joinNames(clusters, MAX_NAMED, ' or ')})`;
  const independent = perCluster < withWaves ? `, ${perCluster} where clusters are applied independently` : '';
  const without = atOnce === withWaves ? '' : `, ${atOnce} where all are replaced at once`;
  const down = withWaves === 0 && downtime ? `, down ${formatDownFor(downtime)}` : '';
  const lowest = `${down}${independent}${without}${serving.recreate ? ', as Recreate specifies' : ''}`;
  return `; at least ${withWaves} ${withWaves === 1 ? 'serves' : 'serve'} during rollout${none}${lowest}`;
}

/**
 * `about 2 to 9 minutes`, `up to 63 minutes plus the time to stage its cache`: how long each replica that stops is down.
 */
export function formatDowntime(downtime: Downtime, unit: 'minutes' | 'min' = 'minutes'): string {
  const { least, most } = downtime;
  const word = most === 1 && unit === 'minutes' ? 'minute' : unit;
  if (least === undefined) return `up to ${formatCount(most)} ${word}${formatWaits(downtime)}`;
  return `about ${least === most ? '' : `${formatCount(least)} to `}${formatCount(most)} ${word}${formatWaits(downtime)}`;
}

/** ` plus the time to create nodes, and to stage its cache (not with Argo CD)`. Empty: nothing is waited for. */
function formatWaits({ waits = [], stagesFirst }: Downtime): string {
  const always = waits.filter((wait) => !stagesFirst || wait !== 'cache').map((wait) => WAIT_WORDS[wait]);
  const staged = always.length < waits.length ? [`${WAIT_WORDS.cache} (not with Argo CD)`] : [];
  const times = [...(always.length > 0 ? [joinAnd(always)] : []), ...staged];
  return times.length === 0 ? '' : ` plus the time to ${times.join(', and to ')}`;
}

/**
 * `for about 2 to 9 minutes`, `of about 2 to 9 minutes`; where replicas stop twice, both times with what stops them:
 * `twice: about 2 to 9 minutes plus the time to create nodes while nodes are recreated, then about 2 to 9 minutes when
 * manifests are applied`.
 */
export function formatDownFor({ twice, ...once }: Downtime, preposition = 'for'): string {
  if (twice === undefined) return `${preposition} ${formatDowntime(once)}`;
  const waits = once.waits?.filter((wait) => wait === 'cache') ?? [];
  const parts = [
    `${formatDowntime(once)} while nodes are recreated`,
    `${formatDowntime({ ...once, waits })} when manifests are applied`,
  ];
  return `twice: ${(twice === 'nodes-first' ? parts : parts.toReversed()).join(', then ')}`;
}

const WAIT_WORDS: Readonly<Record<StartWait, string>> = {
  cluster: 'create the cluster',
  nodes: 'create nodes',
  cache: 'stage its cache',
};

/** Formats the causes of a change as the end of its line. */
export type FormatCauses = (causes: readonly Cause[]) => string;

/** How texts refer to the edits that cause something. */
export interface CiteEdits {
  readonly because: FormatCauses;

  /** `edits 1 and 3`. Undefined where they have no numbers. */
  readonly nameEdits: (causes: readonly Cause[]) => string | undefined;
}

/** Refers to edits by their fields and positions. */
export const CITE_IN_FULL: CiteEdits = { because: formatBecause, nameEdits: () => undefined };

/** ` (edits 1 and 3)`. Empty where edits have no numbers: what they do says enough there. */
export function citeNumbers(causes: readonly Cause[], { because, nameEdits }: CiteEdits = CITE_IN_FULL): string {
  return nameEdits(causes) === undefined ? '' : because(causes);
}

/** `rolled in place, wave 1, stops before its replacement serves; because spec.replicas: 2 -> 3 (fleet.yaml:3:9)`. */
export function formatReplicaChange(change: ReplicaChangeWithCauses, because: FormatCauses = formatBecause): string {
  return `${formatAction(change)}${because(change.causes)}${formatTooEarly(change)}`;
}

/**
 * `rolled in place, 1 at a time, stops before its replacement serves; because ...`: what happens to each of several
 * replicas, without their places.
 *
 * @param order when it happens to each: `, 1 at a time`
 */
export function formatEachReplica(
  { from, finalized, ...change }: ReplicaChangeWithCauses,
  order: string,
  because: FormatCauses = formatBecause,
): string {
  const origin = from && change.action === 'roll' ? { from } : {};
  const early = finalized ? "; the old one left the lock by 'lock --finalize' before its replacement serves" : '';
  return `${formatAction({ ...change, ...origin }, order)}${because(change.causes)}${early}`;
}

export function formatReplicaAction(change: ReplicaChangeWithCauses): string {
  return `${formatAction(change)}${formatTooEarly(change)}`;
}

function formatAction(change: ReplicaChangeWithCauses, order = orderOf(change)): string {
  const { action, reason } = change;
  if (change.misplaced && restartsWithNodes(change)) return MISPLACED;
  if (losesItsPool(change)) return describeLostPool(change);
  if (change.mayStay && restartsWithNodes(change)) return MAY_RESTART;
  const how = ACTION_DETAILS[action]?.(change, order) ?? REPLICA_ACTION_WORDS[action];
  const why =
    reason && action !== 'lost'
      ? `${action === 'move' ? ':' : ','} ${formatEvictionReason(omitDowntime(reason, change))}`
      : '';
  return `${how}${why}${formatRoomOfDraining(change)}${formatNodes(change)}`;
}

function orderOf({ wave }: ReplicaChange): string {
  return wave === undefined ? '' : `, wave ${wave}`;
}

/** A surge of its pods replaces a replica that rolls where the lock has room for one: then nothing stops. */
function omitDowntime(reason: EvictionReason, { action, down, nodes }: ReplicaChangeWithCauses): EvictionReason {
  if (action !== 'roll' || down || nodes !== undefined || !('downtime' in reason)) return reason;
  const { downtime: _, ...rest } = reason;
  return rest;
}

/** Why a replica moves although its cluster stays. */
function formatRoomOfDraining({ from, crowdedOut }: ReplicaChange): string {
  return crowdedOut && from ? `, and ${from.cluster} has no room for both until the old one is finalized` : '';
}

/** Why the replica that it replaces does not serve until it does: no edit is the cause of that. */
function formatTooEarly({ from, finalized, ...change }: ReplicaChange): string {
  return finalized ? `; ${formatFinalized(from ?? change)}` : '';
}

/** `us/0 left the lock by 'lock --finalize' before its replacement serves`. */
export function formatFinalized(place: ReplicaLocation): string {
  return `${placeText(place)} left the lock by 'lock --finalize' before its replacement serves`;
}

/** The pools of a replica, joined: `prefill+decode`. */
export function poolsOf({ pools }: Pick<ReplicaChange, 'pools'>): string {
  return sortUnique(Object.values(pools)).join('+');
}

const MISPLACED = 'stops for good: the new nodes do not match';

/** `stops for good: its cluster is removed`. An error of its deployment keeps its line in the lock: its action is a roll. */
function describeLostPool({ cluster, causes }: ReplicaChangeWithCauses): string {
  const isClusterGone = causes.some(({ id, action }) => id === `InferenceCluster ${cluster}` && action === 'removed');
  return `stops for good: its ${isClusterGone ? 'cluster' : 'node pool'} is removed`;
}

const MAY_RESTART = 'may restart: the cloud chooses which nodes go';

/** `, down because its nodes are deleted first`. Empty where nothing happens to its nodes. */
export function formatNodes({ nodes, mayStay, misplaced }: ReplicaChange): string {
  if (nodes === undefined) return '';
  if (mayStay) return ', down earlier if its node goes: the cloud chooses';
  if (misplaced) return `, ${MISPLACED}`;
  return nodes === 'replace'
    ? ', down because its nodes are deleted first'
    : ', restarts while its nodes are recreated';
}

/** Formats the actions on replicas that need more detail than the words for the action. */
const ACTION_DETAILS: Partial<
  Record<ReplicaChange['action'], (change: ReplicaChangeWithCauses, order: string) => string>
> = {
  move: ({ from, reason, surgeFirst, otherNodes, cluster, pools }) => {
    const [old, next] = [from && poolsOf(from), poolsOf({ pools })];
    const where = old === next ? ` of ${cluster}` : '';
    const [was, is] = otherNodes && old !== undefined ? [` on ${old}`, ` to ${next}${where}`] : ['', ''];
    const origin = from ? ` from ${placeText(from)}${was}` : '';
    const how = isLoss(reason) ? '' : `, ${describeReplacement(surgeFirst)}`;
    return `${REPLICA_ACTION_WORDS.move}${origin}${is}${how}`;
  },
  draining: ({ unreplaced }) => `${REPLICA_ACTION_WORDS.draining}${unreplaced ? ' until its replacement fits' : ''}`,
  lost: ({ cluster }) => describeLostReplica(cluster),
  remove: ({ drained }) => (drained ? 'drained and removed' : REPLICA_ACTION_WORDS.remove),
  roll: ({ down, copiesInTurn, from, pools }, order) => {
    const isMoved = from !== undefined && !haveSamePools(from.pools, pools);
    const how = isMoved ? `moved from pool ${poolsOf(from)} to ${poolsOf({ pools })}` : REPLICA_ACTION_WORDS.roll;
    const copies = copiesInTurn === undefined ? '' : ', one copy down at a time';
    return `${how}${order}${down ? ', stops before its replacement serves' : copies}`;
  },
};

/** Why a replica of a lost cluster is none that serves. */
export function describeLostReplica(cluster: string): string {
  return `does not serve, because cluster ${cluster} is lost`;
}

/** Formats why replicas moved to no other cluster, as a line. Empty where no other could be asked. */
export function formatElsewhere({ elsewhere }: DeploymentDiff): string[] {
  if (!elsewhere) return [];
  const { rejections, open } = elsewhere;
  return [
    ...(rejections.length > 0 ? [`not elsewhere: ${formatMainReasons(rejections)}`] : []),
    ...(open.length > 0 ? [`room for one more on ${joinNames(open)} too: ${describeChoice(elsewhere)}`] : []),
  ];
}

/** Why one cluster was chosen of several with room, in the words of a reader who does not know the policy. */
function describeChoice({ chosen, open: [other = ''], policy }: OtherClusters): string {
  if (!chosen) return `'placement.policy: ${policy}' chooses`;
  const { cluster, by, replicas, room } = chosen;
  const texts: Readonly<Record<typeof by, string>> = {
    domain: `the failure domain of ${cluster} had fewer replicas of it`,
    score: SCORES[policy](chosen, other),
    gateway: `an ingress gateway reaches ${cluster}, and not ${other}`,
    room: `${cluster} and ${other} ${describeEqual(policy, replicas.chosen)}, and ${cluster} had more free devices for it: ${formatRoom(room, other)}`,
    name: `${cluster} and ${other} are equal by 'placement.policy: ${policy}', and the first by name is chosen`,
  };
  return texts[by];
}

/** What a policy finds better in one cluster than in another. */
const SCORES: Readonly<Record<PlacementPolicy, (chosen: ChosenCluster, other: string) => string>> = {
  Spread: ({ cluster, replicas }, other) =>
    `${cluster} had ${pluralize(replicas.chosen, 'replica')} of it, and ${other} ${replicas.other}`,
  Pack: ({ cluster }, other) => `${cluster} was fuller than ${other}, as 'placement.policy: Pack' asks for`,
  Cheapest: ({ cluster }, other) => `${cluster} is cheaper for it than ${other}`,
  Preferred: ({ cluster }, other) => `${cluster} comes before ${other} in 'placement.preferred'`,
};

function describeEqual(policy: PlacementPolicy, count: number): string {
  return policy === 'Spread' ? `had ${pluralize(count, 'replica')} of it each` : 'were equal';
}

/** `enough for 22, on eu for 5`: what is free, whether a place is guaranteed or not. */
function formatRoom({ chosen, other }: ChosenCluster['room'], name: string): string {
  const [most, least] = [Math.floor(chosen), Math.floor(other)];
  if (most === least) return 'a part of one more';
  return `enough for ${formatCount(most)}, on ${name} for ${formatCount(least)}`;
}

/** Formats causes as a clause: `; because ml/q spec.replicas: 2 -> 3 (fleet.yaml:3:9)`. Empty if there are none. */
export function formatBecause(causes: readonly Cause[]): string {
  return causes.length === 0 ? '' : `; because ${formatCauses(causes)}`;
}

const MAX_CAUSES = 3;

/** Formats causes as a list: `ml/q spec.replicas: 2 -> 3 (fleet.yaml:3:9)`. The same edit of two engines is one. */
export function formatCauses(causes: readonly Cause[]): string {
  const texts = [...groupBy(causes, describeCause)].map(([text, all]) => {
    return `${text} (${joinNames(sortUnique(all.map(({ where }) => where)), MAX_CAUSES)})`;
  });
  return joinNames(texts, MAX_CAUSES, '; ');
}

/** `ModelService ml/chat endpoints[0].weight: 9 -> 7`: an edit, without its position. */
export function describeCause({ id, action, field }: Cause): string {
  if (!field) return `${id} is ${DECLARATION_ACTION_WORDS[action]}`;
  // The source position identifies the rest of the path.
  return `${id} ${formatFieldChange({ ...field, field: shortenField(field.field) })}`;
}

const DECLARATION_ACTION_WORDS: Readonly<Record<DeclarationChange['action'], string>> = {
  added: 'new',
  removed: 'gone',
  changed: 'changed',
};

/** `ml/weights on us: staged from acme/chat (volume of 20 GiB); because ModelCache ml/weights is new (a.yaml:3:1)`. */
export function formatCacheChange(
  { cache, cluster, action, sizeGiB, origin, causes }: CacheChange,
  because: FormatCauses = formatBecause,
): string {
  const size = sizeGiB === undefined ? '' : ` (volume of ${formatCount(sizeGiB)} GiB)`;
  const isClusterGone = causes.some((one) => one.id === `InferenceCluster ${cluster}` && one.action === 'removed');
  const words = action === 'drop' && isClusterGone ? DROPPED_WITH_CLUSTER : CACHE_ACTION_WORDS[action];
  return `${cache} on ${cluster}: ${words}${formatOrigin(origin)}${size}${because(causes)}`;
}

/** ` from acme/chat at main`. Empty where it is not known, or not new. */
function formatOrigin({ from, revision }: CacheChange['origin'] = {}): string {
  if (from === undefined) return '';
  return ` from ${from}${revision === undefined ? '' : ` at ${revision}`}`;
}

/** Formats how many objects change: `1 created, 2 changed`, `5 deleted, 2 not pruned (no cost, nothing to do)`, or `none change`. */
export function formatObjectTotals(objects: readonly ObjectChange[]): string {
  const changes = objects.map(({ action, neverPruned }) => ({ action: neverPruned ? ('leave' as const) : action }));
  return (
    formatActionCounts(changes, { ...OBJECT_ACTION_WORDS, leave: 'not pruned (no cost, nothing to do)' }) ||
    'none change'
  );
}

/** Why Argo CD and Flux leave objects, by kind. */
const KEPT_FOR: Readonly<Record<string, string>> = {
  ResourceClaimTemplate: 'pods of an earlier revision may need it, and it reserves nothing',
  Namespace: 'other objects may be in it',
};

/** `, not pruned: other objects may be in it`, of an object that Argo CD and Flux leave. */
export function describeNotPruned({ kind, neverPruned }: ObjectChange): string {
  const why = KEPT_FOR[kind];
  return neverPruned ? `, not pruned${why === undefined ? '' : `: ${why}`}` : '';
}

/** Formats the number of changes by action, in the order of the words: `1 created, 2 changed`. */
export function formatActionCounts<A extends string>(
  changes: readonly { readonly action: A }[],
  words: Readonly<Record<A, string>>,
): string {
  const counts = Object.entries<string>(words).map(([action, word]) => {
    return { word, count: changes.filter((one) => one.action === action).length };
  });
  return counts.flatMap(({ word, count }) => (count > 0 ? [`${formatCount(count)} ${word}`] : [])).join(', ');
}
