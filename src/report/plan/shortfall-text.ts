import { formatCount } from '../../base/figures';
import { compareText, groupBy } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { ShortfallPlan } from '../../plan/plan';
import { formatRejectionKind, formatRejectionReason, formatRemedy } from '../../plan/rejection-messages';
import type { Rejection, Remedy } from '../../scheduler/schedule-result';
import { firstItems, type Item } from '../document/document';

/** The maximum number of lines for reasons; more reasons are summarized. */
export const MAX_REASON_LINES = 40;

/**
 * Formats why replicas have no place: the first reason against each cluster or each of its pools, and the smallest
 * changes of pools that would help. If there are many reasons, they are summarized.
 */
export function formatShortfall(shortfall: ShortfallPlan): Item {
  const { missing, accepted, rejections, remedies } = shortfall;
  const cause = findCause(shortfall);
  const verb = missing === 1 ? 'does' : 'do';
  const suffix = accepted ? ', as accepted' : '';
  return {
    mark: { sign: '!', look: 'warn' },
    text: `${pluralize(missing, 'replica')} ${verb} not fit${suffix} (${countByFilter(rejections)})`,
    below: [
      ...(cause ? [`cause: ${cause.text}`] : []),
      ...(rejections.length > MAX_REASON_LINES ? summarizeRejections(rejections) : rejections.map(formatEachRejection)),
      ...formatRemedyLines(shortfall),
      ...(rejections.some(isWorstCaseOnly) && !remedies.some(({ kind }) => kind === 'packing')
        ? [WORST_CASE_HINT]
        : []),
      ...(remedies.length === 0 && rejections.some(isTooLargeForNode) ? [GANG_HINT] : []),
    ],
  };
}

/** Formats the remedies of a shortfall, the nearest first, one a line. */
export function formatRemedyLines(shortfall: RemediedShortfall): string[] {
  return shortfall.remedies.map((remedy, i) => `${i === 0 ? 'nearest: ' : 'or: '}${formatRemedyOf(remedy, shortfall)}`);
}

/** The nearest remedy of a shortfall. Undefined: none is known. */
export function formatNearestRemedy(shortfall: RemediedShortfall): string | undefined {
  const [nearest] = shortfall.remedies;
  return nearest && formatRemedyOf(nearest, shortfall);
}

type RemediedShortfall = Pick<ShortfallPlan, 'remedies' | 'missing'>;

/**
 * Formats a remedy, and how many of the missing replicas it helps. Its command accepts the other replicas without a place,
 * which would stop it.
 */
export function formatRemedyOf(remedy: Remedy, { remedies, missing }: RemediedShortfall): string {
  const isBeside = remedy.kind === 'nodes' && !stopsReplica(remedy) && remedies.some(stopsReplica);
  const serving = isBeside && remedy.inPlace === undefined ? ', without downtime' : '';
  return `${formatRemedy(remedy, missing > 1 ? '--accept-unplaced' : undefined)}${serving}${formatReach(remedy, missing)}`;
}

