import { formatCount } from '../../base/figures';
import { pluralize } from '../../base/text';
import { escapeMarkdown } from '../document/write-markdown';
import { type Clause, joinAnd, joinDeployments } from './clauses';
import { type Action, type DeploymentRow, isDown } from './deployment-rows';
import { describeEdit } from './deployment-table';

/** The fewest different things that happen to replicas of a deployment which become one clause. */
const MIN_FATES = 3;

/** What becomes of replicas, by what happens to them, in the order of the clause. */
const FATES: readonly (readonly [actions: readonly Action[], one: string, several: string])[] = [
  [['roll', 'restart'], 'restarts', 'restart'],
  [['offline'], 'goes down', 'go down'],
  [['move'], 'moves', 'move'],
  [['place'], 'is added', 'are added'],
  [['draining'], 'serves until it is finalized', 'serve until they are finalized'],
  [['remove'], 'is removed', 'are removed'],
  [['finish'], 'has drained', 'have drained'],
  [['evict'], 'is evicted', 'are evicted'],
];

/** Whether one clause says what becomes of all replicas, so that none that drains or is evicted is left out. */
export function hasOneFate(row: DeploymentRow): boolean {
  const { actions, declared } = row;
  return declared === undefined && actions.draining + actions.evict > 0 && listFates(row).length >= MIN_FATES;
}

function listFates(row: DeploymentRow): string[] {
  const { actions, unplaced } = row;
  const edit = describeEdit(row);
  const fates = FATES.flatMap(([kinds, one, several]) => {
    const count = kinds.reduce((sum, kind) => sum + actions[kind], 0);
    const why = kinds.includes('roll') && edit !== undefined ? ` (${escapeMarkdown(edit)})` : '';
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : several}${why}`];
  });
  if (!unplaced) return fates;
  const { missing, accepted } = unplaced;
  const how = `${missing === 1 ? 'is' : 'are'} missing afterwards${accepted ? ', as accepted' : ''}`;
  return [...fates, `${formatCount(missing)} ${how}`];
}

/** ``of 3 replicas of `ml/a`, 1 restarts, 1 serves until it is finalized, 1 is evicted and 2 are missing afterwards``. */
export function listFateClauses(rows: readonly DeploymentRow[]): Clause[] {
  return rows.filter(hasOneFate).map((row) => ({
    rank: isDown(row) ? 'down' : 'gone',
    text: `of ${pluralize(row.replicas.before, 'replica')} of ${joinDeployments([row])}, ${joinAnd(listFates(row))}`,
  }));
}
