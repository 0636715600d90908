import { formatRoundPercent } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { capitalize, decapitalize, joinAlternatives, joinAnd, joinNames } from '../../base/text';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { ExtraReplicas } from '../../diff/extra-replicas';
import { findOutages, type FleetDiff } from '../../diff/fleet-diff';
import { keepCluster } from '../../diff/gateway-warnings';
import type { OutageFinding } from '../../diff/deployment-findings';
import type { LostShare } from '../../diff/lost-shares';
import { losesItsPool } from '../../diff/pool-disruption';
import type { RolloutRoom } from '../../diff/rollout-room';
import type { ApplyMode } from '../../diff/serving-during-change';
import { formatDowntime, formatFinalized } from './change-sentences';
import { type EarlierEdits, formatCost, listEdits } from './earlier-edits';
import { describeSharedNeeds, describeSurge, hintAtBoth } from './room-sentences';
import { countRemovedToo } from '../../diff/lost-nodes';

/** Fields of a cluster with which a cloud replaces the cluster or its network, and all nodes with it. */
const CLUSTER_FIELD = /^spec\.(cluster|network)\b/;

function losesCluster({ nodes, causes }: ReplicaChangeWithCauses): boolean {
  if (nodes !== 'replace') return false;
  return causes.some(({ id, field }) => id.startsWith('InferenceCluster ') && CLUSTER_FIELD.test(field?.field ?? ''));
}

/** Whether a replica serves on a cluster until its declaration is removed. One that has errors may have no other place. */
function losesRemovedCluster({ reason, nodes, causes }: ReplicaChangeWithCauses): boolean {
  if (reason?.kind !== 'cluster-gone' && nodes !== 'replace') return false;
  return causes.some(({ id, action }) => id.startsWith('InferenceCluster ') && action === 'removed');
}

/** ` if clusters are applied independently`, where more replicas serve if they are applied one after the other. */
export function describeApplied({ serving }: DeploymentDiff, applied: ApplyMode): string {
  const isWorse = applied === 'perCluster' && serving.perCluster < serving.withWaves;
  return isWorse ? ' if clusters are applied independently' : '';
}

/** The most replicas or pools to name. */
const MAX_NAMED = 3;

/** An outage as a clause, and what to do about it. */
export function describeOutage(
  change: DeploymentDiff,
  { applied = 'withWaves', against }: AppliedChange = {},
): {
  readonly what: string;
  readonly hint: string;
} {
  const { deployment, changes, serving } = change;
  const isLost = changes.every(losesItsPool);
  const isMisplaced = changes.every(({ misplaced }) => misplaced);
  const howLong = change.downtime ? `for ${formatDowntime(change.downtime)} ` : '';
  const later = isMisplaced ? 'after the change' : `${howLong}while the change is applied`;
  const when = isLost ? 'after the change, until it has another place' : later;
  const finalized = changes.filter((one) => one.finalized).map((one) => formatFinalized(one.from ?? one));
  const lost = isMisplaced ? ': the new nodes do not match' : '';
  const why = finalized.length > 0 ? `: ${joinNames(finalized, MAX_NAMED)}` : lost;
  const has = changes.some(({ mayStay }) => mayStay) ? 'may have' : 'has';
  const what = `${deployment} ${has} no serving replica ${when}${describeApplied(change, applied)}${why}${describeDrained(change)}`;
  const isOther = changes.some((one) => one.finalized || one.nodes === 'replace');
  const hint = describeServingRemedy(change, { applied, ...(against !== undefined && { against }) });
  if (isOther || !changes.some((one) => one.action === 'roll' || stopsFirst(one))) return { what, hint };
  const voided = serving.minAvailable === undefined ? '' : `, which also voids 'minAvailable: ${serving.minAvailable}'`;
  const accept = `accept downtime with 'rollout: Recreate'${voided}`;
  // A surge of a gang reserves whole nodes, which are idle between rollouts.
  if (change.room?.gang) return { what, hint: `${capitalize(accept)}. Or ${decapitalize(hint)}` };
  return { what, hint: joinRemedies([hint, accept]) };
}

/** `serve`. Where a cloud chooses which nodes go, more of them may: `are sure to serve`. */
export function describeServing(count: number, { changes }: Pick<DeploymentDiff, 'changes'>): string {
  const [is, serves] = count === 1 ? ['is', 'serves'] : ['are', 'serve'];
  return changes.some(({ mayStay }) => mayStay) ? `${is} sure to serve` : serves;
}

/** `, even if nodes are drained first`. Empty: there is nothing to drain, or draining does not help. */
export function describeDrained({ changes }: Pick<DeploymentDiff, 'changes'>): string {
  return changes.some(({ ifDrained }) => ifDrained) ? ', even if nodes are drained first' : '';
}

