/**
 * The data of a map of a fleet. The format stays small for a thousand clusters: each text is stored once and referenced
 * by its index in `texts`, a cluster that is the same before and after is one entry, and nodes with the same pods are
 * one group. Only the page of the map reads this format.
 */
export interface MapData {
  readonly title: string;

  /** What the map shows, as a phrase. */
  readonly summary: string;
  readonly texts: readonly string[];
  readonly shapes: readonly ShapeData[];
  readonly demands: readonly DemandData[];

  /** The deployments, sorted by ID. */
  readonly deployments: readonly DeploymentData[];
  readonly pods: readonly PodData[];
  readonly standings: readonly ReplicaStatusData[];
  readonly pools: readonly PoolFactsData[];
  readonly clusters: readonly ClusterData[];

  /** The planned state; in a comparison, the earlier state and the planned state. */
  readonly states: readonly StateData[];
  readonly shortfalls: readonly ShortfallData[];
  readonly refusals: readonly (readonly RejectionData[])[];

  /** The services that route requests in any state, sorted by ID. */
  readonly services: readonly ServiceData[];

  /** What happens to how many replicas: the line of the terminal, the comment and the JSON. */
  readonly total: string;

  /** The number of replicas that change, by index in `REPLICA_MARKS`, as in the total of the plan. A move counts once. */
  readonly counts: readonly number[];

  /** What changes in addition to replicas on the map: downtime, routes, caches, cloud resources, removed replicas. */
  readonly changes: readonly ChangeSection[];

  /** The edits that cause `changes`. Items refer to them by index. Absent: there are none. */
  readonly causes?: readonly CauseData[];

  /** The services of which targets get another share of the requests: `namespace/name`. Absent: there are none. */
  readonly traffic?: readonly TextRef[];

  /** The messages of the plan, the most severe first. Many of a kind are one entry. */
  readonly remarks: readonly PlanMessageData[];
}

/** An index in `MapData.texts`. */
export type TextRef = number;

/** The devices and resources of the nodes of some pools. */
export interface ShapeData {
  /** What pods can take: claimed devices, then resources, in the order of `PodData.takes`. */
  readonly kinds: readonly KindData[];
}

export interface KindData {
  readonly name: string;

  /** The amount on each node: a number of devices, thousandths of a CPU, or bytes. */
  readonly count: number;
  readonly resource?: 'cpu' | 'memory';

  /** The name that pods request to get a device. */
  readonly claimedAs?: string;

  /** The memory of one device in bytes. Absent: unknown. */
  readonly memory?: number;

  /** Marks devices that count as GPUs in totals: all that pods claim, but network cards. */
  readonly accelerator?: true;

  /** Marks a synthetic device, which restricts where pods may run and is never taken. */
  readonly synthetic?: true;
}

/** The demand of the replicas of a deployment. Deployments with equal demands share one entry. */
export interface DemandData {
  readonly policy: string;
  readonly engines: readonly EngineData[];

  /** The constraints on clusters, as text. */
  readonly where: readonly TextRef[];
}

export interface EngineData {
  readonly name: string;
  readonly members: readonly MemberData[];
}

/** A role of an engine with its equal pods. */
export interface MemberData {
  readonly role: string;
  readonly pods: number;

  /** The number of `pods` that exist only during a rollout. */
  readonly surge: number;

  /** The number of `pods` that an autoscaler adds and removes. Absent: none. */
  readonly scaled?: number;
  readonly requests: readonly RequestData[];
}

export interface RequestData {
  readonly name: string;
  readonly count: number;

  /** The CEL expressions that devices have to match. */
  readonly selectors: readonly TextRef[];
}

/** A deployment in the last state that contains it. */
export interface DeploymentData {
  /** `namespace/name`. */
  readonly id: TextRef;

  /** The number of requested replicas; 0 if the deployment is removed. */
  readonly replicas: number;

  /** Whether the last state lacks the deployment. Absent: it exists. */
  readonly removed?: true;
  readonly priority: number;

  /** An index in `MapData.demands`. Absent if no state declares the deployment. */
  readonly demand?: number;
  readonly change?: TextRef;
}

/** The phases of engines that split a request. Pods refer to them by index. */
export const PHASES = ['', 'Prefill', 'Decode', 'Frontend'] as const;

