import { joinAnd } from '../../base/text';
import type { CostChanges } from '../../cost/cost-changes';
import { formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';

/** Lists the deployments that use more, where pools may only get fewer nodes at most. Then the bill can rise all the same. */
function listGrownUnderCap({ delta, clusters, deployments }: CostChanges): string[] {
  if (delta.least.perMonth !== 0 || (delta.most.perMonth ?? 0) >= 0) return [];
  const isCapped = clusters.some(({ pools }) =>
    pools.some(({ nodes: { before, after } }) => after.most < before.most && after.least === before.least),
  );
  return isCapped ? deployments.filter((one) => (one.delta.perMonth ?? 0) > 0).map((one) => one.deployment) : [];
}

/** `` by what can run at most; the bill can rise, because `ml/a` uses more``. Empty: the most does not fall, or the use does not rise. */
export function describeCapped(cost: CostChanges): string {
  const names = limitClauses(listGrownUnderCap(cost).map(formatCode), 'other deployments');
  if (names.length === 0) return '';
  const uses = names.length === 1 ? 'uses' : 'use';
  return ` by what can run at most; the bill can rise, because ${joinAnd(names)} ${uses} more`;
}

/** Why the rows of a table do not add up. Empty: they do. */
export function noteCapped(cost: CostChanges): string[] {
  if (listGrownUnderCap(cost).length === 0) return [];
  return [
    'Rows of deployments are what they use, that of the fleet is what nodes cost at least and at most: they do not add up.',
  ];
}
