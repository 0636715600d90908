import type { Outcome } from '../what-if/what-if';
import { formatDelta, formatRange, isUnchanged } from './cost-text';
import { formatDrain } from './drain-text';
import { plural } from './format';
import { formatPrices } from './price-text';
import { PLAIN, type Style } from './style';
import { formatDeployment } from './text';

/** What scenarios change, for a person: who moves, who has no place any more and why, drains, and the cost. */
export function formatOutcomes(outcomes: readonly Outcome[], style: Style = PLAIN): string {
  return outcomes.map((outcome) => formatOutcome(outcome, style).join('\n')).join('\n\n');
}

/** The same in a line a scenario: `drain us: 1 moves, 7 stay.` */
export function formatOutcomesTotals(outcomes: readonly Outcome[]): string {
  return outcomes.map((outcome) => `${outcome.scenario}: ${totalsText(outcome)}.`).join('\n');
}

function formatOutcome(outcome: Outcome, style: Style): string[] {
  const { scenario, deployments, drains } = outcome;
  return [
    style.strong(`What if: ${scenario}`),
    '',
    ...deployments.flatMap((deployment) => [...formatDeployment(deployment, style), '']),
    ...drains.map((drain) => formatDrain(drain, style)),
    ...(drains.length > 0 ? [''] : []),
    ...formatCostChange(outcome).map(style.faint),
    style.strong(`Then: ${totalsText(outcome)}.`),
  ];
}

function totalsText({ totals, deployments }: Outcome): string {
  const { place, move, remove, keep, unplaced } = totals;
  const partial = deployments.filter(({ shortfall }) => shortfall?.accepted).length;
  return [
    `${move} ${move === 1 ? 'moves' : 'move'}`,
    ...(place > 0 ? [`${place} placed`] : []),
    ...(remove > 0 ? [`${remove} removed`] : []),
    `${keep} ${keep === 1 ? 'stays' : 'stay'}`,
    ...(unplaced > 0 ? [`${unplaced} without a place`] : []),
    ...(partial > 0 ? [`fewer, as allowed, of ${plural(partial, 'deployment')}`] : []),
  ].join(', ');
}

function formatCostChange({ cost: { currency, before, after, delta, sources } }: Outcome): string[] {
  const from = `${currency} an hour: ${formatRange(before)}, then ${formatRange(after)}`;
  if (isUnchanged(delta)) return [`Cost in ${currency} an hour: unchanged.`];
  const prices = formatPrices([before.most, after.most], sources);
  return [`Cost in ${from} (${formatDelta(delta)}).`, ...prices.map((line) => `  ${line}`)];
}
