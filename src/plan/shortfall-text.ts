import { groupBy } from '../order';
import type { Rejection } from '../scheduler/types';
import { plural } from './format';
import type { ShortfallPlan } from './plan';
import { formatReason } from './reasons';
import type { Style } from './style';

/** The most lines that reasons take; a fleet of a thousand clusters is summed up. */
const MOST_LINES = 40;

/**
 * Why replicas have no place: the first reason against each cluster, or each of its pools, and the smallest
 * change of a pool that would help. Many pools are summed up by reason.
 */
export function formatShortfall(
  { missing, accepted, rejections, nearest }: ShortfallPlan,
  style: Style,
): string[] {
  const verb = missing === 1 ? 'does' : 'do';
  const known = accepted ? ', as accepted' : '';
  const lines = rejections.length > MOST_LINES ? summary(rejections) : each(rejections);
  const help =
    nearest && `nearest: ${plural(nearest.nodes, 'more node')} in ${nearest.cluster} / ${nearest.pool}`;
  return [
    style.warn(`    ! ${plural(missing, 'replica')} ${verb} not fit${known}`),
    ...lines.map((line) => `        ${line}`),
    ...(help ? [`        ${help}`] : []),
    ...(rejections.some(onlyWorstCase) ? [`        ${WAYS_OUT}`] : []),
  ];
}

/** What helps where a pool has the devices, but its cluster may arrange pods so that none is left for this one. */
const WAYS_OUT =
  'only the worst arrangement of pods keeps it out: add nodes, give the larger pods a pool of their own, or declare packing: BinPack where the cluster packs';

function onlyWorstCase({ reason }: Rejection): boolean {
  return reason.filter === 'capacity' && reason.packs;
}

function each(rejections: readonly Rejection[]): string[] {
  const where = rejections.map(({ cluster, pool }) =>
    pool === undefined ? cluster : `${cluster} / ${pool}`,
  );
  const width = Math.max(...where.map((place) => place.length));
  const filterWidth = Math.max(...rejections.map(({ reason }) => reason.filter.length));
  return rejections.map(({ reason }, i) => {
    const place = (where[i] ?? '').padEnd(width);
    return `${place}   ${reason.filter.padEnd(filterWidth)}   ${formatReason(reason)}`;
  });
}

/** The most frequent reasons, with how many pools or clusters each concerns and one of them by name. */
function summary(rejections: readonly Rejection[]): string[] {
  const groups = [...groupBy(rejections, ({ reason }) => `${reason.filter}   ${formatReason(reason)}`)];
  groups.sort(([, a], [, b]) => b.length - a.length);
  const shown = groups.slice(0, MOST_LINES).map(([text, { length, 0: first }]) => {
    const example = first?.pool === undefined ? first?.cluster : `${first.cluster} / ${first.pool}`;
    return `${length}x   ${text}   (${example}${length > 1 ? ', ...' : ''})`;
  });
  const left = groups.length - shown.length;
  return left > 0 ? [...shown, `and ${plural(left, 'further reason')}: see --json`] : shown;
}
