import { formatSignedBounds, roundEstimate } from '../base/money';
import { sortUnique } from '../base/order';
import { joinAnd } from '../base/text';
import { compareCosts, computeCostDelta } from '../cost/compare-costs';
import type { CostRange } from '../cost/cost';
import { poolKeyOf } from '../cost/pool-prices';
import type { PricedFleet } from './priced-placements';

/** What a fleet costs more a month with further replicas or nodes. */
export interface AddedCost {
  readonly least: number;
  readonly most: number;
  readonly currency: string;

  /** The other regions whose prices estimate it, sorted. Absent: the prices of all that is added are known. */
  readonly regions?: readonly string[];
}

/** What more a fleet costs: an estimate where nodes that are added have no known price. Undefined: not known. */
export function compareTotals(before: PricedFleet, after: PricedFleet): AddedCost | undefined {
  const { currency } = after.cost;
  const known = computeCostDelta(before.cost, after.cost);
  if (isKnown(known)) return { ...boundsOf(known), currency };
  const later = after.estimate();
  if (!later) return undefined;
  const estimated = computeCostDelta(before.estimate()?.cost ?? before.cost, later.cost);
  if (!isKnown(estimated)) return undefined;
  return { ...boundsOf(estimated), currency, regions: listRegions(before, after) };
}

function isKnown({ least, most }: CostRange): boolean {
  return least.unknown + most.unknown === 0;
}

function boundsOf({ least, most }: CostRange): Pick<AddedCost, 'least' | 'most'> {
  return { least: least.perMonth ?? 0, most: most.perMonth ?? 0 };
}

/** The regions whose prices estimate what differs. */
function listRegions(before: PricedFleet, after: PricedFleet): string[] {
  const { clusters } = compareCosts(before.cost, after.cost);
  const changed = new Set(
    clusters.flatMap(({ cluster, pools }) =>
      pools.flatMap(({ pool, delta }) => (isKnown(delta) ? [] : [poolKeyOf(cluster, pool)])),
    ),
  );
  const assumed = after.estimate()?.assumed ?? [];
  return sortUnique(
    assumed.flatMap(({ cluster, pool, region }) => (changed.has(poolKeyOf(cluster, pool)) ? [region] : [])),
  );
}

/** `cost unchanged`, `+$773 a month`, `+$773 to +$3,090 a month`, `about +$773 a month as in us-east-1`, `price unknown`. */
export function formatAddedCost(cost: AddedCost | undefined): string {
  if (!cost) return 'price unknown';
  const { least, most, currency, regions } = cost;
  if (least === 0 && most === 0) return 'cost unchanged';
  if (!regions) return `${formatSignedBounds([least, most], currency)} a month`;
  return `about ${formatSignedBounds([least, most].map(roundEstimate), currency)} a month as in ${joinAnd(regions)}`;
}
