import { groupBy, sortUnique } from '../../base/order';
import { decapitalize, joinAnd, joinNames } from '../../base/text';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { formatAddedCost } from '../../diff/added-cost';
import type { ExtraReplicas } from '../../diff/extra-replicas';
import { findOutages, type FleetDiff } from '../../diff/fleet-diff';
import { keepCluster } from '../../diff/gateway-warnings';
import { losesItsPool } from '../../diff/pool-disruption';
import type { UnloweredReplicas } from '../../diff/unlowered-replicas';
import type { RolloutRoom } from '../../diff/rollout-room';
import { downtimeAsApplied } from '../../diff/downtime';
import type { ApplyMode } from '../../diff/serving-during-change';
import { formatDownFor, formatFinalized } from './change-sentences';
import { type Advice, type Choice, formatAdvice, noteSaved, sortChoices, toAdvice } from './choices';
import { type EarlierEdits, listEdits } from './earlier-edits';
import { addElsewhere, describeEmptied, describeExtra, empties, leaveReplicas } from './earlier-replicas';
import { describePortSwitch, listKeptPorts } from './port-switches';
import { listRenamedPools } from './renamed-pools';
import { chooseBoth, describeSharedNeeds, listSurgeChoices } from './room-sentences';
import { countRemovedToo } from '../../diff/lost-nodes';
import { stopsBeforeMove } from '../../plan/replica-moves';

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

/** An outage, and what to do about it: the best comes first. */
export interface OutageText {
  /** A clause. */
  readonly what: string;
  readonly choices: readonly Choice[];
}

/** `for about 2 to 9 minutes while the change is applied`. */
function describeDuring({ downtime }: DeploymentDiff, applied: ApplyMode): string {
  const during = 'while the change is applied';
  if (!downtime) return during;
  const howLong = formatDownFor(downtimeAsApplied(downtime, applied));
  return downtime.twice ? howLong : `${howLong} ${during}`;
}

/** An outage as a clause, and what to do about it. */
export function describeOutage(
  change: DeploymentDiff,
  { applied = 'withWaves', against }: AppliedChange = {},
): OutageText {
  const { deployment, changes, serving } = change;
  const isLost = changes.every(losesItsPool);
  const isMisplaced = changes.every(({ misplaced }) => misplaced);
  const later = isMisplaced ? 'after the change' : describeDuring(change, applied);
  const when = isLost ? 'after the change, until it has another place' : later;
  const finalized = changes.filter((one) => one.finalized).map((one) => formatFinalized(one.from ?? one));
  const lost = isMisplaced ? ': the new nodes do not match' : '';
  const ports = describePortSwitch(changes);
  const stale = changes.some((one) => one.oldRestarts) ? describeStale(against) : lost;
  const why = finalized.length > 0 ? `: ${joinNames(finalized, MAX_NAMED)}` : (ports ?? stale);
  const has = changes.some(({ mayStay }) => mayStay) ? 'may have' : 'has';
  const { minAvailable = 1 } = serving;
  const asked = minAvailable > 1 ? ` (minAvailable: ${minAvailable})` : '';
  const what = `${deployment} ${has} no serving replica${asked} ${when}${describeApplied(change, applied)}${why}${describeDrained(change)}`;
  const choices = listServingChoices(change, { applied, ...(against !== undefined && { against }) });
  const all = [
    ...listKeptPorts(changes),
    ...listRenamedPools(changes),
    ...choices,
    ...listAccepting({ changes, serving }),
  ];
  return { what, choices: sortChoices(all) };
}

function describeStale(against = 'the target branch'): string {
  return `: old replicas restart too, because the lock keeps another revision of them than ${against} has`;
}

/** What else there is to say of an outage. */
interface OutageContext {
  /** What to do with the edits that cause it, where the others cause nothing: `leave out edit 2`. Undefined: they do. */
  readonly separable: string | undefined;

  /** What the surge of the deployment keeps free. Empty: nothing. */
  readonly surge: string;

