import type { CostRange, PoolCost, PriceSource } from './cost';
import type { Sum } from './sum';

/** A cost before and after a change, as a sum or as bounds. `Key` is the field that names the costed item. */
export type CostChange<Key extends string = never, C extends Sum | CostRange = Sum> = {
  readonly [K in Key]: string;
} & {
  readonly before: C;
  readonly after: C;

  /** The difference, negative if the cost decreases. Unchanged parts do not count, whether their price is known or not. */
  readonly delta: C;
};

/** A change of a cost that can depend on what an autoscaler does. The sums are those with all copies that it can add. */
export type ChangeWithLeast<Key extends string = never> = CostChange<Key> & {
  /** The change with the fewest copies. Absent if no engine scales, before or after. */
  readonly least?: CostChange;
};

/** The bounds of a cost before and after a change. */
export type RangeChange<Key extends string = never> = CostChange<Key, CostRange>;

/** A `CostBreakdown` before and after a change. */
export interface BoughtChange extends RangeChange {
  readonly fixed: CostChange;
  readonly autoscaled: RangeChange;
  readonly storage: CostChange;
  readonly idle: CostChange;
}

/** The cost of a fleet before and after a change. Lists only clusters, namespaces and deployments that change. */
export interface CostChanges extends BoughtChange {
  /** The currency of every figure. */
  readonly currency: string;

  /** The factor from hourly to monthly figures. */
  readonly hoursPerMonth: number;

  /** The changed clusters, by name. */
  readonly clusters: readonly ClusterCostChange[];

  /** The use by the deployments and caches of each namespace, by name. */
  readonly namespaces: readonly ChangeWithLeast<'namespace'>[];

  /** The use by the replicas of each deployment (`namespace/name`), by id. */
  readonly deployments: readonly (ChangeWithLeast<'deployment'> & {
    readonly replicas: readonly (ChangeWithLeast<'cluster'> & { readonly index: number })[];
  })[];

  /** The sources of all prices, before and after. The figures refer to them by index. */
  readonly sources: readonly PriceSource[];

  /** The same with prices of other regions. Absent if the changes have known prices, or no price is known elsewhere. */
  readonly estimate?: CostEstimate;
}

/** Changes of a cost in which pools without a known price have that of another region. */
export interface CostEstimate {
  readonly changes: CostChanges;

  /** The pools, by cluster and name. */
  readonly assumed: readonly AssumedPoolPrice[];
}

/** The region whose price a pool without a known price is estimated by. */
export interface AssumedPoolPrice {
  readonly cluster: string;
  readonly pool: string;
  readonly region: string;
  readonly perHour: number;
}

/** The cost change of a cluster where what is bought, or what is idle, changes. */
export interface ClusterCostChange extends BoughtChange {
  readonly cluster: string;
  readonly pools: readonly (RangeChange<'pool'> & {
    readonly idle: CostChange;

    /** The fewest and the most nodes of the pool. */
    readonly nodes: { readonly before: PoolCost['nodes']; readonly after: PoolCost['nodes'] };
  })[];

  /** Volumes of caches, `namespace/name`. */
  readonly volumes: readonly (CostChange<'cache'> & {
    /** The billed size. */
    readonly sizeGiB: { readonly before: number; readonly after: number };

    /** The file system of which it is the smallest volume after the change. Absent: its size is that of the files. */
    readonly smallestOf?: string;
  })[];
}

/** The range of a change from the fewest copies to all that autoscalers can add. */
export function toRangeChange({ before, after, delta, least }: ChangeWithLeast): RangeChange {
  return {
    before: { least: least?.before ?? before, most: before },
    after: { least: least?.after ?? after, most: after },
    delta: { least: least?.delta ?? delta, most: delta },
  };
}