/** `Add 1 more node of us/h100, lower 'rollout.parallel', or lower 'minAvailable'`, without those that are empty. */
export function joinRemedies(parts: readonly string[]): string {
  return capitalize(joinAlternatives(parts.filter((part) => part !== '')));
}

/**
 * What clients see while replicas do not serve, as clauses: `all requests for ml/coder fail`, `5 % of the requests for
 * ml/chat lose their replicas during the rollout; they go to ml/llama on eu (2 replicas)`. Empty: that is not known.
 */
export function describeShares({
  change: { deployment },
  shares,
  unselected,
}: Pick<OutageFinding, 'change' | 'shares' | 'unselected'>): string[] {
  if (shares.length > 0) return sortUnique(shares.map(formatLostShare));
  return unselected ? [`no service selects ${deployment}, ${UNSELECTED[unselected]}`] : [];
}

/** Who requests a deployment that no service selects. */
const UNSELECTED: Readonly<Record<NonNullable<OutageFinding['unselected']>, string>> = {
  unreachable: 'and no client can reach it',
  inClusters: 'so only clients in its clusters can notice',
};

function formatLostShare({ service, match, share, takers, load, isFallback, isPossible }: LostShare): string {
  const part = share >= 1 ? 'all' : `${formatRoundPercent(share)} of the`;
  const requests = `${part} requests for the service ${service}${match === '' ? '' : ` with ${match}`}`;
  const [may, then] = isPossible ? ['may ', 'then '] : ['', ''];
  if (takers.length === 0) return `${requests} ${may}fail`;
  const where = joinNames(takers, MAX_NAMED);
  const to = isFallback ? `tier 1, ${where}` : `${where}${load}`;
  return `${requests} ${may}lose their replicas during the rollout; they ${then}go to ${to}`;
}

/** How a change is applied, and with what it is compared. */
interface AppliedChange {
  /** Default: wave by wave. */
  readonly applied?: ApplyMode;

  /** The earlier state. Default: a placeholder. */
  readonly against?: string;
}

/** What keeps enough replicas serving during a change, as a clause that alternatives can follow. Empty: nothing is known. */
export function describeServingRemedy(
  change: RemediedChange,
  { applied = 'withWaves', against = 'REVISION' }: AppliedChange = {},
): string {
  const remedy = SERVING_REMEDIES.find(({ applies }) => change.changes.some(applies));
  return remedy?.hint(change, { applied, against }) ?? 'Keep the old replica until its replacement serves';
}

/** What drains a cluster. */
export const DRAIN_TAINT = 'taints: [{ key: retired, effect: NoExecute }]';

const DRAIN_FIRST = `Drain the cluster first, with '${DRAIN_TAINT}', run 'fleetwright lock DIR --finalize' when the new replicas serve, and remove it after that`;

type RemediedChange = Pick<DeploymentDiff, 'changes' | 'room' | 'cachedStart' | 'extra' | 'serving'>;

interface ServingRemedy {
  readonly applies: (change: ReplicaChangeWithCauses) => boolean;
  readonly hint: (change: RemediedChange, how: Required<AppliedChange>) => string;
}

/** Nothing moves a replica off a pool that has room for it: another one has to serve meanwhile. */
const ADDED_EARLIER: ServingRemedy = {
  applies: ({ nodes }) => nodes !== undefined,
  hint: ({ changes, extra, serving }, { applied }) => {
    const add = extra && keepsServing(extra, applied) ? describeExtra(extra) : ADD_ELSEWHERE;
    const added = `${nameUnusedPools(changes)}${add}; apply this change when it serves`;
    const separate = nameSeparateClusters(changes, serving);
    if (separate !== undefined) {
      return `Change ${separate} one after the other, each in a change of its own; or ${decapitalize(added)}`;
    }
    const removed = countRemovedToo(changes);
    if (removed === 0) return added;
    return `In an earlier change, remove ${removed === 1 ? 'the replica' : 'the replicas'}, and keep the nodes; or ${decapitalize(added)}`;
  },
};

/**
 * `eks-ir and eks-us`: the clusters whose own edits recreate nodes, of which the replicas on one may stop and enough serve on
 * the others. Undefined: it would not be enough, or one edit recreates the nodes of several.
 */
function nameSeparateClusters(
  changes: RemediedChange['changes'],
  { before, minAvailable = 1 }: RemediedChange['serving'],
): string | undefined {
  const stopped = groupBy(changes, ({ cluster }) => cluster);
  const isOwn = [...stopped].every(([cluster, own]) =>
    own.every(
      ({ nodes, causes }) => nodes === 'roll' && causes.every(({ id }) => id === `InferenceCluster ${cluster}`),
    ),
  );
  // Of the replicas on a cluster, one at a time stops.
  return isOwn && stopped.size > 1 && before - 1 >= minAvailable ? joinAnd([...stopped.keys()].sort()) : undefined;
}

