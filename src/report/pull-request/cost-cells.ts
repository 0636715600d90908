import { formatAmount } from '../../base/money';
import type { Cost } from '../../cost/cost';
import type { CostChanges, RangeChange } from '../../cost/cost-changes';
import { formatRangeDifference, type MonthlySum, sumRangeChanges } from '../cost/cost-difference';
import { formatEstimatedDelta, formatEstimatedRange } from '../cost/cost-estimate';
import { nameUnpricedChanges } from '../cost/unpriced-changes';
import { escapeMarkdown } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';

/** The cells of the cost of the replicas of a row: before, after, and the difference. */
export function formatCostCells({ cost, estimate }: DeploymentRow, { currency, ...all }: CostChanges): string[] {
  if (cost.length + estimate.length === 0) return ['', '', 'unchanged'];
  const [known, estimated] = [sumRangeChanges(cost), sumRangeChanges(estimate)];
  // An estimate lists what changes.
  if (all.estimate && estimate.length === 0 && hasUnknown(known)) return ['', '', '≈ unchanged'];
  if (estimate.length === 0 || (cost.length > 0 && !hasUnknown(known)))
    return explainDropped(formatRanges(known, currency), known);
  // What uses nodes without a price may change although its unknown parts are as many.
  const isDifferenceKnown = isSameDelta(known.delta, estimated.delta);
  return explainDropped(formatEstimates(estimated, currency, isDifferenceKnown ? known : undefined), estimated);
}

function isSameDelta(known: RangeChange['delta'], estimated: RangeChange['delta']): boolean {
  return (['least', 'most'] as const).every((bound) => {
    const [exact, about] = [known[bound], estimated[bound]];
    return exact.unknown + about.unknown === 0 && Math.round(exact.perMonth ?? 0) === Math.round(about.perMonth ?? 0);
  });
}

function hasUnknown({ before, after, delta }: RangeChange): boolean {
  return [before, after, delta].some(({ most, least }) => most.unknown + least.unknown > 0);
}

/**
 * The cells of an estimate before, after, and of the difference.
 *
 * @param exact the change by known prices, where these suffice for the difference
 */
function formatEstimates({ before, after, delta }: RangeChange, currency: string, exact?: RangeChange): string[] {
  const cells = [before, after].map((range) => escapeMarkdown(formatEstimatedRange(range, currency)));
  const difference = exact
    ? formatRanges(exact, currency).slice(-1)
    : [escapeMarkdown(formatEstimatedDelta(delta, currency))];
  return [...cells, ...difference];
}

function formatSum({ perMonth, unknown }: MonthlySum, currency: string): string {
  if (perMonth === undefined) return 'unknown';
  return `${unknown > 0 ? '≥ ' : ''}${formatAmount(perMonth, currency)}`;
}

/**
 * The cells of a part of the cost of all pools. What is not known is estimated.
 *
 * @param later the cost of the later state, where parts without a price are named
 */
export function formatFleetCells(
  cost: CostChanges,
  partOf: (cost: CostChanges) => RangeChange,
  later?: Pick<Cost, 'clusters'>,
): string[] {
  const { currency, estimate } = cost;
  const known = partOf(cost);
  const unpriced = later && escapeMarkdown(nameUnpricedChanges(estimate?.changes ?? cost, later));
  if (!hasUnknown(known) || !estimate) return explainDropped(formatRanges(known, currency), known, unpriced);
  const isDifferenceKnown = known.delta.least.unknown + known.delta.most.unknown === 0;
  const estimated = partOf(estimate.changes);
  const cells = formatEstimates(estimated, currency, isDifferenceKnown ? known : undefined);
  return explainDropped(cells, estimated, unpriced);
}

/**
 * Says of a sum that falls only because a part has no price any more that it is unknown, and what is missing in it;
 * also of a sum that rises because such a part goes.
 */
function explainDropped(cells: readonly string[], { before, after }: RangeChange, unpriced?: string): string[] {
  const [was = '', is = '', difference = ''] = cells;
  const more = after.most.unknown - before.most.unknown;
  const rise = (after.most.perMonth ?? 0) - (before.most.perMonth ?? 0);
  if (difference !== 'unknown' || more * rise >= 0) return [...cells];
  const parts = unpriced === undefined || unpriced === '' ? '' : ` plus ${unpriced}`;
  const explain = (cell: string): string => (cell === 'unknown' ? cell : `unknown: ${cell}${parts}`);
  return more > 0 ? [was, explain(is), difference] : [explain(was), is, difference];
}

/** The cells of a cost before, after, and of the difference. */
function formatRanges(change: RangeChange, currency: string): string[] {
  const { before, after } = change;
  const text = ({ least, most }: RangeChange['before']): string => {
    const [low, high] = [formatSum(least, currency), formatSum(most, currency)];
    // Equal amounts of which one is a lower bound are that bound.
    return low === high || formatSum({ ...least, unknown: most.unknown }, currency) === high
      ? high
      : `${low} to ${high}`;
  };
  const [was, is] = [text(before), text(after)];
  // Less than is shown of the amounts is no difference.
  const isSame = was === is && before.least.perMonth === before.most.perMonth && !hasUnknown(change);
  const cells = [was, is, isSame ? formatAmount(0, currency) : formatRangeDifference(change, currency)];
  return cells.map(escapeMarkdown);
}
