import type { CostBreakdown, CostRange, PoolCost, PriceSource } from './cost';
import type { Sum } from './sum';

/** What a fleet costs now and after a change, and how much more that is. Of clusters and users only those that change. */
export interface CostChanges extends BoughtChange {
  /** Of every figure. */
  readonly currency: string;

  /** By which every figure an hour is multiplied for a month. */
  readonly hoursPerMonth: number;

  /** By name. */
  readonly clusters: readonly ClusterCostChange[];

  /** By name. */
  readonly namespaces: readonly NamespaceCostChange[];

  /** By id. */
  readonly deployments: readonly DeploymentCostChange[];

  /** Whose prices are in the figures, before and after, which name them by their places here. */
  readonly sources: readonly PriceSource[];
}

/** Bounds of a cost before and after. */
export interface RangeChange {
  readonly before: CostRange;
  readonly after: CostRange;

  /** Negative where it costs less. Parts that did not change are not in it, whether or not their price is known. */
  readonly delta: CostRange;
}

/** A cost before and after. */
export interface SumChange {
  readonly before: Sum;
  readonly after: Sum;
  readonly delta: Sum;
}

/** All that is bought, before and after, and its parts, as `Bought` has them. */
export interface BoughtChange extends RangeChange {
  readonly fixed: SumChange;
  readonly autoscaled: RangeChange;
  readonly storage: SumChange;
  readonly idle: SumChange;
}

/** What is bought on a cluster, where that or what of it is idle changes. */
export interface ClusterCostChange extends BoughtChange {
  readonly cluster: string;
  readonly pools: readonly PoolCostChange[];
  readonly volumes: readonly VolumeCostChange[];
}

/** What the nodes of a pool cost, where that or what of it is idle changes. */
export interface PoolCostChange extends RangeChange {
  readonly pool: string;
  readonly idle: SumChange;

  /** How many there are, at least and at most. */
  readonly nodes: { readonly before: PoolCost['nodes']; readonly after: PoolCost['nodes'] };
}

/** What the volume of a cache costs. */
export interface VolumeCostChange extends SumChange {
  /** `namespace/name`. */
  readonly cache: string;

  /** What is paid for. */
  readonly sizeGiB: { readonly before: number; readonly after: number };
}

/** What the deployments and caches of a namespace use. */
export interface NamespaceCostChange extends SumChange {
  readonly namespace: string;
}

/** What the replicas of a deployment take. */
export interface DeploymentCostChange extends SumChange {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly replicas: readonly ReplicaCostChange[];
}

/** What one replica takes. */
export interface ReplicaCostChange extends SumChange {
  readonly cluster: string;
  readonly index: number;
}

/** What is bought before and after, with how much more that is. */
export function toBoughtChange(was: CostBreakdown, is: CostBreakdown, delta: CostBreakdown): BoughtChange {
  const change = <K extends keyof CostBreakdown>(part: K) => {
    return { before: was[part], after: is[part], delta: delta[part] };
  };
  return {
    ...change('total'),
    fixed: change('fixed'),
    autoscaled: change('autoscaled'),
    storage: change('storage'),
    idle: change('idle'),
  };
}