/** Pods restart in place. */
const SURGED: ServingRemedy = { applies: ({ action }) => action === 'roll', hint: hintAtSurge };

/** What keeps replicas serving, by what happens to one of them. The first that applies counts. */
const SERVING_REMEDIES: readonly ServingRemedy[] = [
  {
    applies: losesRemovedCluster,
    hint: ({ changes }) => {
      // A drain of replicas without another place never ends.
      const kept = sortUnique(changes.filter(losesItsPool).map(({ cluster }) => cluster));
      return kept.length > 0 ? `Keep ${joinNames(kept, MAX_NAMED)} until its replicas have other places` : DRAIN_FIRST;
    },
  },
  {
    applies: losesCluster,
    hint: () => keepCluster('its replicas have moved'),
  },
  {
    applies: ({ misplaced }) => misplaced === true,
    hint: () =>
      'Keep the old nodes: declare the new node pool next to the old one, let the deployment ask for it, and remove the old one when its replicas have moved',
  },
  {
    applies: losesItsPool,
    hint: ({ changes }) => `Keep ${nameLostPools(changes)}, or let the deployment ask for what another pool has`,
  },
  ADDED_EARLIER,
  {
    applies: ({ finalized }) => finalized === true,
    hint: (_, { against }) =>
      `Run 'fleetwright lock DIR --from ${against}', which takes the old replica back into the lock; run 'fleetwright lock DIR --finalize' in a later change, when the new replica serves`,
  },
  {
    applies: ({ action, reason }) => action === 'roll' && reason?.kind === 'shape',
    hint: ({ room }) => hintAtBoth(room),
  },
  SURGED,
  {
    applies: isMovedByLock,
    hint: (_, { against }) => `Run 'fleetwright lock DIR --from ${against}', which leaves replicas where they serve`,
  },
  {
    applies: (one) => stopsFirst(one) && one.causes.some(({ id }) => id.startsWith('ModelDeployment ')),
    hint: () =>
      "Instead of editing the deployment, add a second one with these edits and the same 'template.metadata.labels', and remove the first in a later change, when the second serves",
  },
];

/** Whether a replica stops before the one that replaces it elsewhere serves. */
function stopsFirst({ action, surgeFirst }: ReplicaChangeWithCauses): boolean {
  return action === 'move' && !surgeFirst;
}

/** Whether a replica moves only because the lock has it elsewhere, as after a revert of a finalized drain. */
function isMovedByLock(change: ReplicaChangeWithCauses): boolean {
  return stopsFirst(change) && change.reason === undefined;
}

function nameLostPools(changes: readonly ReplicaChangeWithCauses[]): string {
  const names = changes.filter(losesItsPool).flatMap(({ cluster, pools, causes }) => {
    const removed = new Set(causes.map(({ field }) => field?.field));
    const lost = Object.values(pools).filter((pool) => removed.has(`spec.nodePools[${pool}]`));
    return lost.map((pool) => `${cluster}/${pool}`);
  });
  return joinNames(sortUnique(names), MAX_NAMED);
}

const ADD_ELSEWHERE = 'In an earlier change, add a replica on another node pool or cluster';

/** `No replica runs on eks-us/h100-a yet. `, where replicas go to a pool that was there before. */
function nameUnusedPools(changes: readonly ReplicaChangeWithCauses[]): string {
  const created = new Set(
    changes.flatMap(({ causes }) => causes.flatMap(({ field }) => (field?.before === undefined ? [field?.field] : []))),
  );
  const pools = changes.flatMap(({ from, cluster, pools }) => {
    if (!from) return [];
    const old = new Set(Object.values(from.pools));
    const entered = Object.values(pools).filter((pool) => from.cluster === cluster && !old.has(pool));
    return entered.filter((pool) => !created.has(`spec.nodePools[${pool}]`)).map((pool) => `${cluster}/${pool}`);
  });
  return pools.length > 0 ? `No replica serves on ${joinNames(sortUnique(pools), MAX_NAMED)} before this change. ` : '';
}

/** Whether enough serve with further replicas, as a change is applied. */
function keepsServing(extra: ExtraReplicas, applied: ApplyMode): boolean {
  return extra[applied] >= extra.needed;
}

/**
 * `In an earlier change, set 'replicas: 3' and declare a node pool 'a-h100' like us/h100 with 1 node (+$24,747 a month;
 * the new replica runs on us/a-h100, the first pool by name)`. `In the earlier change for ml/a, also set 'replicas: 3'
 * (cost unchanged; the new replica runs on us/a-h100)`, where that change declares nodes for both.
 */
