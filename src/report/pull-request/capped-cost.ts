import { formatAmount } from '../../base/money';
import { joinAnd } from '../../base/text';
import type { CostChanges } from '../../cost/cost-changes';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';

/** Lists the deployments that use more, where pools may only get fewer nodes at most. Then the bill can rise all the same. */
function listGrownUnderCap({ delta, clusters, deployments }: CostChanges): string[] {
  if (delta.least.perMonth !== 0 || (delta.most.perMonth ?? 0) >= 0) return [];
  const isCapped = clusters.some(({ pools }) =>
    pools.some(({ nodes: { before, after } }) => after.most < before.most && after.least === before.least),
  );
  return isCapped ? deployments.filter((one) => (one.delta.perMonth ?? 0) > 0).map((one) => one.deployment) : [];
}

/**
 * ``**at most $346,888 instead of $349,809 a month** (fewer nodes can run), and at least $341,046, as before. Between
 * these, the bill can rise, because `ml/a` uses more``. Undefined: the most does not fall, the use does not rise, or a
 * price is not known.
 */
export function formatCapped(cost: CostChanges): string | undefined {
  const { before, after, currency } = cost;
  const rises = describeRise(cost);
  const bounds = [before.most, after.most, after.least].map(({ perMonth = 0 }) =>
    escapeMarkdown(formatAmount(perMonth, currency)),
  );
  const [was, most, least] = bounds;
  if (rises === '' || before.most.unknown + after.most.unknown > 0) return undefined;
  return `**at most ${most} instead of ${was} a month** (fewer nodes can run), and at least ${least}, as before. Between these, ${rises}`;
}

/** ``; the bill can rise, because `ml/a` uses more``, where a price is not known. Empty: it does not, or all are known. */
export function describeCapped(cost: CostChanges): string {
  const rises = describeRise(cost);
  return rises === '' || formatCapped(cost) !== undefined ? '' : `; ${rises}`;
}

function describeRise(cost: CostChanges): string {
  const names = limitClauses(listGrownUnderCap(cost).map(formatCode), 'other deployments');
  if (names.length === 0) return '';
  return `the bill can rise, because ${joinAnd(names)} ${names.length === 1 ? 'uses' : 'use'} more`;
}

/** Why the rows of a table do not add up. Empty: they do. */
export function noteCapped(cost: CostChanges): string[] {
  if (listGrownUnderCap(cost).length === 0) return [];
  return [
    'The rows do not add up: that of a deployment has the cost of what its copies use, that of the fleet the cost of all nodes, from the fewest to the most that can run.',
  ];
}