  /** What the change saves a month. Undefined: nothing, or that is not known. */
  readonly saved: number | undefined;
}

/** An outage with all that can be done about it. */
export function toOutageText(
  { what, choices }: OutageText,
  { separable, surge, saved }: OutageContext,
): Advice & { what: string } {
  const leaving = separable === undefined ? [] : [{ text: separable, cost: 0 }];
  return { what, ...toAdvice([...leaving, ...choices.map((one) => noteSaved(one, saved))], surge) };
}

/** That downtime is accepted, where that is enough: it accepts neither the end of a node pool nor that of a replica. */
function listAccepting({ changes, serving }: Pick<DeploymentDiff, 'changes' | 'serving'>): Choice[] {
  const isOther = changes.some((one) => one.finalized || one.oldRestarts || one.nodes === 'replace');
  if (isOther || !changes.some((one) => one.action === 'roll' || stopsBeforeMove(one))) return [];
  const voided = serving.minAvailable === undefined ? '' : `, which also voids 'minAvailable: ${serving.minAvailable}'`;
  return [{ text: `accept downtime with 'rollout: Recreate'${voided} (${UNCHANGED})`, cost: 0, isDown: true }];
}

const UNCHANGED = 'cost unchanged';

/** `serve`. Where a cloud chooses which nodes go, more of them may: `are sure to serve`. */
export function describeServing(count: number, { changes }: Pick<DeploymentDiff, 'changes'>): string {
  const [is, serves] = count === 1 ? ['is', 'serves'] : ['are', 'serve'];
  return changes.some(({ mayStay }) => mayStay) ? `${is} sure to serve` : serves;
}

/** `, even if nodes are drained first`. Empty: there is nothing to drain, or draining does not help. */
export function describeDrained({ changes }: Pick<DeploymentDiff, 'changes'>): string {
  return changes.some(({ ifDrained }) => ifDrained) ? ', even if nodes are drained first' : '';
}

/** How a change is applied, and with what it is compared. */
interface AppliedChange {
  /** Default: wave by wave. */
  readonly applied?: ApplyMode;

  /** The earlier state. Default: a placeholder. */
  readonly against?: string;
}

/** What keeps enough replicas serving during a change. Empty: nothing is known. */
export function listServingChoices(
  change: RemediedChange,
  { applied = 'withWaves', against = 'REVISION' }: AppliedChange = {},
): Choice[] {
  const remedy = SERVING_REMEDIES.find(({ applies }) => change.changes.some(applies));
  return remedy?.list(change, { applied, against }) ?? [{ text: 'keep the old replica until its replacement serves' }];
}

/** What drains a cluster. */
export const DRAIN_TAINT = 'taints: [{ key: retired, effect: NoExecute }]';

const DRAIN_FIRST = `drain the cluster first, with '${DRAIN_TAINT}', run 'fleetwright lock DIR --finalize' when the new replicas serve, and remove it after that`;

type RemediedChange = Pick<DeploymentDiff, 'changes' | 'room' | 'cachedStart' | 'extra' | 'unlowered' | 'serving'>;

interface ServingRemedy {
  readonly applies: (change: ReplicaChangeWithCauses) => boolean;
  readonly list: (change: RemediedChange, how: Required<AppliedChange>) => Choice[];
}

/** Nothing moves a replica off a pool that has room for it: another one has to serve meanwhile. */
const ADDED_EARLIER: ServingRemedy = {
  applies: ({ nodes }) => nodes !== undefined,
  list: ({ changes, extra, serving }, { applied }) => {
    const separate = nameSeparateClusters(changes, serving);
    const removed = countRemovedToo(changes);
    return [
      ...(separate === undefined ? [] : [changeSeparately(separate, serving)]),
      ...(separate === undefined && removed > 0
        ? [
            {
              text: `in an earlier change, set 'replicas: ${serving.after}', and keep the nodes (${UNCHANGED})`,
              cost: 0,
              isEarlier: true,
            },
          ]
        : []),
      extra && keepsServing(extra, applied) ? describeExtra(extra, changes, applied) : addElsewhere(changes),
    ];
  },
};

