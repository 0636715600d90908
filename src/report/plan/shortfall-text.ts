import { compareText, groupBy } from '../../base/order';
import { pluralize } from '../../base/text';
import type { ShortfallPlan } from '../../plan/plan';
import { formatRejectionReason, formatRemedy } from '../../plan/rejection-messages';
import type { Rejection } from '../../scheduler/schedule-result';
import type { Item } from '../document/document';

/** The most lines that reasons take; a fleet of a thousand clusters is summed up. */
export const MAX_REASON_LINES = 40;

/**
 * Why replicas have no place: the first reason against each cluster, or each of its pools, and the smallest
 * change of a pool that would help. Many pools are summed up by reason.
 */
export function formatShortfall({ missing, accepted, rejections, remedies }: ShortfallPlan): Item {
  const verb = missing === 1 ? 'does' : 'do';
  const known = accepted ? ', as accepted' : '';
  return {
    mark: { sign: '!', look: 'warn' },
    text: `${pluralize(missing, 'replica')} ${verb} not fit${known} (${countByFilter(rejections)})`,
    below: [
      ...(rejections.length > MAX_REASON_LINES
        ? summarizeRejections(rejections)
        : rejections.map(formatEachRejection)),
      ...remedies.map((remedy, i) => `${i === 0 ? 'nearest: ' : 'or: '}${formatRemedy(remedy)}`),
      ...(rejections.some(isWorstCaseOnly) ? [WORST_CASE_HINT] : []),
    ],
  };
}

/** What helps where a pool has the devices, but its cluster may arrange pods so that none is left for this one. */
const WORST_CASE_HINT =
  'only the worst arrangement of pods keeps it out: add nodes, give the larger pods a pool of their own, or declare packing: BinPack where the cluster packs';

function isWorstCaseOnly({ reason }: Rejection): boolean {
  return reason.filter === 'capacity' && reason.packs;
}

/** How many clusters each filter rules out: `0/12 clusters: 7 devices, 3 capacity, 2 taint`. */
function countByFilter(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return 'the fleet declares no cluster';
  const filters = [...groupBy(rejections, ({ cluster }) => cluster).values()].map(nearestFilterOf);
  const counts = [...groupBy(filters, (filter) => filter)].map(([filter, { length }]) => ({
    filter,
    length,
  }));
  counts.sort((a, b) => b.length - a.length || compareText(a.filter, b.filter));
  return `0/${filters.length} clusters: ${counts.map(({ filter, length }) => `${length} ${filter}`).join(', ')}`;
}

/** The filter that a cluster comes closest to passing: a pool that only lacks room is nearer than one of other devices. */
function nearestFilterOf(rejections: readonly Rejection[]): string {
  const filters = rejections.map(({ reason }) => reason.filter);
  return filters.includes('capacity') ? 'capacity' : (filters[0] ?? '');
}

function formatEachRejection(rejection: Rejection): Item {
  const { reason } = rejection;
  return { cells: [placeOf(rejection), reason.filter], text: formatRejectionReason(reason) };
}

/** Reasons that a single line names. */
const MAX_NAMED_REASONS = 3;

/** Why replicas have no place, in a line: how many clusters each filter rules out, and the most frequent reasons. */
export function formatShortfallLine({ rejections }: Pick<ShortfallPlan, 'rejections'>): string {
  const groups = groupByReason(rejections);
  const named = groups.slice(0, MAX_NAMED_REASONS).map((group) => `${exampleOf(group)}: ${group.why}`);
  const left = groups.length - named.length;
  const parts = [
    countByFilter(rejections),
    ...named,
    ...(left > 0 ? [pluralize(left, 'further reason')] : []),
  ];
  return parts.join('; ').replaceAll(/ {2,}/g, ' ');
}

/** The most frequent reasons, with how many pools or clusters each concerns and one of them by name. */
export function summarizeRejections(rejections: readonly Rejection[]): string[] {
  const groups = groupByReason(rejections);
  const shown = groups.slice(0, MAX_REASON_LINES).map((group) => {
    return `${group.places.length}x   ${group.filter}   ${group.why}   (${exampleOf(group)})`;
  });
  const left = groups.length - shown.length;
  return left > 0 ? [...shown, `and ${pluralize(left, 'further reason')}: see --json`] : shown;
}

/** Rejections that say the same. */
interface SameReason {
  readonly filter: string;
  readonly why: string;
  /** The pools or clusters: `us / h100`. */
  readonly places: readonly string[];
}

/** The most frequent first. */
export function groupByReason(rejections: readonly Rejection[]): SameReason[] {
  const groups = groupBy(rejections, ({ reason }) => `${reason.filter}   ${formatRejectionReason(reason)}`);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((alike) => {
      const places = alike.map(placeOf);
      return alike.slice(0, 1).map(({ reason }) => {
        return { filter: reason.filter, why: formatRejectionReason(reason), places };
      });
    });
}

function exampleOf({ places: [first = '', ...others] }: SameReason): string {
  return `${first}${others.length > 0 ? ', ...' : ''}`;
}

function placeOf({ cluster, pool }: Rejection): string {
  return pool === undefined ? cluster : `${cluster} / ${pool}`;
}
