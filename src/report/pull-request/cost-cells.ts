import type { Cost } from '../../cost/cost';
import type { CostChanges, RangeChange } from '../../cost/cost-changes';
import { sumRangeChanges } from '../cost/cost-difference';
import { formatBestCells, formatEstimatedCells, formatKnownCells, hasUnknown } from '../cost/range-cells';
import { nameUnpricedChanges } from '../cost/unpriced-changes';
import { escapeMarkdown } from '../document/write-markdown';
import type { RowCosts } from './finalized-costs';

/** The cells of the cost of the replicas of a row: before, after, and the difference. */
export function formatCostCells({ cost, estimate }: RowCosts, { currency, ...all }: CostChanges): string[] {
  if (cost.length + estimate.length === 0) return ['', '', 'unchanged'];
  const [known, estimated] = [sumRangeChanges(cost), sumRangeChanges(estimate)];
  // An estimate lists what changes.
  if (all.estimate && estimate.length === 0 && hasUnknown(known)) return ['', '', '≈ unchanged'];
  if (estimate.length === 0 || (cost.length > 0 && !hasUnknown(known)))
    return explainDropped(formatKnownCells(known, currency).map(escapeMarkdown), known);
  // What uses nodes without a price may change although its unknown parts are as many.
  const isDifferenceKnown = isSameDelta(known.delta, estimated.delta);
  const about = formatEstimatedCells(estimated, currency, isDifferenceKnown ? known : undefined);
  const exact = formatKnownCells(known, currency);
  const cells = about.map((cell, at) => (cost.length > 0 && isSumKnown(known, at) ? (exact[at] ?? cell) : cell));
  return explainDropped(cells.map(escapeMarkdown), estimated);
}

/** Whether no part of the sum before or after a change is unknown. */
function isSumKnown({ before, after }: RangeChange, at: number): boolean {
  const sum = [before, after][at];
  return sum !== undefined && sum.least.unknown + sum.most.unknown === 0;
}

function isSameDelta(known: RangeChange['delta'], estimated: RangeChange['delta']): boolean {
  return (['least', 'most'] as const).every((bound) => {
    const [exact, about] = [known[bound], estimated[bound]];
    return exact.unknown + about.unknown === 0 && Math.round(exact.perMonth ?? 0) === Math.round(about.perMonth ?? 0);
  });
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
  const estimated = estimate && partOf(estimate.changes);
  const cells = formatBestCells({ known, estimated }, currency).map(escapeMarkdown);
  return explainDropped(cells, hasUnknown(known) && estimated ? estimated : known, unpriced);
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
