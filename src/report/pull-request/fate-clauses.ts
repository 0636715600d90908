import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import { escapeMarkdown } from '../document/write-markdown';
import { type Clause, joinDeployments, limitClauses } from './clauses';
import { type DeploymentRow, isDown, keepsOld, mayServe } from './deployment-rows';
import type { Action } from './replica-actions';
import { describeEdit } from './deployment-table';
import { describeAccepted } from './place-clauses';

/** The fewest different things that happen to replicas of a deployment which become one clause. */
const MIN_FATES = 3;

/** What becomes of replicas, by what happens to them, in the order of the clause. */
const FATES: readonly (readonly [actions: readonly Action[], one: string, several: string])[] = [
  [['roll', 'restart'], 'restarts', 'restart'],
  [['offline'], 'goes down', 'go down'],
  [['mayRestart'], 'may restart', 'may restart'],
  [['move'], 'moves', 'move'],
  [['place'], 'is added', 'are added'],
  [['draining'], 'serves until it is finalized', 'serve until they are finalized'],
  [['unreplaced'], 'is kept until its replacement fits', 'are kept until their replacements fit'],
  [['lost'], 'is on a lost cluster', 'are on lost clusters'],
  [['remove'], 'is removed', 'are removed'],
  [['finish'], 'has drained', 'have drained'],
  [['evict'], 'is evicted', 'are evicted'],
];

/** Whether one clause says what becomes of all replicas, so that none that drains or is evicted is left out. */
export function hasOneFate(row: DeploymentRow): boolean {
  const { actions, declared } = row;
  return (
    declared === undefined &&
    actions.draining + actions.unreplaced + actions.evict > 0 &&
    !leavesDrained(row) &&
    listFates(row).length + (row.unplaced ? 1 : 0) >= MIN_FATES
  );
}

/** Whether all that happens is that replicas leave a drained cluster, or stay on it: clauses on its drain say so. */
function leavesDrained(row: DeploymentRow): boolean {
  const { actions, moves, drainsFrom } = row;
  const isDrain = drainsFrom !== undefined && moves.every(({ drains, down }) => drains !== undefined && !down);
  return (
    isDrain && keepsOld(row) && listFates({ ...row, actions: { ...actions, move: 0, unreplaced: 0 } }).length === 0
  );
}

function listFates(row: DeploymentRow): string[] {
  const { actions } = row;
  const edit = describeEdit(row);
  return FATES.flatMap(([kinds, one, several]) => {
    const count = kinds.reduce((sum, kind) => sum + actions[kind], 0);
    const why = kinds.includes('roll') && edit !== undefined ? ` (${escapeMarkdown(edit)})` : '';
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : several}${why}`];
  });
}

/**
 * ``leaves `ml/a` with 2 of 3 replicas and `ml/b` with 1 of 2 replicas, with **downtime** of both``. The table says what
 * becomes of each replica.
 */
export function listFateClauses(rows: readonly DeploymentRow[]): Clause[] {
  const mixed = rows.filter(hasOneFate);
  const [short, others] = [mixed.filter(({ unplaced }) => unplaced), mixed.filter(({ unplaced }) => !unplaced)];
  const groups = groupBy(
    short,
    (row) => `${isDown(row)} ${mayServe(row)} ${describeEdit(row)} ${describeAccepted([row])}`,
  );
  return [...[...groups.values()].map(toLeftClause), ...others.map(toFatesClause)];
}

function toLeftClause(rows: readonly DeploymentRow[]): Clause {
  const [first] = rows;
  const edit = first && describeEdit(first);
  const left = rows.map((row) => {
    const { missing = 0, declared = 0 } = row.unplaced ?? {};
    const { draining, unreplaced } = row.actions;
    const serving = draining + row.moves.filter(({ down, finalized, lost }) => !down && !finalized && !lost).length;
    const all = [...describeOld(serving, OLD_UNTIL.finalized), ...describeOld(unreplaced, OLD_UNTIL.replaced)];
    const old = all.length > 0 ? `, next to ${joinAnd(all)}` : '';
    const count = `${formatCount(declared - missing)} of ${pluralize(declared, 'replica')}`;
    return `${joinDeployments([row])} with ${count}${edit === undefined ? describeSize(row) : ''}${old}`;
  });
  const why = edit === undefined ? '' : ` (${escapeMarkdown(edit)})`;
  const down = first && isDown(first) ? `, with ${describeDown(rows)} while the change is applied` : '';
  const text = `leaves ${joinAnd(limitClauses(left, 'other deployments with fewer replicas'))}${describeAccepted(rows)}${down}${why}`;
  return { rank: down === '' ? 'gone' : 'down', text };
}

/** ` of 2 GPUs instead of 4`: what a replica takes, where that changes. */
function describeSize({ accelerators, replicas }: DeploymentRow): string {
  if (replicas.before === 0 || replicas.after === 0) return '';
  const [was, is] = [accelerators.before / replicas.before, accelerators.after / replicas.after];
  if (was === is || ![was, is].every((each) => Number.isInteger(each) && each > 0)) return '';
  return ` of ${pluralize(is, 'GPU')} instead of ${formatCount(was)}`;
}

function describeDown(rows: readonly DeploymentRow[]): string {
  if (rows.some(mayServe)) return 'possible **downtime**: no other is sure to serve';
  return `**downtime**: ${NO_OTHER[rows.length] ?? 'none of them serves'}`;
}

/** That nothing serves, by the number of deployments. */
const NO_OTHER: readonly (string | undefined)[] = [undefined, 'none serves', 'nothing serves either'];

const OLD_UNTIL = {
  finalized: ['it is finalized', 'they are finalized'],
  replaced: ['its replacement fits', 'their replacements fit'],
} as const;

/** `1 old one until it is finalized`. Empty: there is none. */
function describeOld(count: number, [one, several]: readonly [string, string]): string[] {
  if (count === 0) return [];
  return count === 1 ? [`1 old one until ${one}`] : [`${formatCount(count)} old ones until ${several}`];
}

function toFatesClause(row: DeploymentRow): Clause {
  return {
    rank: isDown(row) ? 'down' : 'gone',
    text: `of ${pluralize(row.replicas.before, 'replica')} of ${joinDeployments([row])}, ${joinAnd(listFates(row))}`,
  };
}
