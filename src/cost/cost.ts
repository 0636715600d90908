import type { Price, RegionPrice } from '../fleet/prices/node-price';
import type { StoragePrice } from '../fleet/prices/storage-price';
import type { Sum } from './sum';

/** The cost of a fleet: what is bought, by cluster and pool, and what uses it, by namespace and replica. */
export interface Cost extends CostBreakdown {
  /** The currency of every figure. */
  readonly currency: string;

  /** The factor from hourly to monthly figures. */
  readonly hoursPerMonth: number;

  /** Costs of clusters, by name. */
  readonly clusters: readonly ClusterCost[];

  /** Costs of namespaces, by name. */
  readonly namespaces: readonly NamespaceCost[];

  /** Costs of deployments, by id. */
  readonly deployments: readonly DeploymentCost[];

  /** The sources of the prices. The figures refer to them by index. */
  readonly sources: readonly PriceSource[];
}

/** The cost of what is bought, by kind. */
export interface CostBreakdown {
  /** Nodes of pools without an autoscaler. */
  readonly fixed: Sum;

  /** Nodes of pools with an autoscaler: the fewest that it keeps or that replicas need, and the most that it creates. */
  readonly autoscaled: CostRange;

  /** Volumes of caches. */
  readonly storage: Sum;

  /** The total cost, with the fewest and with the most nodes. */
  readonly total: CostRange;

  /** Nodes that run in any case, the fewest of autoscaled pools included, minus what replicas take of them. */
  readonly idle: Sum;
}

/** The lower and the upper bound of a cost. */
export interface CostRange {
  readonly least: Sum;
  readonly most: Sum;
}

/** The cost of what is bought on a cluster. */
export interface ClusterCost extends CostBreakdown {
  readonly cluster: string;

  /** Node pools, by name. */
  readonly pools: readonly PoolCost[];

  /** Cache volumes, by cache id, and the file system that caches share. */
  readonly volumes: readonly VolumeCost[];
}

/** The cost of the nodes of one pool. */
export interface PoolCost extends CostRange {
  readonly pool: string;
  readonly className: string;

  /** Whether an autoscaler sizes the pool between both numbers of `nodes`. Otherwise both are the same. */
  readonly autoscaled: boolean;
  readonly nodes: { readonly least: number; readonly most: number };

  /** The price of one node. Absent if no source states one. */
  readonly price?: Price;

  /** Without a price: what is bought as a node, such as `g2-standard-12 in us-east4`. */
  readonly unpriced?: string;

  /** Without a price: the region of the cluster, and the prices of the node in other regions. Absent if there are none. */
  readonly elsewhere?: PricesElsewhere;

  /** The nodes that replicas take, as a sum of fractions of nodes, without those that they reserve for rollouts. */
  readonly taken: number;

  /** The nodes that replicas reserve for rollouts. They are idle outside of rollouts. */
  readonly rollouts: number;

  /** The cost of nodes that run in any case, the fewest of an autoscaled pool, minus those that are taken. */
  readonly idle: Sum;
}

/** Prices of a node that is not priced in its region. */
export interface PricesElsewhere {
  /** The region of the cluster. Absent if it states none. */
  readonly region?: string;
  readonly prices: readonly RegionPrice[];
}

/** The cost of the volumes of a cache on a cluster, or of the file system that its caches share. */
export interface VolumeCost {
  /** `namespace/name` of the cache, or the name of the shared file system: `Azure Managed Lustre`. */
  readonly cache: string;

  /**
   * The billed size: the declared size, or the smallest volume that the file system creates. For disks of pods, of all
   * pods.
   */
  readonly sizeGiB: number;

  /** The file system whose smallest volume it is. Absent: the billed size is that of the files. */
  readonly smallestOf?: string;

  /** The price of a GiB per month. Absent if no source states one. */
  readonly price?: StoragePrice;
  readonly cost: Sum;
}

/** The cost of what the deployments and caches of a namespace use, with all copies that autoscalers can add. */
export interface NamespaceCost {
  readonly namespace: string;
  readonly replicas: Sum;

  /** The cost of the replicas with the fewest copies. Absent if none scales. */
  readonly leastReplicas?: Sum;
  readonly storage: Sum;
  readonly total: Sum;
}

/** A cost that can depend on what an autoscaler does. */
export interface CostWithLeast {
  /** The cost with all copies that autoscalers can add. */
  readonly cost: Sum;

  /** The cost with the fewest copies. Absent if no engine scales. */
  readonly least?: Sum;
}

/** The cost of what the replicas of a deployment take, including draining ones, without those of lost clusters. */
export interface DeploymentCost extends CostWithLeast {
  /** `namespace/name`. */
  readonly deployment: string;

  /** Costs of replicas, by cluster and index. */
  readonly replicas: readonly ReplicaCost[];
}

/** The cost of what one replica takes of the nodes of its pools, without what it reserves for rollouts. */
export interface ReplicaCost extends CostWithLeast {
  readonly cluster: string;
  readonly index: number;
  readonly draining?: true;
}

/** A source of prices, with the date of its prices. */
export interface PriceSource {
  readonly source: string;

  /** The date of the prices. Absent if the source states none. */
  readonly asOf?: string;

  /** The names of the discounts that are applied to the prices. */
  readonly discounts: readonly string[];
}
