import { formatCount } from '../../base/figures';
import { groupBy } from '../../base/order';
import { isFixed } from '../../diff/copies-changes';
import { formatCopiesClause } from '../diff/copies-changes-text';
import { formatCode } from '../document/write-markdown';
import { joinDeployments, limitClauses } from './clauses';
import type { DeploymentRow } from './deployment-rows';

/** `lets ml/chat grow to 6 copies instead of 4`, one clause for engines in which the same changes. */
export function listCopiesClauses(rows: readonly DeploymentRow[]): string[] {
  const changes = rows.flatMap((row) =>
    // Copies of replicas that have no place do not grow.
    (row.replicas.after === 0 ? [] : (row.copies?.engines ?? [])).map((change) => {
      const each = row.replicas.after > row.deployments.length ? ' in each replica' : '';
      const engine = row.copies?.several ? `engine ${formatCode(change.engine)} of ` : '';
      const effect = isFixed(change) ? describeCopiesEffect(row) : '';
      return { row, engine, clauseOf: (who: string) => `${formatCopiesClause(change, who, each)}${effect}` };
    }),
  );
  const groups = groupBy(changes, ({ engine, clauseOf }) => clauseOf(engine));
  const clauses = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [first.clauseOf(`${first.engine}${joinDeployments(group.map(({ row }) => row))}`)] : [];
  });
  return limitClauses(clauses, 'changes the copies of other deployments');
}

/** ` with 8 more GPUs and no restart`, of replicas to which nothing else happens. */
function describeCopiesEffect({ actions, accelerators, copies }: DeploymentRow): string {
  if (Object.values(actions).some((count) => count > 0)) return '';
  const step = accelerators.after - accelerators.before;
  const isOne = copies?.engines.length === 1 && step !== 0;
  const devices = `${formatCount(Math.abs(step))} ${step > 0 ? 'more' : 'fewer'} ${Math.abs(step) === 1 ? 'GPU' : 'GPUs'}`;
  return isOne ? ` with ${devices} and no restart` : ', without a restart';
}