function changeSeparately(clusters: string, serving: RemediedChange['serving']): Choice {
  return {
    text: `change ${clusters} one after the other, each in a change of its own (${UNCHANGED})${describeEmptied(serving, 'withWaves')}`,
    cost: 0,
    ...(empties(serving, 'withWaves') && { isDown: true }),
  };
}

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
const SURGED: ServingRemedy = { applies: ({ action }) => action === 'roll', list: listKeepingServing };

/** What keeps replicas serving, by what happens to one of them. The first that applies counts. */
const SERVING_REMEDIES: readonly ServingRemedy[] = [
  {
    applies: losesRemovedCluster,
    list: ({ changes }) => {
      // A drain of replicas without another place never ends.
      const kept = sortUnique(changes.filter(losesItsPool).map(({ cluster }) => cluster));
      const keep = `keep ${joinNames(kept, MAX_NAMED)} until its replicas have other places`;
      return [kept.length > 0 ? { text: keep } : { text: DRAIN_FIRST, cost: 0, isEarlier: true }];
    },
  },
  {
    applies: losesCluster,
    list: () => [{ text: decapitalize(keepCluster('its replicas have moved')) }],
  },
  {
    applies: ({ misplaced }) => misplaced === true,
    list: () => [
      {
        text: 'keep the old nodes: declare the new node pool next to the old one, let the deployment ask for it, and remove the old one when its replicas have moved',
      },
    ],
  },
  {
    applies: losesItsPool,
    list: ({ changes }) => [
      { text: `keep ${nameLostPools(changes)}` },
      { text: 'let the deployment ask for what another pool has' },
    ],
  },
  ADDED_EARLIER,
  {
    applies: ({ oldRestarts }) => oldRestarts === true,
    list: (_, { against }) => [
      {
        text: `run 'fleetwright lock DIR --from ${against}', which keeps the old replicas as ${against} has them`,
        cost: 0,
      },
    ],
  },
  {
    applies: ({ finalized }) => finalized === true,
    list: (_, { against }) => [
      {
        text: `run 'fleetwright lock DIR --from ${against}', which takes the old replica back into the lock, and run 'fleetwright lock DIR --finalize' in a later change, when the new replica serves`,
      },
    ],
  },
  {
    applies: ({ action, reason }) => action === 'roll' && reason?.kind === 'shape',
    list: ({ room }) => [chooseBoth(room)],
  },
  SURGED,
  {
    applies: isMovedByLock,
    list: (_, { against }) => [
      { text: `run 'fleetwright lock DIR --from ${against}', which leaves replicas where they serve`, cost: 0 },
    ],
  },
  {
    applies: (one) => stopsBeforeMove(one) && one.causes.some(({ id }) => id.startsWith('ModelDeployment ')),
    list: () => [
      {
        text: "instead of editing the deployment, add a second one with these edits and the same 'template.metadata.labels', and remove the first in a later change, when the second serves",
      },
    ],
  },
];

/** Whether a replica moves only because the lock has it elsewhere, as after a revert of a finalized drain. */
function isMovedByLock(change: ReplicaChangeWithCauses): boolean {
  return stopsBeforeMove(change) && change.reason === undefined;
}

function nameLostPools(changes: readonly ReplicaChangeWithCauses[]): string {
  const names = changes.filter(losesItsPool).flatMap(({ cluster, pools, causes }) => {
    const removed = new Set(causes.map(({ field }) => field?.field));
    const lost = Object.values(pools).filter((pool) => removed.has(`spec.nodePools[${pool}]`));
    return lost.map((pool) => `${cluster}/${pool}`);
  });
  return joinNames(sortUnique(names), MAX_NAMED);
}

/** Whether enough serve with further replicas, or with as many as before, as a change is applied. */
function keepsServing(tried: ExtraReplicas | UnloweredReplicas, applied: ApplyMode): boolean {
  return tried[applied] >= tried.needed;
}

