import { groupBy, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import { formatCode } from '../document/write-markdown';
import { countReplicas, describeDevices, joinAnd, limitClauses } from './clauses';
import type { DeploymentRow, Move } from './deployment-rows';

/** The most pairs of places that a clause names. */
const MAX_PAIRS = 3;

/** The most clusters or pools that a clause names on one side. */
const MAX_PLACES = 4;

/**
 * Lists what moves where: `drains eu: moves 2 replicas of ml/q to us` for each cluster or pool that loses its replicas,
 * then `moves 1 replica of ml/q within us with downtime of 1 replica` for the others.
 */
export function listMoveClauses(rows: readonly DeploymentRow[]): string[] {
  const all = rows.flatMap((row) => row.moves.map((move) => ({ row, move })));
  const groups = groupBy(all, ({ move }) => move.drains ?? '');
  const drained = [...groups.keys()].filter((place) => place !== '').sort();
  const clauseOf = (place: string): string => {
    const group = groups.get(place) ?? [];
    return formatMoves(
      group.map(({ move }) => move),
      [...groupBy(group, ({ row }) => row).keys()],
      place === '' ? undefined : place,
    );
  };
  return [
    ...limitClauses(drained.map(clauseOf), 'drains other clusters or pools'),
    ...(groups.has('') ? [clauseOf('')] : []),
  ];
}

function formatMoves(moves: readonly Move[], rows: readonly DeploymentRow[], drains: string | undefined): string {
  const concerns = (move: Move): boolean => move.drains === drains;
  // The clause about their node pool counts the others.
  const down = moves.filter((move) => move.down && !move.offPool).length;
  const downtime = down === 0 ? '' : ` with **downtime of ${pluralize(down, 'replica')}**`;
  const what = `moves ${countReplicas(rows, (row) => row.moves.filter(concerns).length)}`;
  const verb = drains === undefined ? what : `drains ${formatCode(drains)}: ${what}`;
  return `${verb}${describePlaces(moves, drains)}${describeDevices(rows)}${downtime}`;
}

/** ` from us to eu and dc`, ` to eu`, ` within us`, ` (eu → us, us/l4 → dc/h100)`. Empty if there are too many. */
function describePlaces(moves: readonly Move[], drains: string | undefined): string {
  const pairs = listPairs(moves);
  const [from, to] = [sortUnique(moves.map((one) => one.from)), sortUnique(moves.map((one) => one.to))];
  const [pair = ''] = pairs;
  if (pairs.length === 1 && pair.startsWith('within ')) return ` ${pair}`;
  const isWithin = pairs.some((one) => one.startsWith('within '));
  const clusters = sortUnique(from.map(clusterOf));
  if (!isWithin && clusters.length === 1 && to.length <= MAX_PLACES) {
    const source = from.length === 1 ? from.join('') : clusters.join('');
    return `${drains !== undefined && clusterOf(drains) === clusters[0] ? '' : ` from ${source}`} to ${joinAnd(to)}`;
  }
  if (!isWithin && to.length === 1 && from.length <= MAX_PLACES) return ` from ${joinAnd(from)} to ${to.join('')}`;
  return pairs.length > MAX_PAIRS ? '' : ` (${pairs.join(', ')})`;
}

function clusterOf(place: string): string {
  return place.split('/', 1).join('');
}

/** The different ways of replicas, sorted: `us → eu`, `within us`. */
export function listPairs(moves: readonly Move[]): string[] {
  return sortUnique(moves.map(({ from, to }) => (from === to ? `within ${from}` : `${from} → ${to}`)));
}
