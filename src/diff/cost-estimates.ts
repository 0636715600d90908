import { compareCosts, computeCostDelta } from '../cost/compare-costs';
import type { Cost, CostRange } from '../cost/cost';
import type { AssumedPoolPrice, CostChange, CostChanges } from '../cost/cost-changes';
import { assumePoolPrices, findPoolPrices, listAssumedPools, withAssumedPrices } from '../cost/pool-prices';
import type { AssumedPrice } from '../fleet/prices/node-price';
import type { PlacedFleet } from '../plan/decision';
import { computePlacedCost } from '../plan/plan-cost';
import { replicaIdOf } from '../replicas/replica';
import { type Placement, placementKeyOf } from '../scheduler/placement';
import { listWithoutReplacement } from '../scheduler/unreplaced-replicas';
import type { FleetState } from './fleet-state';
import { countIdleAccelerators } from './idle-accelerators';

/**
 * Compares the costs of two states. Where a pool has no known price, and a price is known in another region of its
 * cloud, an estimate is added, also of changes that have known prices: all comparisons of a fleet have the same total.
 */
export function compareStateCosts(before: FleetState, after: FleetState): CostChanges {
  const changes = compareCosts(before.cost, after.cost);
  const [was, is] = [assumePoolPrices(before.decision.fleet), assumePoolPrices(after.decision.fleet)];
  if (was.size + is.size === 0) return changes;
  const [earlier, later] = [estimateCost(before.decision, was), estimateCost(after.decision, is)];
  const pools = [...listAssumedPools(was), ...listAssumedPools(is)];
  const assumed = [...new Map(pools.map((one) => [`${one.cluster}/${one.pool} ${one.region}`, one])).values()];
  return { ...changes, estimate: { changes: compareCosts(earlier, later), assumed } };
}

/** Costs once the old replicas of a state are finalized. */
interface FinalizedCosts {
  /** Of the whole fleet. Absent if it stays the same. */
  readonly finalizedCost?: CostChanges;

  /** Of deployments, which have a smaller share of nodes that run in any case. */
  readonly finalizedUse: FinalizedUse;
}

/** The cost of what replicas use and leave idle that changes with a change, once old replicas are finalized. */
export interface FinalizedUse {
  readonly deployments: CostChanges['deployments'];

  /** The same with prices of other regions. Absent if the changes have known prices, or no price is known elsewhere. */
  readonly estimate?: CostChanges['deployments'];

  /** What is idle then: accelerators, and their cost, also with prices of other regions. */
  readonly idle: { readonly accelerators: number; readonly cost: CostChange; readonly estimate?: CostChange };
}

/**
 * Compares the costs of two states once the old replicas of the later one are finalized: those that drain and have a
 * replacement. Undefined if there are none.
 */
export function compareFinalizedCosts(before: FleetState, after: FleetState): FinalizedCosts | undefined {
  const decision = finalizeDrains(after.decision);
  if (!decision) return undefined;
  const finalized = { ...after, decision, cost: computePlacedCost(decision) };
  const cost = compareStateCosts(before, finalized);
  const { deployments, estimate } = cost;
  return {
    ...(!isUnchangedRange(computeCostDelta(after.cost, finalized.cost)) && { finalizedCost: cost }),
    finalizedUse: {
      deployments,
      ...(estimate && { estimate: estimate.changes.deployments }),
      idle: {
        accelerators: countIdleAccelerators(finalized),
        cost: cost.idle,
        ...(estimate && { estimate: estimate.changes.idle }),
      },
    },
  };
}

function isUnchangedRange({ least, most }: CostRange): boolean {
  return [least, most].every(({ perHour, unknown }) => perHour === 0 && unknown === 0);
}

/** A state without the old replicas that `lock --finalize` can stop once their replacements serve. */
function finalizeDrains(decision: PlacedFleet): PlacedFleet | undefined {
  const { placements } = decision.schedule;
  const unreplaced = new Set(listWithoutReplacement(decision.schedule));
  const isLeft = (one: Placement): boolean => !one.draining || unreplaced.has(one);
  if (placements.every(isLeft)) return undefined;
  const left = placements.filter(isLeft);
  const keys = new Set(left.map(placementKeyOf));
  const replicas = decision.replicas.filter((one) => keys.has(placementKeyOf(replicaIdOf(one))));
  return { ...decision, schedule: { ...decision.schedule, placements: left }, replicas };
}

/** The cost of a state in which pools without a known price have that of another region. */
export interface EstimatedCost {
  readonly cost: Cost;

  /** The pools, by cluster and name. */
  readonly assumed: readonly AssumedPoolPrice[];
}

/** Estimates the cost of a state. Absent if all its pools have known prices, or no price is known elsewhere. */
export function estimateStateCost(decision: PlacedFleet): EstimatedCost | undefined {
  const assumed = assumePoolPrices(decision.fleet);
  if (assumed.size === 0) return undefined;
  return { cost: estimateCost(decision, assumed), assumed: listAssumedPools(assumed) };
}

function estimateCost(decision: PlacedFleet, assumed: ReadonlyMap<string, AssumedPrice>) {
  return computePlacedCost(decision, withAssumedPrices(findPoolPrices(decision.fleet), assumed));
}
