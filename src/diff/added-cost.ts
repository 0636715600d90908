import { formatSignedBounds } from '../base/money';
import type { Cost, CostRange } from '../cost/cost';

/** What a fleet costs more a month with further replicas or nodes. */
export interface AddedCost {
  readonly least: number;
  readonly most: number;
  readonly currency: string;
}

/** What more a fleet costs. Undefined: not known. */
export function compareTotals(before: CostRange, { total, currency }: Cost): AddedCost | undefined {
  if (before.most.unknown !== total.most.unknown) return undefined;
  const [least = 0, most = 0] = (['least', 'most'] as const).map((bound) => {
    return Number(((total[bound].perMonth ?? 0) - (before[bound].perMonth ?? 0)).toFixed(2));
  });
  return { least, most, currency };
}

/** `cost unchanged`, `+$773 a month`, `+$773 to +$3,090 a month`. */
export function formatAddedCost(cost: AddedCost | undefined): string {
  if (!cost) return 'price unknown';
  if (cost.least === 0 && cost.most === 0) return 'cost unchanged';
  return `${formatSignedBounds([cost.least, cost.most], cost.currency)} a month`;
}
