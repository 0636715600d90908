import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { allOf, joinAnd, pluralize } from '../../base/text';
import {
  type Clause,
  countClause,
  formatCounts,
  joinDeployments,
  limitClauses,
  MAX_NAMES,
  rankClauses,
} from './clauses';
import { type DeploymentRow, keepsOld, type Unplaced } from './deployment-rows';
import { formatCopies, growsInCopies } from '../diff/copies-changes-text';

/** ``deploys `ml/a` ``, ``deploys `ml/b` with 1 of 2 replicas, for the other there is no place``. */
export function listDeployed(added: readonly DeploymentRow[]): string[] {
  const whole = added.filter(({ unplaced }) => !unplaced);
  const short = added.filter(({ unplaced }) => unplaced);
  const parts = short.map((row) => {
    const { missing = 0, declared = 0 } = row.unplaced ?? {};
    if (missing === declared) return `finds no place for the new ${joinDeployments([row])}${byThisChange(row)}`;
    const others = missing === 1 ? 'the other fits' : `the other ${formatCount(missing)} fit`;
    const count = `${formatCount(declared - missing)} of ${pluralize(declared, 'replica')}`;
    return `deploys ${joinDeployments([row])} with ${count} (${others} nowhere${byThisChange(row)})`;
  });
  return [
    ...(whole.length > 0 ? [`deploys ${joinDeployments(whole)}`] : []),
    ...limitClauses(parts, 'deploys others in part'),
  ];
}

/** Whether another clause says that replicas have no place. */
export function isSaid(row: DeploymentRow): boolean {
  return keepsOld(row) || (row.declared === 'added' && row.renamed === undefined);
}

function isEmptied({ actions, replicas }: DeploymentRow): boolean {
  return actions.remove > 0 && replicas.after === 0;
}

/** ``removes 2 replicas of `ml/a` ``, ``removes the only replica of `ml/b` (replicas 1 → 0)``. */
export function listRemovals(rows: readonly DeploymentRow[]): Clause[] {
  const emptied = rows.filter(isEmptied).map((row) => {
    const { before } = row.replicas;
    const what = allOf(before, 'replica');
    return `removes ${what} of ${joinDeployments([row])} (replicas ${formatCounts(row.replicas)})`;
  });
  const some = rows.filter((row) => !isEmptied(row));
  return [
    ...rankClauses('down', limitClauses(emptied, 'removes all replicas of other deployments')),
    ...rankClauses(
      'gone',
      countClause('removes', some, ({ actions }) => actions.remove),
    ),
  ];
}

/** `evicts 1 of 3 replicas of ml/a and 1 of 2 replicas of ml/b, which fit nowhere else`. */
export function listEvictions(rows: readonly DeploymentRow[]): Clause[] {
  const evicted = rows.filter(({ actions }) => actions.evict > 0);
  const whole = evicted.filter(({ actions, unplaced }) => actions.evict === unplaced?.missing);
  const some = evicted.filter((row) => !whole.includes(row));
  const groups = [...groupBy(whole, (row) => describeAccepted([row])).values()];
  return [
    ...groups.map((group): Clause => {
      const count = group.reduce((sum, { actions }) => sum + actions.evict, 0);
      const text = `evicts ${countOfEach(group)}, which ${count === 1 ? 'fits' : 'fit'} nowhere ${describeGrowth(group)}`;
      const isEmptied = group.some(({ replicas }) => replicas.after === 0);
      return { rank: isEmptied ? 'down' : 'gone', text: `${text}${describeAccepted(group)}` };
    }),
    ...rankClauses(
      'gone',
      countClause('evicts', some, ({ actions }) => actions.evict),
    ),
  ];
}

/** `with 1 to 5 copies instead of 1 to 3`, where that is what changes; otherwise `else`. */
function describeGrowth([row, ...others]: readonly DeploymentRow[]): string {
  const [change, ...more] = row?.copies?.engines ?? [];
  if (!change || others.length + more.length > 0 || !growsInCopies(change)) return 'else';
  return `with ${formatCopies(change.after)} copies instead of ${formatCopies(change.before)}`;
}

/** `1 of 3 replicas of ml/a and all 2 replicas of ml/b`. Of many deployments, the sum: `9 of 50 replicas of 5 deployments`. */
function countOfEach(rows: readonly DeploymentRow[]): string {
  const named = rows.reduce((sum, { deployments }) => sum + deployments.length, 0);
  const short = rows.flatMap((row) => (row.unplaced ? [{ row, unplaced: row.unplaced }] : []));
  if (named <= MAX_NAMES) {
    return joinAnd(short.map(({ row, unplaced }) => `${countOfDeclared(unplaced)} of ${joinDeployments([row])}`));
  }
  const sumOf = (count: (unplaced: Unplaced) => number): number =>
    short.reduce((sum, { unplaced }) => sum + count(unplaced), 0);
  const total = { missing: sumOf(({ missing }) => missing), declared: sumOf(({ declared }) => declared) };
  return `${countOfDeclared(total)} of ${joinDeployments(rows)}`;
}

/** `, which this change accepts`, of a new deployment: nothing else can. */
function byThisChange({ unplaced }: DeploymentRow): string {
  if (unplaced?.waits) return UNTIL_FINALIZED;
  return unplaced?.accepted ? ', which this change accepts' : '';
}

/** ` until draining replicas are finalized`, or `, as accepted`. Empty where nothing accepts that replicas have no place. */
export function describeAccepted([row]: readonly Pick<DeploymentRow, 'unplaced'>[]): string {
  if (row?.unplaced?.waits) return UNTIL_FINALIZED;
  return row?.unplaced?.accepted ? ', as accepted' : '';
}

const UNTIL_FINALIZED = ' until draining replicas are finalized';

/** `3 of 5 replicas`, `all 3 replicas`, `the only replica`. */
function countOfDeclared({ missing, declared }: Pick<Unplaced, 'missing' | 'declared'>): string {
  if (missing < declared) return `${formatCount(missing)} of ${pluralize(declared, 'replica')}`;
  return allOf(declared, 'replica');
}

/** `finds no place for 3 of 5 replicas of ml/chat`, where they are not evicted. */
export function listUnplacedClauses(rows: readonly DeploymentRow[]): string[] {
  const short = rows.filter(({ actions, unplaced }) => unplaced && actions.evict + actions.lost !== unplaced.missing);
  const groups = [...groupBy(short, (row) => describeAccepted([row])).values()];
  return groups.map((group) => `finds no place for ${countOfEach(group)}${describeAccepted(group)}`);
}