export type Phase = (typeof PHASES)[number];

/**
 * Equal pods: engine, role, the amounts that a pod takes of each kind, 1 for pods that only rollouts use, and an index
 * in `PHASES`. Absent: 0.
 */
export type PodData = readonly [engine: TextRef, role: TextRef, takes: readonly number[], surge: 0 | 1, phase?: number];

export interface ClusterData {
  readonly name: TextRef;

  /** Labels, taints and whether the cluster is paused, as text. */
  readonly facts: readonly TextRef[];
  readonly pools: readonly PoolData[];
  readonly replicas: readonly ReplicaData[];
}

/** What happens to a replica. The map refers to it by index. */
export const REPLICA_MARKS = [
  'keep',
  'place',
  'move',
  'roll',
  'draining',
  'unreplaced',
  'lost',
  'remove',
  'misplaced',
  'restart',
  'mayRestart',
] as const;

export type Mark = (typeof REPLICA_MARKS)[number];

/**
 * The status of a replica: an index in `REPLICA_MARKS`, the reasons, the cost as text, and for both ends of a move from
 * where to where it goes. At the place that a replica leaves, the mark is not `move`.
 */
export type ReplicaStatusData = readonly [mark: number, why: readonly TextRef[], cost: TextRef, move?: TextRef];

/**
 * A replica: indices in `MapData.deployments` and `MapData.standings`, the index of the replica on the cluster, and 1 if
 * it is draining in this state: it does not count as a replica of its deployment.
 */
export type ReplicaData = readonly [deployment: number, status: number, index: number, draining?: 1];

/** The declared facts of a pool. Pools with equal facts share one entry. */
export interface PoolFactsData {
  readonly name: TextRef;
  readonly className: TextRef;

  /** An index in `MapData.shapes`. */
  readonly shape: number;
  readonly packing: TextRef;
  readonly nodes: number;

  /** The number of `nodes` that always run. Less than `nodes` only for autoscaled pools. */
  readonly always: number;

  /** The number of devices on all nodes that pods can claim. */
  readonly devices: number;

  /** The price of a node per hour, as text. */
  readonly price: TextRef;

  /** Indices of the sources of the price in `CostData.sources`. Absent: the price is unknown. */
  readonly sources?: readonly number[];

  /** The devices and resources of each node that other workloads use, as text. */
  readonly reserved?: TextRef;
}

/** A pool with the arrangement of its pods. */
export interface PoolData {
  /** An index in `MapData.pools`. */
  readonly facts: number;

  /** The number of taken devices, including devices that are kept for rollouts. */
  readonly taken: number;

  /** One arrangement of pods on the nodes. The cluster may choose another one. */
  readonly groups: readonly GroupData[];

  /** The number of placed pods that do not fit into this arrangement. Absent: none. */
  readonly undrawn?: number;
}

/** The kinds of nodes. The map refers to them by index. */
export const NODE_KINDS = ['always', 'autoscaled', 'shared', 'lost'] as const;

export type NodeKind = (typeof NODE_KINDS)[number];

/**
 * Nodes of one kind with the same pods: the number of nodes, an index in `NODE_KINDS`, the pods on each node as indices
 * in `MapData.pods`, and the replicas of the pods as indices in `ClusterData.replicas`: first those of the first node,
 * then those of the second node, and so on. The pods at the same position of all nodes belong to the same deployment.
 */
export type GroupData = readonly [count: number, kind: number, pods: readonly number[], replicas: readonly number[]];

export interface StateData {
  readonly name: string;

  /** Indices in `MapData.clusters`, sorted by the name of the cluster. */
  readonly clusters: readonly number[];
  readonly cost: CostData;
}

/** The cost of a fleet a month. */
export interface CostData {
  readonly currency: string;
  readonly hoursPerMonth: number;

  /** What is bought: nodes with and without an autoscaler, and storage. */
  readonly total: AmountData;

  /** The parts of the total, and what of it is idle, by name, and how they change. */
  readonly parts: readonly (readonly [name: string, amount: AmountData, change: string])[];

  /** What is bought and has no price, as text. */
  readonly unpriced: readonly string[];
  readonly sources: readonly string[];

  /** By which prices the estimates are made, and what lower bounds leave out, as sentences. */
  readonly notes: readonly string[];

