import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import { type Clause, countReplicas, describeDevices, describeDowntime, joinDeployments, limitRanked } from './clauses';
import { type DeploymentRow, isDown } from './deployment-rows';
import { isLostMove } from './loss-clauses';
import type { Move } from './moves';

/** The most pairs of places that a clause names. */
const MAX_PAIRS = 3;

/** The most clusters or pools that a clause names on one side. */
const MAX_PLACES = 4;

/** Names a drained cluster, with what stays there. */
export type NameDrained = (cluster: string) => string;

/**
 * Lists what moves where: `drains eu: moves 2 replicas of ml/q to us` for each cluster or pool that loses its replicas,
 * then `moves 1 replica of ml/q within us with downtime of 1 replica` for the others.
 */
export function listMoveClauses(rows: readonly DeploymentRow[], nameDrained: NameDrained): Clause[] {
  const all = rows.flatMap((row) => row.moves.flatMap((move) => (isLostMove(move) ? [] : [{ row, move }])));
  const groups = groupBy(all, ({ move }) => move.drains ?? '');
  const drained = [...groups.keys()].filter((place) => place !== '').sort();
  const halves = new Set(rows.flatMap(({ actions, drainsFrom = [] }) => (actions.unreplaced > 0 ? drainsFrom : [])));
  const clauseOf = (place: string): Clause => {
    const verb = place === '' ? 'moves ' : `drains ${nameDrained(place)}: moves `;
    const clause = toMoveClause(groups.get(place) ?? [], verb, place === '' ? undefined : place);
    // It stands before the clause on those that stay there.
    return halves.has(place) && clause.rank === 'replicas' ? { ...clause, rank: 'gone' } : clause;
  };
  return [
    ...limitRanked(drained.map(clauseOf), 'drains other clusters or pools'),
    ...(groups.has('') ? [clauseOf('')] : []),
  ];
}

interface MovedReplica {
  readonly row: DeploymentRow;
  readonly move: Move;
}

function toMoveClause(moved: readonly MovedReplica[], verb: string, drains: string | undefined): Clause {
  const down = moved.filter(({ move }) => move.down).length;
  const isOut = moved.some(({ row, move }) => move.down && isDown(row));
  const reasons = sortUnique(moved.map(({ move }) => move.why ?? ''));
  const [reason = ''] = reasons;
  // Next to downtime that comes from finalizing, the reason of the move would be read as the reason of the downtime.
  const isSaid = reasons.length === 1 && reason !== '' && !moved.some(({ move }) => move.finalized);
  const how = `${describeDevices(rowsOf(moved))}${down === 0 ? '' : describeDown(moved, down)}`;
  const effect = `${verb}${describeMoved(moved, drains)}${how}`;
  const rank = isOut ? 'down' : 'replicas';
  if (!isSaid) return { rank, text: effect };
  const resized = moved[0]?.move.resized;
  return { rank, text: `${effect}, ${reason}`, ...(resized && { because: { resized, effect } }) };
}

/** ` with **downtime**` where none of a deployment serves meanwhile, ` (down while moving; 2 of 3 serve)` otherwise. */
function describeDown(moved: readonly MovedReplica[], down: number): string {
  const rows = rowsOf(moved.filter(({ move }) => move.down));
  const [row, ...others] = rows;
  const out = rows.filter(isDown);
  if (out.length > 0)
    return describeOutage(out, { down, isAll: down === moved.length, isEach: out.length === rows.length });
  const how = down === moved.length ? 'down while moving' : `${formatCount(down)} down while moving`;
  if (others.length > 0 || !row?.serving || row.deployments.length > 1)
    return ` (${how}; other replicas of ${rows.length > 1 || (row?.deployments.length ?? 0) > 1 ? 'each' : 'it'} serve)`;
  return ` (${how}; ${formatCount(row.serving[row.applied])} of ${formatCount(row.replicas.before)} serve)`;
}

/** ` with **downtime of about 2 to 9 minutes**`, ` with **downtime** of `ml/p` (about 2 to 9 minutes)`. */
function describeOutage(
  out: readonly DeploymentRow[],
  { down, isAll, isEach }: { readonly down: number; readonly isAll: boolean; readonly isEach: boolean },
): string {
  const howLong = describeDowntime(out);
  if (isEach && isAll) return ` with **downtime${howLong === undefined ? '' : ` of ${howLong}`}**`;
  const whose = isEach ? ` of ${pluralize(down, 'replica')}**` : `** of ${joinDeployments(out)}`;
  return ` with **downtime${whose}${howLong === undefined ? '' : ` (${howLong})`}`;
}

function rowsOf(moved: readonly MovedReplica[]): DeploymentRow[] {
  return [...new Set(moved.map(({ row }) => row))];
}

/** `1 replica of ml/a from us to eu and 1 replica of ml/b from us/l4 to dc/h100`, where not all go the same way. */
function describeMoved(moved: readonly MovedReplica[], drains: string | undefined): string {
  const ways = [...groupBy(moved, ({ move }) => move.to).values()];
  const isSplit = ways.length > 1 && ways.length <= MAX_PAIRS && rowsOf(moved).length > 1;
  return joinAnd(
    (isSplit ? ways : [moved]).map((way) => {
      const countOf = (row: DeploymentRow): number => way.filter((one) => one.row === row).length;
      const moves = way.map(({ move }) => move);
      return `${countReplicas(rowsOf(way), countOf)}${describePlaces(moves, drains)}`;
    }),
  );
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
