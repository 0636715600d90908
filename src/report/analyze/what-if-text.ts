import type { Outcome } from '../../analyze/what-if/what-if';
import { pluralize } from '../../base/text';
import { formatPriceSources } from '../cost/amounts';
import { formatDelta, formatRange, isUnchanged } from '../cost/cost-summary';
import { PLAIN_STYLE, type Style } from '../document/terminal-style';
import { formatDeploymentPlan, formatDrain } from '../plan/plan-text';

/** What scenarios change, for a person: who moves, who has no place any more and why, drains, and the cost. */
export function formatOutcomes(outcomes: readonly Outcome[], style: Style = PLAIN_STYLE): string {
  return outcomes.map((outcome) => formatOutcome(outcome, style).join('\n')).join('\n\n');
}

/** The same in a line a scenario: `drain us: 1 moves, 7 stay.` */
export function formatOutcomeTotals(outcomes: readonly Outcome[]): string {
  return outcomes.map((outcome) => `${outcome.scenario}: ${formatTotalsClause(outcome)}.`).join('\n');
}

function formatOutcome(outcome: Outcome, style: Style): string[] {
  const { scenario, deployments, drains } = outcome;
  return [
    style.strong(`What if: ${scenario}`),
    '',
    ...deployments.flatMap((deployment) => [...formatDeploymentPlan(deployment, style), '']),
    ...drains.map((drain) => formatDrain(drain, style)),
    ...(drains.length > 0 ? [''] : []),
    ...formatCostChange(outcome).map(style.faint),
    style.strong(`Then: ${formatTotalsClause(outcome)}.`),
  ];
}

function formatTotalsClause({ totals, deployments }: Outcome): string {
  const { place, move, remove, keep, unplaced } = totals;
  const partial = deployments.filter(({ shortfall }) => shortfall?.accepted).length;
  return [
    `${move} ${move === 1 ? 'moves' : 'move'}`,
    ...(place > 0 ? [`${place} placed`] : []),
    ...(remove > 0 ? [`${remove} removed`] : []),
    `${keep} ${keep === 1 ? 'stays' : 'stay'}`,
    ...(unplaced > 0 ? [`${unplaced} without a place`] : []),
    ...(partial > 0 ? [`fewer, as allowed, of ${pluralize(partial, 'deployment')}`] : []),
  ].join(', ');
}

function formatCostChange({ cost: { currency, before, after, delta, sources } }: Outcome): string[] {
  const from = `${currency} an hour: ${formatRange(before)}, then ${formatRange(after)}`;
  if (isUnchanged(delta)) return [`Cost in ${currency} an hour: unchanged.`];
  const prices = formatPriceSources([before.most, after.most], sources);
  return [`Cost in ${from} (${formatDelta(delta)}).`, ...prices.map((line) => `  ${line}`)];
}
