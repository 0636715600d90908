import { formatCount } from '../../base/figures';
import { compareText, groupBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { ShortfallPlan } from '../../plan/plan';
import { formatRejectionKind, formatRejectionReason } from '../../plan/rejection-messages';
import { isRuledOutAsLost } from '../../scheduler/lost-clusters';
import type { Rejection } from '../../scheduler/reason';
import type { Remedy } from '../../scheduler/remedy';
import { type Block, firstItems, type Item } from '../document/document';
import { formatRemedyLines, placesAll } from './remedy-text';
import { adviseOnSeparatePools } from './separate-pools';

/** The maximum number of lines for reasons; more reasons are summarized. */
export const MAX_REASON_LINES = 40;

/**
 * Formats why replicas have no place: the first reason against each cluster or each of its pools, and the smallest
 * changes of pools that would help. If there are many reasons, they are summarized.
 *
 * @param alone whether other deployments lack places too, so that the changes are for this one alone. Default: false
 */
export function formatShortfall(shortfall: ShortfallPlan, alone = false): Item {
  const { missing, accepted, waiting, rejections, remedies } = shortfall;
  const cause = findCause(shortfall);
  const verb = missing === 1 ? 'does' : 'do';
  const suffix = waiting === missing ? ' yet' : accepted ? ', as accepted' : '';
  return {
    mark: { sign: '!', look: 'warn' },
    text: `${pluralize(missing, 'replica')} ${verb} not fit${suffix} (${countByFilter(rejections)})`,
    below: [
      ...(cause ? [`cause: ${describeCause(cause)}`] : []),
      ...formatRejections(rejections),
      ...formatRemedyLines(shortfall, alone),
      ...adviseOnSeparatePools(shortfall),
      ...(rejections.some(isWorstCaseOnly) && !remedies.some(({ kind }) => kind === 'packing')
        ? [WORST_CASE_HINT]
        : []),
      ...(remedies.length === 0 && rejections.some(isTooLargeForNode) ? [GANG_HINT] : []),
      ...adviseOnTooLarge(shortfall),
      ...adviseOnLabels(shortfall),
    ],
  };
}

/** Formats what is against each place, one line each. Many are summarized. */
export function formatRejections(rejections: readonly Rejection[]): Block[] {
  return rejections.length > MAX_REASON_LINES ? summarizeRejections(rejections) : rejections.map(formatEachRejection);
}

/** The hint for a pool with enough devices whose cluster may arrange pods so that none fits this replica. */
const WORST_CASE_HINT =
  'To guarantee capacity: add nodes, declare another pool for the larger pods, or set packing: BinPack if the cluster uses a bin-packing scheduler';

function isWorstCaseOnly({ reason }: Rejection): boolean {
  return reason.filter === 'capacity' && reason.packs;
}

/** The hint where no node has as many devices as a pod requests. */
const GANG_HINT =
  'To run on several nodes, declare a gang: a Leader and Workers, each with devices of one node. Or request fewer devices';

/** The hint where no node has as much CPU or memory as a pod requests. */
const SMALLER_REQUEST_HINT =
  'More nodes do not help: request less CPU or memory than a node has, or add a pool of larger nodes';

/** The hint where nothing else helps pods that request more than a node has. */
export function adviseOnTooLarge({ rejections, remedies }: ReasonedShortfall): string[] {
  return remedies.length === 0 && rejections.some(isTooLargeForPods) ? [SMALLER_REQUEST_HINT] : [];
}

/** The hint where 'clusterSelector' asks for a label that no cluster has. */
export function adviseOnLabels({ rejections }: Pick<ReasonedShortfall, 'rejections'>): string[] {
  const lacking = rejections.flatMap(({ reason }) =>
    reason.filter === 'selector' && reason.actual === undefined ? [reason.requirement] : [],
  );
  const [requirement, ...others] = sortUnique(lacking);
  if (requirement === undefined || others.length > 0 || lacking.length < rejections.length) return [];
  return [
    `No cluster has the label that ${requirement} asks for: set it in metadata.labels of an InferenceCluster, or correct 'clusterSelector'`,
  ];
}

function isTooLargeForNode({ reason }: Rejection): boolean {
  return reason.filter === 'devices' && reason.misfit === 'too-few';
}

/** What a filter rules out, behind a number of clusters. */
const RULED_OUT: Readonly<Record<Rejection['reason']['filter'], string>> = {
  selector: 'left out by clusterSelector',
  cache: 'without storage for the cache',
  monitoring: 'without what scaling needs',
  taint: 'with a taint',
  backend: 'with another backend',
  paused: 'paused',
  pools: 'without pools',
  spread: 'at a limit of placement',
  devices: 'without matching devices',
  capacity: 'without room',
  quota: 'without quota',
  together: 'without room for all engines',
};

/** What rules out a cluster, in few words. */
function describeRuledOut(rejection: Rejection): string {
  return isRuledOutAsLost(rejection) ? LOST : RULED_OUT[rejection.reason.filter];
}

const LOST = 'lost';

/** The reason where no cluster is declared, or a scenario leaves none. */
const NO_CLUSTER = 'there is no cluster';

/** Formats how many clusters each filter rules out: `0 of 12 clusters fit: 7 without matching devices, 5 without room`. */
export function countByFilter(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return NO_CLUSTER;
  const clusters = [...groupBy(rejections, ({ cluster }) => cluster).values()].map((all) => {
    const filter = nearestFilterOf(all);
    if (all.some(isRuledOutAsLost)) return { filter, text: LOST };
    return { filter, text: all.every(isTooLargeForPods) ? TOO_SMALL_NODES : RULED_OUT[filter] };
  });
  const counts = [...groupBy(clusters, ({ text }) => text)].flatMap(([text, all]) =>
    all.slice(0, 1).map(({ filter }) => ({ filter, text, length: all.length })),
  );
  counts.sort((a, b) => b.length - a.length || compareText(a.filter, b.filter) || compareText(a.text, b.text));
  const parts = counts.map(({ text, length }) => `${formatCount(length)} ${text}`);
  return `0 of ${pluralize(clusters.length, 'cluster')} ${clusters.length === 1 ? 'fits' : 'fit'}: ${parts.join(', ')}`;
}

/** Of a cluster whose devices match, but whose nodes have less CPU or memory than a pod requests. */
const TOO_SMALL_NODES = 'with nodes that have too little CPU or memory';

function isTooLargeForPods({ reason }: Rejection): boolean {
  return reason.filter === 'devices' && reason.misfit === 'too-large';
}

/** The filter that a cluster comes closest to passing: `capacity` if any pool only lacks room, else the first. */
function nearestFilterOf(rejections: readonly Rejection[]): Rejection['reason']['filter'] {
  const filters = rejections.map(({ reason }) => reason.filter);
  return filters.includes('capacity') ? 'capacity' : (filters[0] ?? 'pools');
}

function formatEachRejection(rejection: Rejection): Item {
  const { reason } = rejection;
  return { cells: [placeOf(rejection), reason.filter], text: formatRejectionReason(rejection) };
}

/** The one requirement that keeps a replica off places with room. */
interface Cause {
  readonly places: readonly string[];
  readonly rejection: Rejection;
}

/**
 * Finds what keeps a replica off places that have room for it, where the cheapest remedy changes one requirement. Where
 * there is only one reason, it is no news.
 */
function findCause({ rejections, remedies: [cheapest] }: ReasonedShortfall): Cause | undefined {
  if (!cheapest || !CHANGES_REQUIREMENT.has(cheapest.kind) || !('cluster' in cheapest) || rejections.length < 2) return;
  if (cheapest.kind === 'declare' && cheapest.frees !== undefined) return;
  const pool = 'pool' in cheapest ? cheapest.pool : undefined;
  const rejection = rejections.find((one) => one.cluster === cheapest.cluster && (!pool || one.pool === pool));
  if (!rejection) return undefined;
  const also = 'also' in cheapest ? (cheapest.also ?? []) : [];
  return { places: pool === undefined ? [cheapest.cluster] : [{ ...cheapest, pool }, ...also].map(placeOf), rejection };
}

/** `us / l4 has room, but gpu: memory 23034Mi is less than 24Gi (where)`. */
function describeCause({ places, rejection: { reason } }: Cause, format: (reason: string) => string = String): string {
  const have = places.length === 1 ? 'has' : 'have';
  const text = `${joinNames(places, MAX_PLACES)} ${have} room, but ${format(formatRejectionKind({ reason }))}`;
  return text.replaceAll(/ {2,}/g, ' ');
}

type ReasonedShortfall = Pick<ShortfallPlan, 'rejections' | 'remedies'>;

const CHANGES_REQUIREMENT: ReadonlySet<Remedy['kind']> = new Set(['bound', 'count', 'declare', 'limit', 'toleration']);

/**
 * Formats the one reason that decides why replicas have no place: that new devices do not match where they ran, else the
 * requirement that keeps all of them off places with room, else what is against the pools that they lose, else against the
 * pool of the cheapest remedy that is of one, else the most frequent: of replicas whose clusters go, of those against the
 * places that meet the most, and a lack of room before devices that do not match.
 *
 * @param lost the pools that replicas lose: `us / l4`
 */
export function formatDecisiveReason(
  shortfall: ReasonedShortfall & Pick<ShortfallPlan, 'missing'>,
  lost: readonly string[] = [],
): string {
  const decisive = findDecisive(shortfall, lost);
  if (!decisive) return NO_CLUSTER;
  if ('rejection' in decisive) return describeCause(decisive, (text) => shortenReason(text, decisive.rejection));
  return `${namePlaces(decisive)}: ${formatBriefReason(decisive)}`;
}

/** The requirement or the reason that decides. Undefined: there is no cluster. */
function findDecisive(
  shortfall: ReasonedShortfall & Pick<ShortfallPlan, 'missing'>,
  lost: readonly string[],
): Cause | RejectionGroup | undefined {
  const groups = groupByReason(shortfall.rejections);
  const [cheapest] = shortfall.remedies;
  const helped = shortfall.remedies.flatMap((one) => ('cluster' in one ? [placeOf(one)] : [])).slice(0, 1);
  const at = (places: readonly string[]): RejectionGroup | undefined =>
    groups.find((group) => group.places.some((place) => places.includes(place)));
  const former = at(lost);
  const cause = cheapest && placesAll(cheapest, shortfall) ? findCause(shortfall) : undefined;
  if (cause && former?.filter !== 'devices') return cause;
  const decisive = former ?? at(helped) ?? (lost.length > 0 ? findNearest(groups) : findMain(groups));
  return decisive && joinSameRequirement(decisive, groups);
}

/** The most frequent reason; where it is that devices do not match, the lack of room on those that do, if there are any. */
function findMain(groups: readonly RejectionGroup[]): RejectionGroup | undefined {
  const [first] = groups;
  return (first?.filter === 'devices' && groups.find(({ filter }) => filter === 'capacity')) || first;
}

/** The most frequent of the reasons of places that meet the most: filters run in the order of the table. */
function findNearest(groups: readonly RejectionGroup[]): RejectionGroup | undefined {
  const order = Object.keys(RULED_OUT);
  const stageOf = ({ first: { reason } }: RejectionGroup): number => order.indexOf(reason.filter);
  return groups.reduce<RejectionGroup | undefined>((nearest, one) => {
    return nearest === undefined || stageOf(one) > stageOf(nearest) ? one : nearest;
  }, undefined);
}

/** A group with all clusters that do not meet the same requirement: what each has instead tells little. */
function joinSameRequirement(group: RejectionGroup, groups: readonly RejectionGroup[]): RejectionGroup {
  const requirement = requirementOf(group);
  const same = groups.filter((one) => requirement !== undefined && requirementOf(one) === requirement);
  if (same.length < 2) return group;
  const places = sortUnique(same.flatMap((one) => one.places));
  return { ...group, places, why: `${requirement} is not met` };
}

function requirementOf({ first: { reason } }: RejectionGroup): string | undefined {
  return reason.filter === 'selector' ? reason.requirement : undefined;
}

/**
 * Formats in few words why replicas have no place on the clusters that the reason that decides does not name: of each
 * cluster what it comes closest to. Empty: it names all of them.
 */
export function formatOtherReasons(
  shortfall: ReasonedShortfall & Pick<ShortfallPlan, 'missing'>,
  lost: readonly string[] = [],
): string {
  const named = new Set(findDecisive(shortfall, lost)?.places.map((place) => place.split(' / ', 1)[0]));
  const others = [...groupBy(shortfall.rejections, ({ cluster }) => cluster)].flatMap(([cluster, all]) => {
    const filter = nearestFilterOf(all);
    const [nearest, ...more] = all.filter(({ reason }) => reason.filter === filter);
    return named.has(cluster) || !nearest ? [] : [{ cluster, text: formatInFewWords([nearest, ...more]) }];
  });
  const reasons = [...groupBy(others, ({ text }) => text)].map(([text, all]) => {
    const clusters = all.map(({ cluster }) => cluster);
    return `${joinNames(clusters, MAX_PLACES)}: ${text}`;
  });
  return firstItems(reasons, MAX_NAMED_REASONS, (more) => pluralize(more, 'further reason')).join('; ');
}

/** `free devices are kept for ml/coder`, `without storage for the cache`: reasons of one kind against a cluster. */
function formatInFewWords([first, ...more]: readonly [Rejection, ...Rejection[]]): string {
  const { reason } = first;
  if (reason.filter === 'devices') {
    return shortenReason(formatRejectionKind({ reason }), { reason }).replaceAll(/ {2,}/g, ' ');
  }
  if (reason.filter !== 'capacity') return describeRuledOut(first);
  const pools = [reason, ...more.flatMap((one) => (one.reason.filter === 'capacity' ? [one.reason] : []))];
  const kept = sortUnique(pools.flatMap(({ endangers }) => (endangers ? [endangers.deployment] : [])));
  if (kept.length > 0) return `free devices are kept for ${joinNames(kept, MAX_PLACES)}`;
  if (pools.every(({ nodes }) => nodes === 0)) return 'without nodes';
  if (pools.some(({ packs }) => packs)) return 'free devices may be on different nodes';
  if (pools.some(({ free }) => free > 0)) return 'too few matching devices are free';
  const reserved = pools.some((one) => one.reserved) ? ' or reserved for rollouts' : '';
  return `all matching devices are in use${reserved}`;
}

/** Leaves out what the places of a reason have in common with other reasons: which request and which selector it is. */
function shortenReason(text: string, { reason }: Pick<Rejection, 'reason'>): string {
  const request = reason.filter === 'devices' && 'request' in reason ? `${reason.request}: ` : '';
  return (text.startsWith(request) ? text.slice(request.length) : text).replace(/(?<! ) {2,}\([^()]*\)$/, '');
}

function formatBriefReason({ places, first, why }: RejectionGroup): string {
  const { reason } = first;
  const text = shortenReason(places.length === 1 ? formatRejectionReason(first) : why, first).replaceAll(/ {2,}/g, ' ');
  if (reason.filter !== 'capacity') return text;
  const [demand = '', ...others] = text.split('; ');
  const [, but] = /^[\d,]+ (?:is|are) free, (but .*)$/.exec(others.at(-1) ?? '') ?? [];
  if (but === undefined) return text;
  const are = reason.free === 1 ? 'is' : 'are';
  const free = `${formatCount(reason.free)} of ${pluralize(reason.inUse + reason.free, 'device')} ${are} free`;
  return `${demand}; ${free}, ${but}`;
}

const MAX_NAMED_REASONS = 3;

/**
 * Formats why replicas have no place as a line: how many clusters each filter rules out, and the main reasons. A single
 * reason says as much as the count.
 */
export function formatShortfallLine({ rejections }: Pick<ShortfallPlan, 'rejections'>): string {
  const reasons = groupByReason(rejections).map((group) => `${namePlaces(group)}: ${group.why}`);
  const named = firstItems(reasons, MAX_NAMED_REASONS, (more) => pluralize(more, 'further reason'));
  const counts = reasons.length === 1 ? [] : [countByFilter(rejections)];
  return [...counts, ...named].join('; ').replaceAll(/ {2,}/g, ' ');
}

/** Formats the most frequent reasons, each behind its places: `us / h100: needs 1 gpu on one node; ...`. */
export function formatMainReasons(rejections: readonly Rejection[]): string {
  const reasons = groupByReason(rejections).map((group) => `${namePlaces(group)}: ${group.why}`);
  return firstItems(reasons, MAX_NAMED_REASONS, (more) => pluralize(more, 'further reason'))
    .join('; ')
    .replaceAll(/ {2,}/g, ' ');
}

/** Formats the most frequent reasons, each with the number of pools or clusters and the first names. */
export function summarizeRejections(rejections: readonly Rejection[]): string[] {
  const reasons = groupByReason(rejections).map((group) => {
    return `${group.places.length}x   ${group.filter}   ${group.why}   (${namePlaces(group)})`;
  });
  return firstItems(reasons, MAX_REASON_LINES, (more) => `and ${pluralize(more, 'further reason')}: use --json`);
}

interface RejectionGroup {
  readonly filter: string;
  readonly why: string;

  readonly first: Rejection;

  /** The names of the pools or clusters: `us / h100`. */
  readonly places: readonly string[];
}

/** Groups rejections by filter and reason, the most frequent first. */
export function groupByReason(rejections: readonly Rejection[]): RejectionGroup[] {
  const groups = groupBy(rejections, (one) => `${one.reason.filter}   ${formatRejectionKind(one)}`);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => {
      const places = group.map(placeOf);
      return group.slice(0, 1).map((first) => {
        return { filter: first.reason.filter, why: formatRejectionKind(first), first, places };
      });
    });
}

/** The most places that a reason names. */
const MAX_PLACES = 3;

function namePlaces({ places }: RejectionGroup): string {
  return joinNames(places, MAX_PLACES);
}

/** `us / h100`; of a rejection by a whole cluster, the cluster. */
export function placeOf({ cluster, pool }: Pick<Rejection, 'cluster' | 'pool'>): string {
  return pool === undefined ? cluster : `${cluster} / ${pool}`;
}