  /** How the total changes. Absent without an earlier state, and if it stays. */
  readonly change?: string;
  readonly tables: readonly CostTable[];
}

/**
 * A cost a month: null if it is unknown, an exact amount, or its bounds, each with the number of parts without a price,
 * which it does not include. The last element marks an estimate with prices of other regions.
 */
export type AmountData =
  | number
  | null
  | readonly [least: number, most: number, leastUnknown: number, mostUnknown: number, estimated?: 1];

export interface CostTable {
  readonly title: string;

  /** What exists, sorted by descending cost, estimates included. Rows with unknown costs come last. */
  readonly rows: readonly CostRow[];

  /** What the change removes, with its cost before. Absent if nothing is. */
  readonly removed?: readonly CostRow[];
}

/** The parts of the name, the cost, the numbers of the price sources, from 1, and how the cost changes. */
export type CostRow = readonly [name: readonly TextRef[], month: AmountData, prices: TextRef, change?: TextRef];

/** A service: where clients reach it, and which part of its requests goes where. */
export interface ServiceData {
  /** `namespace/name`. */
  readonly id: TextRef;
  readonly gateways: readonly GatewayData[];
  readonly routes: readonly RouteData[];
}

/** An ingress gateway of a service, its cluster, the URL for clients, and whether each state has it. */
export type GatewayData = readonly [gateway: TextRef, cluster: TextRef, url: TextRef, states: readonly boolean[]];

/** A deployment on a cluster, or an endpoint outside the fleet, and its share of the requests in each state. */
export interface RouteData {
  /** What requests have to match. Empty: all others. */
  readonly match: TextRef;

  /** `namespace/name` of the deployment or the endpoint. */
  readonly target: TextRef;

  /** Absent: an endpoint outside the fleet. */
  readonly cluster?: TextRef;

  /** Null for a state without the route. */
  readonly shares: readonly (ShareData | null)[];
}

/** A share of the requests of a tier, from 0 to 1. Tier 1 is a fallback, for when nothing of tier 0 serves. */
export type ShareData = readonly [tier: 0 | 1, share: number, replicas: number];

export interface ChangeSection {
  readonly title: string;
  readonly items: readonly ChangeItem[];
}

/** An edit as text, and its positions, `file:line:column`. */
export interface CauseData {
  readonly text: string;
  readonly at: readonly string[];
}

/** A line, and the lines that belong to it. */
export interface ChangeItem {
  readonly text: string;

  /** The service of which the changed shares belong to it: `namespace/name`. Absent: none. */
  readonly service?: string;

  /** Indices in `MapData.causes`. Absent: none. */
  readonly causes?: readonly number[];
  readonly below?: readonly ChangeItem[];
}

export interface ShortfallData {
  /** An index in `MapData.deployments`. */
  readonly deployment: number;
  readonly missing: number;
  readonly accepted: boolean;

  /** Whether all of them get a place when draining replicas are gone. Absent: some do not. */
  readonly waits?: true;

  /** An index in `MapData.refusals`. */
  readonly refusals: number;

  /** Changes that would give the replicas a place, as text. */
  readonly remedies: readonly TextRef[];
}

/** Why clusters or pools cannot take a replica: the filter, the reason, and the names of the clusters or pools. */
export type RejectionData = readonly [filter: TextRef, reason: TextRef, places: readonly TextRef[]];

/** A message of a plan: a denied policy, a warning, a drain, a warning that an earlier state has too, or a note. */
export interface PlanMessageData extends MessageData {
  readonly kind: 'denied' | 'warning' | 'drain' | 'known' | 'note';

  /** The policy rule that it is a finding of. */
  readonly rule?: string;

  /** How many others of its kind there are and what they are about, as text. Absent: none. */
  readonly more?: string;

  /** These others. A hint that is the same as that of the first is absent. */
  readonly others?: readonly MessageData[];
}

/** What is wrong and what to do, as sentences, and where. */
export interface MessageData {
  readonly text: string;
  readonly hint?: string;

  /** The positions, `file:line:column`, at which the same holds. Empty: at no position. */
  readonly at: readonly string[];

  /** The part of an expression that it is about, with a line of carets below. */
  readonly excerpt?: string;
}
