/**
 * What a map of a fleet shows, in a form that stays small for a thousand clusters: a text is written once and then
 * named by its place in `texts`, clusters that are the same before and after are one entry, nodes that hold the same
 * are one group. A page reads it; nobody else should.
 */
export interface MapData {
  /** What the fleet is called. */
  readonly title: string;

  /** A sentence on what the plan does. */
  readonly summary: string;
  readonly texts: readonly string[];
  readonly shapes: readonly ShapeData[];
  readonly demands: readonly DemandData[];

  /** By id. */
  readonly deployments: readonly DeploymentData[];
  readonly pods: readonly PodData[];
  readonly standings: readonly ReplicaStatusData[];
  readonly pools: readonly PoolFactsData[];
  readonly clusters: readonly ClusterData[];

  /** The fleet as planned; where it is compared, as it was and as planned. */
  readonly states: readonly StateData[];
  readonly shortfalls: readonly ShortfallData[];
  readonly refusals: readonly (readonly RejectionData[])[];

  /** What else happens between two states: cost, outages, caches, routes, what clouds make. Lines, indented by depth. */
  readonly changes: readonly string[];

  /** What else the plan says, the gravest first. */
  readonly remarks: readonly PlanMessageData[];
}

/** A place in `MapData.texts`. */
export type TextRef = number;

/** What the nodes of some pools have. */
export interface ShapeData {
  /** What pods can take: devices that are claimed, then resources. The order is that of `PodData.takes`. */
  readonly kinds: readonly KindData[];
}

/** Devices of one kind, or a resource. */
export interface KindData {
  readonly name: string;

  /** On each node: a number of devices, thousandths of a CPU, or bytes. */
  readonly count: number;

  /** Absent for devices. */
  readonly resource?: 'cpu' | 'memory';

  /** What pods ask for to get one. */
  readonly claimedAs?: string;

  /** Memory in bytes of one device, where it is known. */
  readonly memory?: number;

  /** A synthetic device: it narrows where pods may land, and nothing is taken of it. */
  readonly synthetic?: true;
}

/** What replicas ask for. Deployments that ask for the same share one. */
export interface DemandData {
  readonly policy: string;
  readonly engines: readonly EngineData[];

  /** The clusters that they may be on, as sentences. */
  readonly where: readonly TextRef[];
}

export interface EngineData {
  readonly name: string;
  readonly members: readonly MemberData[];
}

/** Pods of an engine that are alike. */
export interface MemberData {
  readonly role: string;
  readonly pods: number;

  /** Those of `pods` that are there during a rollout only. */
  readonly surge: number;
  readonly requests: readonly RequestData[];
}

export interface RequestData {
  readonly name: string;
  readonly count: number;

  /** The CEL that devices have to match. */
  readonly selectors: readonly TextRef[];
}

export interface DeploymentData {
  /** `namespace/name`. */
  readonly id: TextRef;

  /** The replicas it asks for; 0 where it is gone. */
  readonly replicas: number;
  readonly priority: number;

  /** Its place in `MapData.demands`. Absent where it is gone. */
  readonly demand?: number;

  /** What happens to it between two states, as a sentence. */
  readonly change?: TextRef;
}

/** Pods that are alike: engine, role, what one takes of each kind of its node, and 1 where it is for rollouts only. */
export type PodData = readonly [engine: TextRef, role: TextRef, takes: readonly number[], surge: 0 | 1];

export interface ClusterData {
  readonly name: TextRef;

  /** Region, provider, taints and the like. */
  readonly facts: readonly TextRef[];
  readonly pools: readonly PoolData[];

  /** Those that are on it. */
  readonly replicas: readonly ReplicaData[];
}

/** What happens to a replica, by the place in this list. */
export const MARKS = ['keep', 'place', 'move', 'roll', 'leaving', 'remove'] as const;

/** How a replica stands: place in `MARKS`, why it is there or not, and what it costs. */
export type ReplicaStatusData = readonly [mark: number, why: readonly TextRef[], cost: TextRef];

/** A replica: places of its deployment and of how it stands, and its index on the cluster. */
export type ReplicaData = readonly [deployment: number, standing: number, index: number];

/** What is declared of a pool. Equal ones are one entry. */
export interface PoolFactsData {
  readonly name: TextRef;
  readonly className: TextRef;
  readonly shape: number;
  readonly packing: TextRef;
  readonly nodes: number;

  /** Those of `nodes` that always run: all, but for an autoscaled pool. */
  readonly always: number;

  /** All devices of all nodes that pods can claim. */
  readonly devices: number;

  /** The price of a node an hour, as text. */
  readonly price: TextRef;

  /** Devices of each node that others use, as text. */
  readonly reserved?: TextRef;
}

export interface PoolData {
  /** Its place in `MapData.pools`. */
  readonly facts: number;

  /** The nodes that it takes to keep what is promised, however the cluster arranges pods. */
  readonly promised: number;

  /** Devices that are taken; what is held for rollouts too. */
  readonly taken: number;

  /** An arrangement of its nodes. The cluster may choose another. */
  readonly groups: readonly GroupData[];

  /** Pods that have a place, and that the arrangement does not show, as they would need another one. Absent: none. */
  readonly undrawn?: number;
}

/** What a node is, by the place in this list. */
export const NODE_KINDS = ['always', 'autoscaled', 'held', 'lost'] as const;

/**
 * Nodes that hold the same: how many, place in `NODE_KINDS`, the pods on each as places in `MapData.pods`, and whose
 * these are: the replicas of the first node, then those of the second, as places in `ClusterData.replicas`. On all
 * nodes the first pod is of one deployment, and so the others.
 */
export type GroupData = readonly [
  count: number,
  kind: number,
  pods: readonly number[],
  replicas: readonly number[],
];

/** A fleet at one point of its history. */
export interface StateData {
  readonly name: string;

  /** By name; places in `MapData.clusters`. */
  readonly clusters: readonly number[];
  readonly cost: CostData;
}

/** What a fleet costs, as text: of each figure an hour and a month. What nobody knows says so. */
export interface CostData {
  readonly unit: string;

  /** All of it, in sentences. */
  readonly lines: readonly string[];

  /** Whose prices are in the figures, of all states. */
  readonly sources: readonly string[];
  readonly tables: readonly CostTable[];
}

export interface CostTable {
  readonly title: string;

  /** By cost, the highest first, then those of which nobody knows it. */
  readonly rows: readonly CostRow[];
}

/** Name, in parts; cost an hour; cost a month; the numbers of the sources of its prices, from 1. */
export type CostRow = readonly [name: readonly TextRef[], hour: TextRef, month: TextRef, prices: TextRef];

export interface ShortfallData {
  readonly deployment: number;
  readonly missing: number;
  readonly accepted: boolean;

  /** Its place in `MapData.refusals`. */
  readonly refusals: number;

  /** Changes that would help. */
  readonly remedies: readonly TextRef[];
}

/** Why clusters, or pools of clusters, cannot take a replica: the filter, the reason, and the places. */
export type RejectionData = readonly [filter: TextRef, reason: TextRef, places: readonly TextRef[]];

export interface PlanMessageData {
  readonly kind: 'denied' | 'warning' | 'drain' | 'note';
  readonly text: string;
}