/** How many of the missing replicas a remedy helps. */
function formatReach({ helps }: Pick<Remedy, 'helps'>, missing: number): string {
  if (missing < 2) return '';
  if (helps === missing) return ` (for all ${formatCount(missing)})`;
  return ` (for ${helps === undefined ? 'at least 1' : formatCount(helps)} of the ${formatCount(missing)})`;
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

function isTooLargeForNode({ reason }: Rejection): boolean {
  return reason.filter === 'devices' && reason.misfit === 'too-few';
}

/** What a filter rules out, behind a number of clusters. */
const RULED_OUT: Readonly<Record<Rejection['reason']['filter'], string>> = {
  selector: 'left out by clusterSelector',
  cache: 'without storage for the cache',
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

/** The reason where no cluster is declared, or a scenario leaves none. */
const NO_CLUSTER = 'there is no cluster';

/** Formats how many clusters each filter rules out: `0/12 clusters fit: 7 without matching devices, 5 without room`. */
function countByFilter(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return NO_CLUSTER;
  const filters = [...groupBy(rejections, ({ cluster }) => cluster).values()].map(nearestFilterOf);
  const counts = [...groupBy(filters, (filter) => filter)].map(([filter, { length }]) => ({ filter, length }));
  counts.sort((a, b) => b.length - a.length || compareText(a.filter, b.filter));
  const parts = counts.map(({ filter, length }) => `${length} ${RULED_OUT[filter]}`);
  return `0/${filters.length} clusters fit: ${parts.join(', ')}`;
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
  readonly text: string;
  readonly rejection: Rejection;
}

/**
 * Finds what keeps a replica off places that have room for it, where the nearest remedy changes one requirement. Where
 * there is only one reason, it is no news.
 */
function findCause({ rejections, remedies: [nearest] }: ShortfallPlan): Cause | undefined {
  if (!nearest || !CHANGES_REQUIREMENT.has(nearest.kind) || !('cluster' in nearest) || rejections.length < 2) return;
  if (nearest.kind === 'declare' && nearest.frees !== undefined) return;
  const pool = 'pool' in nearest ? nearest.pool : undefined;
  const rejection = rejections.find((one) => one.cluster === nearest.cluster && (!pool || one.pool === pool));
  if (!rejection) return undefined;
  const also = 'also' in nearest ? (nearest.also ?? []) : [];
  const places = pool === undefined ? [nearest.cluster] : [{ ...nearest, pool }, ...also].map(placeOf);
  const have = places.length === 1 ? 'has' : 'have';
  const text = `${joinNames(places, MAX_PLACES)} ${have} room, but ${formatRejectionKind({ reason: rejection.reason })}`;
  return { text: text.replaceAll(/ {2,}/g, ' '), rejection };
}

const CHANGES_REQUIREMENT: ReadonlySet<Remedy['kind']> = new Set(['bound', 'count', 'declare', 'limit', 'toleration']);

/**
 * Formats the most frequent reasons, and the nearest remedies: `us / h100: needs 1 gpu ...; nearest: 1 more node`. Where
 * one requirement is the cause, it comes first, with the remedies.
 *
 * @param kept a remedy that comes before those of the plan
 */
export function formatNearest(shortfall: ShortfallPlan, kept?: string): string {
  const { rejections, remedies } = shortfall;
  const cause = kept === undefined ? findCause(shortfall) : undefined;
  const others = cause
    ? rejections.filter((one) => formatRejectionKind(one) !== formatRejectionKind(cause.rejection))
    : rejections;
  const reasons = groupByReason(others).map((group) => {
    const uses = group.places.length === 1 ? formatRejectionReason(group.first) : group.why;
    return `${namePlaces(group)}: ${uses}`;
  });
  const more = listNearest(remedies).map((remedy) => formatRemedyOf(remedy, shortfall));
  const changes = [...(kept === undefined ? [] : [kept]), ...more].join(', or ');
  const why =
    rejections.length > 0
      ? firstItems(reasons, MAX_NAMED_REASONS, (more) => pluralize(more, 'further reason'))
      : [NO_CLUSTER];
  const nearest = changes === '' ? [] : [`nearest: ${changes}`];
  const parts = cause ? [cause.text, ...nearest, ...why] : [...why, ...nearest];
  return parts.join('; ').replaceAll(/ {2,}/g, ' ');
}

const MAX_NAMED_REASONS = 3;

/**
 * The nearest remedy, and next to it one that costs nothing where it does, or else the next one. Where a replica stops for
 * the nearest, one follows for which none does.
 */
export function listNearest([nearest, ...others]: readonly Remedy[]): Remedy[] {
  if (!nearest) return [];
  const serving = stopsReplica(nearest) ? others.find((one) => !stopsReplica(one)) : undefined;
  const next = (isFree(nearest) ? undefined : others.find(isFree)) ?? others[0];
  return [...new Set([nearest, serving, next])].flatMap((one) => one ?? []);
}

function stopsReplica(remedy: Remedy): boolean {
  return 'inPlace' in remedy && remedy.inPlace === 'restart';
}

/** Whether a remedy adds no nodes. */
function isFree({ kind }: Remedy): boolean {
  return kind !== 'nodes';
}

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

function placeOf({ cluster, pool }: Pick<Rejection, 'cluster' | 'pool'>): string {
  return pool === undefined ? cluster : `${cluster} / ${pool}`;
}
