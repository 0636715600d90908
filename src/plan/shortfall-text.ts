import { compareText, groupBy } from '../order';
import type { Rejection } from '../scheduler/types';
import { plural } from './format';
import type { ShortfallPlan } from './plan';
import { formatReason } from './reasons';
import { formatRemedy } from './remedy-text';
import type { Style } from './style';

/** The most lines that reasons take; a fleet of a thousand clusters is summed up. */
export const MOST_LINES = 40;

/**
 * Why replicas have no place: the first reason against each cluster, or each of its pools, and the smallest
 * change of a pool that would help. Many pools are summed up by reason.
 */
export function formatShortfall(
  { missing, accepted, rejections, remedies }: ShortfallPlan,
  style: Style,
): string[] {
  const verb = missing === 1 ? 'does' : 'do';
  const known = accepted ? ', as accepted' : '';
  const lines = rejections.length > MOST_LINES ? summary(rejections) : each(rejections);
  return [
    style.warn(`    ! ${plural(missing, 'replica')} ${verb} not fit${known} (${aggregate(rejections)})`),
    ...lines.map((line) => `        ${line}`),
    ...remedies.map((remedy, i) => `        ${i === 0 ? 'nearest: ' : 'or: '}${formatRemedy(remedy)}`),
    ...(rejections.some(onlyWorstCase) ? [`        ${WAYS_OUT}`] : []),
  ];
}

/** What helps where a pool has the devices, but its cluster may arrange pods so that none is left for this one. */
const WAYS_OUT =
  'only the worst arrangement of pods keeps it out: add nodes, give the larger pods a pool of their own, or declare packing: BinPack where the cluster packs';

function onlyWorstCase({ reason }: Rejection): boolean {
  return reason.filter === 'capacity' && reason.packs;
}

/** How many clusters each filter rules out: `0/12 clusters: 7 devices, 3 capacity, 2 taint`. */
function aggregate(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return 'the fleet declares no cluster';
  const filters = [...groupBy(rejections, ({ cluster }) => cluster).values()].map(nearestFilter);
  const counts = [...groupBy(filters, (filter) => filter)].map(([filter, { length }]) => ({
    filter,
    length,
  }));
  counts.sort((a, b) => b.length - a.length || compareText(a.filter, b.filter));
  return `0/${filters.length} clusters: ${counts.map(({ filter, length }) => `${length} ${filter}`).join(', ')}`;
}

/** The filter that a cluster comes closest to passing: a pool that only lacks room is nearer than one of other devices. */
function nearestFilter(rejections: readonly Rejection[]): string {
  const filters = rejections.map(({ reason }) => reason.filter);
  return filters.includes('capacity') ? 'capacity' : (filters[0] ?? '');
}

function each(rejections: readonly Rejection[]): string[] {
  const where = rejections.map(placeOf);
  const width = Math.max(...where.map((place) => place.length));
  const filterWidth = Math.max(...rejections.map(({ reason }) => reason.filter.length));
  return rejections.map(({ reason }, i) => {
    const place = (where[i] ?? '').padEnd(width);
    return `${place}   ${reason.filter.padEnd(filterWidth)}   ${formatReason(reason)}`;
  });
}

/** Reasons that a single line names. */
const MOST_NAMED = 3;

/** Why replicas have no place, in a line: how many clusters each filter rules out, and the most frequent reasons. */
export function shortfallLine({ rejections }: Pick<ShortfallPlan, 'rejections'>): string {
  const groups = byReason(rejections);
  const named = groups.slice(0, MOST_NAMED).map(({ why, where }) => `${where}: ${why}`);
  const left = groups.length - named.length;
  const parts = [aggregate(rejections), ...named, ...(left > 0 ? [plural(left, 'further reason')] : [])];
  return parts.join('; ').replaceAll(/ {2,}/g, ' ');
}

/** The most frequent reasons, with how many pools or clusters each concerns and one of them by name. */
export function summary(rejections: readonly Rejection[]): string[] {
  const groups = byReason(rejections);
  const shown = groups
    .slice(0, MOST_LINES)
    .map(({ filter, why, where, count }) => `${count}x   ${filter}   ${why}   (${where})`);
  const left = groups.length - shown.length;
  return left > 0 ? [...shown, `and ${plural(left, 'further reason')}: see --json`] : shown;
}

/** Rejections that say the same. */
interface SameReason {
  readonly filter: string;
  readonly why: string;
  /** One of the pools or clusters: `us / h100`, and `, ...` where there are more. */
  readonly where: string;
  readonly count: number;
}

/** The most frequent first. */
function byReason(rejections: readonly Rejection[]): SameReason[] {
  const groups = groupBy(rejections, ({ reason }) => `${reason.filter}   ${formatReason(reason)}`);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap(([first, ...others]): SameReason[] => {
      if (!first) return [];
      const { filter } = first.reason;
      const where = `${placeOf(first)}${others.length > 0 ? ', ...' : ''}`;
      return [{ filter, why: formatReason(first.reason), where, count: others.length + 1 }];
    });
}

function placeOf({ cluster, pool }: Rejection): string {
  return pool === undefined ? cluster : `${cluster} / ${pool}`;
}