function describeExtra(extra: ExtraReplicas): string {
  const { added, pools, newPool, joins, cost } = extra;
  const who = added === 1 ? 'the new replica runs' : 'a new replica runs';
  const why = newPool ? ', the first pool by name' : '';
  const when = joins ? `In the earlier change for ${joins.deployment}, also` : 'In an earlier change,';
  return `${when} ${listEdits(extra)} (${formatCost(cost)}; ${who} on ${joinNames(pools, MAX_NAMED)}${why})`;
}

/** What an earlier change adds so that enough replicas serve. Undefined: something else is advised. */
export function findEarlierEdits(
  { changes, room, extra }: RemediedChange,
  { applied = 'withWaves' }: AppliedChange = {},
): EarlierEdits | undefined {
  const remedy = SERVING_REMEDIES.find(({ applies }) => changes.some(applies));
  if (!extra || !keepsServing(extra, applied)) return undefined;
  const isBelow = remedy === SURGED && extra.nodes !== undefined && isBelowSurge(room, extra, applied);
  if (remedy !== ADDED_EARLIER && !isBelow) return undefined;
  const { joins, cost } = extra;
  const where = joins ? `, on the nodes for ${joins.deployment}` : '';
  // What joins the change of another deployment stands behind it.
  const most = joins ? undefined : cost?.most;
  return { text: `${listEdits(extra)} (${formatCost(cost)}${where})`, cost: most ?? Number.MAX_VALUE };
}

const CACHE_SIZE = 'spec.sizeGiB';

/** What keeps a replica serving that restarts in place. */
function hintAtSurge(
  { changes, room, cachedStart, extra }: RemediedChange,
  { applied }: Required<AppliedChange>,
): string {
  const first = extra && isBelowSurge(room, extra, applied) ? describeExtra(extra) : undefined;
  const own = room ? describeSurge(room, changes) : describeUntried(extra, applied);
  const surge = first === undefined ? own : `${first}, or ${decapitalize(own)}`;
  if (!cachedStart || !changesCacheSize(changes)) return surge;
  const set = keepStartup(cachedStart);
  return surge === '' ? set : `${set}. Or ${decapitalize(surge)}`;
}

/** Whether further replicas cost less than a surge, which needs none where it has room. */
function isBelowSurge(room: RolloutRoom | undefined, extra: ExtraReplicas, applied: ApplyMode): boolean {
  if (!keepsServing(extra, applied) || extra.breaks) return false;
  // Those of other deployments can take the room of a surge.
  const isNeeded = room !== undefined && room.missing.length > 0 && !room.nextTo;
  return isNeeded && (extra.nodes !== undefined || extra.cost?.most === 0);
}

function keepStartup({ budget, ownDisk }: NonNullable<RemediedChange['cachedStart']>): string {
  const keep =
    budget === undefined
      ? "'startup.budget' of the engines to its present value"
      : `'startup.budget: ${budget}m' of the engines, as today`;
  const except = ownDisk ? ' (pods with a disk of their own restart all the same)' : '';
  return `Set ${keep}, so that a larger cache does not restart their pods${except}`;
}

/** Whether replicas restart only because their caches get another size. */
function changesCacheSize(changes: RemediedChange['changes']): boolean {
  const fields = changes.flatMap(({ causes }) => causes.map(({ id, field }) => `${id.split(' ')[0]} ${field?.field}`));
  return fields.length > 0 && fields.every((one) => one === `ModelCache ${CACHE_SIZE}`);
}

/** What keeps enough replicas serving where no surge does. Empty: nothing is known. */
function describeUntried(extra: ExtraReplicas | undefined, applied: ApplyMode): string {
  if (extra && keepsServing(extra, applied)) return describeExtra(extra);
  // Surges are tried for what stops wave by wave.
  return applied === 'atOnce' ? "Set 'rollout.surge: 1' if there is room for another replica" : '';
}

/** A sentence for each deployment without a serving replica during a change, and for what several of them need together. */
export function describeOutages(diff: FleetDiff): string[] {
  const outages = findOutages(diff, 'withWaves');
  return [...outages.map((one) => formatOutage(one, diff)), ...describeSharedNeeds(outages)].map((text) => `${text}.`);
}

/** `ml/chat has no serving replica while the change is applied. Set ...`. */
export function formatOutage(change: DeploymentDiff, diff: Partial<Pick<FleetDiff, 'against'>> = {}): string {
  const { what, hint } = describeOutage(change, diff);
  return `${what}. ${hint}`;
}
