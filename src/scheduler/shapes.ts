import type { PreparedDevice } from '../cel/device';
import type { Selector } from '../cel/selector';

/** Devices of one kind on every node of a pool: what no selector can tell apart. */
export interface DeviceKind {
  /** The name of the first entry of the class that declares it, for messages. */
  readonly name: string;
  readonly count: number;
  /** Absent for a synthetic device: it narrows where pods may land and is never claimed or charged. */
  readonly deviceClassName?: string;
  readonly prepared: PreparedDevice;
  /** Memory in bytes that one device publishes, or 0. */
  readonly memory: number;
}

/** The devices of a node. Pools of equal devices share one shape, whatever their classes are called. */
export interface NodeShape {
  readonly kinds: readonly DeviceKind[];
  /** Devices of each kind, as the ledger counts them. */
  readonly counts: readonly number[];
}

/** One device request of a pod. */
export interface PodRequest {
  readonly name: string;
  readonly count: number;
  readonly selectors: readonly Selector[];
}

/** What a pod asks of a node. Members that ask for the same share one shape. */
export interface PodShape {
  readonly requests: readonly PodRequest[];
}
