import type { ClaimFeature } from '../../api/kubernetes-features';
import type { PreparedDevice } from '../../cel/device';
import type { Selector } from '../../cel/selector';
import type { ResourceName, SidecarRequests } from './resource-requests';

/** Devices of one kind on every node of a pool: what no selector can tell apart. */
export interface DeviceKind {
  /** The name of the first entry of the class that declares it, for messages. */
  readonly name: string;
  readonly count: number;
  /**
   * What pods ask for to get one: its DeviceClass, or its extended resource on nodes without DRA. Absent for a
   * synthetic device: it narrows where pods may land and is never claimed or charged.
   */
  readonly claimedAs?: string;
  readonly prepared: PreparedDevice;
  /** Memory in bytes that one device publishes, or 0. */
  readonly memory: number;
  /** The values of its attributes as text, by name with domain. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a node has. Pools whose nodes have the same share one shape, whatever their classes are called. */
export interface NodeShape {
  readonly kinds: readonly DeviceKind[];
  /** What pods can have of each kind, as the ledger counts it: devices first, then the resources that are stated. */
  readonly counts: readonly number[];
  /** Resources that the class states, each as a further kind. Others are not counted. */
  readonly resources: readonly NodeResource[];
  /** Whether pods claim devices there. Otherwise a plugin hands out a number of them, whichever they are. */
  readonly dra: boolean;
  /** What claims cannot use there. */
  readonly lacks: readonly ClaimFeature[];
}

export interface NodeResource {
  readonly name: ResourceName;
  /** Its number among the kinds of the node. */
  readonly kind: number;
  readonly amount: number;
}

/** One device request of a pod. */
export interface PodDeviceRequest {
  readonly name: string;
  /** What would do, the best first. The cluster takes any that the node has. */
  readonly alternatives: readonly RequestAlternative[];
}

export interface RequestAlternative {
  /** Absent where a request has one form only. */
  readonly name?: string;
  /** The device class, or extended resource, that a pod of a running cluster names. Absent: any that would do. */
  readonly claimedAs?: string;
  readonly count: number;
  readonly selectors: readonly Selector[];
}

/** What the devices of some requests of a pod must have in common, or may not. */
export interface AttributeConstraint {
  readonly rule: 'match' | 'distinct';
  /** With its domain: `resource.kubernetes.io/pcieRoot`. */
  readonly attribute: string;
  readonly requests: readonly string[];
}

/** What a pod asks of a node. Members that ask for the same share one shape. */
export interface PodShape {
  /** None for a member that claims nothing. */
  readonly requests: readonly PodDeviceRequest[];
  readonly constraints: readonly AttributeConstraint[];
  /** What its requests use beyond numbers of devices, each once. */
  readonly uses: readonly ClaimFeature[];
  /** What its engine's container requests. What is not stated is the pod's share of the node. */
  readonly resources: Readonly<Partial<Record<ResourceName, number>>>;
  readonly sidecars: SidecarRequests;
}