/** What an earlier change adds so that enough replicas serve. Undefined: something else is advised. */
export function findEarlierEdits(
  { changes, room, extra, unlowered }: RemediedChange,
  { applied = 'withWaves' }: AppliedChange = {},
): EarlierEdits | undefined {
  if (unlowered && keepsServing(unlowered, applied)) return undefined;
  const remedy = SERVING_REMEDIES.find(({ applies }) => changes.some(applies));
  if (!extra || !keepsServing(extra, applied)) return undefined;
  const isBelow = remedy === SURGED && extra.nodes !== undefined && isBelowSurge(room, extra, applied);
  if (remedy !== ADDED_EARLIER && !isBelow) return undefined;
  const { joins, cost } = extra;
  const where = joins ? `, on the nodes for ${joins.deployment}` : '';
  // What joins the change of another deployment stands behind it.
  const most = joins ? undefined : cost?.most;
  return { text: `${listEdits(extra)} (${formatAddedCost(cost)}${where})`, cost: most ?? Number.MAX_VALUE };
}

const CACHE_SIZE = 'spec.sizeGiB';

/** What keeps a replica serving that restarts in place. */
function listKeepingServing(
  { changes, room, cachedStart, extra, unlowered }: RemediedChange,
  { applied }: Required<AppliedChange>,
): Choice[] {
  if (unlowered && keepsServing(unlowered, applied)) {
    const surge = room ? listSurgeChoices(room, changes, []) : [];
    return [leaveReplicas(unlowered, applied), ...surge];
  }
  const first = extra && isBelowSurge(room, extra, applied) ? [describeExtra(extra, changes, applied)] : [];
  const more = extra && keepsServing(extra, applied) ? [describeExtra(extra, changes, applied)] : [];
  const surge = room ? listSurgeChoices(room, changes, more) : more;
  const startup = cachedStart && changesCacheSize(changes) ? [keepStartup(cachedStart)] : [];
  return [...startup, ...first, ...surge];
}

/** Whether further replicas cost less than a surge, which needs none where it has room. */
function isBelowSurge(room: RolloutRoom | undefined, extra: ExtraReplicas, applied: ApplyMode): boolean {
  if (!keepsServing(extra, applied) || extra.breaks) return false;
  // Those of other deployments can take the room of a surge.
  const isNeeded = room !== undefined && room.missing.length > 0 && !room.nextTo;
  return isNeeded && (extra.nodes !== undefined || extra.cost?.most === 0);
}

function keepStartup({ budget, ownDisk }: NonNullable<RemediedChange['cachedStart']>): Choice {
  const keep =
    budget === undefined
      ? "'startup.budget' of the engines to its present value"
      : `'startup.budget: ${budget}m' of the engines, as today`;
  const except = ownDisk ? ' (pods with a disk of their own restart all the same)' : '';
  return { text: `set ${keep}, so that a larger cache does not restart their pods${except}`, cost: 0 };
}

/** Whether replicas restart only because their caches get another size. */
function changesCacheSize(changes: RemediedChange['changes']): boolean {
  const fields = changes.flatMap(({ causes }) => causes.map(({ id, field }) => `${id.split(' ')[0]} ${field?.field}`));
  return fields.length > 0 && fields.every((one) => one === `ModelCache ${CACHE_SIZE}`);
}

/** A sentence for each deployment without a serving replica during a change, and for what several of them need together. */
export function describeOutages(diff: FleetDiff): string[] {
  const outages = findOutages(diff, 'withWaves');
  return [...outages.map((one) => formatOutage(one, diff)), ...describeSharedNeeds(outages)].map((text) => `${text}.`);
}

/** `ml/chat has no serving replica while the change is applied. Set ...`. */
export function formatOutage(change: DeploymentDiff, diff: Partial<Pick<FleetDiff, 'against'>> = {}): string {
  const { what, choices } = describeOutage(change, diff);
  return `${what}. ${formatAdvice(toAdvice(choices))}`;
}
