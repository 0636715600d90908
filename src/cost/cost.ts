import type { Price } from '../fleet/prices/node-price';
import type { StoragePrice } from '../fleet/prices/storage-price';
import type { Sum } from './sum';

/** What a fleet costs as declared and placed: by cluster and pool what is bought, by namespace and replica what uses it. */
export interface Cost extends CostBreakdown {
  /** Of every figure. */
  readonly currency: string;

  /** By which every figure an hour is multiplied for a month. */
  readonly hoursPerMonth: number;

  /** By name. */
  readonly clusters: readonly ClusterCost[];

  /** By name. */
  readonly namespaces: readonly NamespaceCost[];

  /** By id. */
  readonly deployments: readonly DeploymentCost[];

  /** Whose prices are in the figures, which name them by their places here. */
  readonly sources: readonly PriceSource[];
}

/** What is bought. */
export interface CostBreakdown {
  /** Nodes of pools without an autoscaler. */
  readonly fixed: Sum;

  /** Nodes of pools with one: the fewest that it leaves, and the most that it makes. */
  readonly autoscaled: CostRange;

  /** Volumes of caches. */
  readonly storage: Sum;

  /** All of it: with the fewest nodes, and with the most. */
  readonly total: CostRange;

  /** Nodes that always run, less what replicas take of them. */
  readonly idle: Sum;
}

/** Two bounds. */
export interface CostRange {
  readonly least: Sum;
  readonly most: Sum;
}

/** What is bought on a cluster. */
export interface ClusterCost extends CostBreakdown {
  readonly cluster: string;

  /** By name. */
  readonly pools: readonly PoolCost[];

  /** By cache. */
  readonly volumes: readonly VolumeCost[];
}

/** Nodes of one class on one cluster, and what they cost. */
export interface PoolCost extends CostRange {
  readonly pool: string;
  readonly className: string;

  /** Whether an autoscaler sizes it, between the two numbers of nodes. Otherwise both are the same. */
  readonly autoscaled: boolean;
  readonly nodes: { readonly least: number; readonly most: number };

  /** Of one node. Absent where nobody knows. */
  readonly price?: Price;

  /** The nodes that replicas take, as parts of nodes added up, without what they hold for rollouts. */
  readonly taken: number;

  /** The nodes that replicas hold for rollouts, idle until there is one. */
  readonly rollouts: number;

  /** The nodes that always run, less those that are taken. */
  readonly idle: Sum;
}

/** The volume of a cache on a cluster. */
export interface VolumeCost {
  /** `namespace/name`. */
  readonly cache: string;

  /** What is paid for: what is declared, or the smallest volume that the file system makes. */
  readonly sizeGiB: number;

  /** Of a GiB for a month. Absent where nobody knows. */
  readonly price?: StoragePrice;
  readonly cost: Sum;
}

/** What the deployments and caches of a namespace use. */
export interface NamespaceCost {
  readonly namespace: string;
  readonly replicas: Sum;
  readonly storage: Sum;
  readonly total: Sum;
}

/** What the replicas of a deployment take, leaving ones too. */
export interface DeploymentCost {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly cost: Sum;

  /** By cluster and index. */
  readonly replicas: readonly ReplicaCost[];
}

/** What one replica takes of the nodes of its pools, without what it holds for rollouts. */
export interface ReplicaCost {
  readonly cluster: string;
  readonly index: number;
  readonly leaving?: true;
  readonly cost: Sum;
}

/** Who states prices, and of which day. */
export interface PriceSource {
  readonly source: string;

  /** Absent where nobody says. */
  readonly asOf?: string;

  /** The names of the discounts that lower them. */
  readonly discounts: readonly string[];
}
