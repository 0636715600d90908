import { lazily } from '../base/memoize';
import type { Cost } from '../cost/cost';
import { assumePoolPrices, findPoolPrices, listAssumedPools, withAssumedPrices } from '../cost/pool-prices';
import { computeCostOfPlacements } from '../plan/plan-cost';
import { type EstimatedCost, estimateStateCost } from './cost-estimates';
import type { FleetState } from './fleet-state';

/** What a fleet costs, and what it costs with prices of other regions where a pool has no known price. */
export interface PricedFleet {
  readonly cost: Cost;

  /** Undefined: all pools have known prices, or no price is known elsewhere. */
  readonly estimate: () => EstimatedCost | undefined;
}

/** Prices a fleet as it was decided. */
export function priceState({ decision, cost }: Pick<FleetState, 'decision' | 'cost'>): PricedFleet {
  return { cost, estimate: lazily(() => estimateStateCost(decision)) };
}

/** Prices a fleet with other placements. */
export function pricePlacements(...placed: Parameters<typeof computeCostOfPlacements>): PricedFleet {
  const [fleet, placements, usageAt, prices = findPoolPrices(fleet)] = placed;
  return {
    cost: computeCostOfPlacements(fleet, placements, usageAt, prices),
    estimate: lazily(() => {
      const assumed = assumePoolPrices(fleet);
      if (assumed.size === 0) return undefined;
      const cost = computeCostOfPlacements(fleet, placements, usageAt, withAssumedPrices(prices, assumed));
      return { cost, assumed: listAssumedPools(assumed) };
    }),
  };
}
