/** A pod of a replica, as a snapshot shows it. */
export interface ReplicaPod {
  readonly namespace: string;
  readonly name: string;

  /** The values of its labels. The engine is absent where a custom renderer does not set it. */
  readonly deployment: string;
  readonly index: string;
  readonly engine?: string;

  /** Whether it holds devices, and what it takes of its node: millicores and bytes. */
  readonly holdsDevices: boolean;
  readonly cpu: number;
  readonly memory: number;
}

/** A node for new replicas that runs pods of replicas. */
export interface OccupiedNode {
  readonly name: string;

  /** The position of the node in the snapshot. */
  readonly place: string;
  readonly pods: readonly ReplicaPod[];

  /** What pods of others leave over, beyond what plans count on. Absent where the class states nothing. */
  readonly room: { readonly cpu?: number; readonly memory?: number };
}

/** The nodes of a pool on which a snapshot shows pods of replicas. */
export interface OccupiedPool {
  readonly cluster: string;
  readonly pool: string;

  /** How many nodes can be taken before the pool has fewer than it declares. Negative: so many are lost already. */
  readonly spare: number;
  readonly nodes: readonly OccupiedNode[];
}
