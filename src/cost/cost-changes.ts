import type { CostRange, PoolCost, PriceSource } from './cost';
import type { Sum } from './sum';

/** What something costs before and after a change: a sum, or bounds. `Key`: the field that names it. */
export type CostChange<Key extends string = never, C extends Sum | CostRange = Sum> = {
  readonly [K in Key]: string;
} & {
  readonly before: C;
  readonly after: C;

  /** Negative where it costs less. Parts that did not change are not in it, whether or not their price is known. */
  readonly delta: C;
};

/** Bounds of a cost before and after. */
export type RangeChange<Key extends string = never> = CostChange<Key, CostRange>;

/** All that is bought, before and after, and its parts, as `Bought` has them. */
export interface BoughtChange extends RangeChange {
  readonly fixed: CostChange;
  readonly autoscaled: RangeChange;
  readonly storage: CostChange;
  readonly idle: CostChange;
}

/** What a fleet costs now and after a change, and how much more that is. Of clusters and users only those that change. */
export interface CostChanges extends BoughtChange {
  /** Of every figure. */
  readonly currency: string;

  /** By which every figure an hour is multiplied for a month. */
  readonly hoursPerMonth: number;

  /** By name. */
  readonly clusters: readonly ClusterCostChange[];

  /** What the deployments and caches of each namespace use. By name. */
  readonly namespaces: readonly CostChange<'namespace'>[];

  /** What the replicas of each deployment take, `namespace/name`. By id. */
  readonly deployments: readonly (CostChange<'deployment'> & {
    readonly replicas: readonly (CostChange<'cluster'> & { readonly index: number })[];
  })[];

  /** Whose prices are in the figures, before and after, which name them by their places here. */
  readonly sources: readonly PriceSource[];
}

/** What is bought on a cluster, where that or what of it is idle changes. */
export interface ClusterCostChange extends BoughtChange {
  readonly cluster: string;
  readonly pools: readonly (RangeChange<'pool'> & {
    readonly idle: CostChange;

    /** How many there are, at least and at most. */
    readonly nodes: { readonly before: PoolCost['nodes']; readonly after: PoolCost['nodes'] };
  })[];

  /** Volumes of caches, `namespace/name`. */
  readonly volumes: readonly (CostChange<'cache'> & {
    /** What is paid for. */
    readonly sizeGiB: { readonly before: number; readonly after: number };
  })[];
}
