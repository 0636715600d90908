import type { ClaimFeature } from '../../api/kubernetes-features';
import type { SchedulerType } from '../../catalog/cluster-schedulers';
import { type AcceleratorName, isNetworkClass, nameAccelerators } from '../../catalog/device-classes';
import type { PreparedDevice } from '../../cel/device';
import type { Selector } from '../../cel/selector';
import type { CounterSetShape, Partition } from '../packing/counter-sets';
import type { ResourceName, SidecarRequests } from './resource-requests';

/** Devices of one kind on every node of a pool. No selector can distinguish them. */
export interface DeviceKind {
  /** The name of the first entry of the class that declares it, for messages. */
  readonly name: string;
  readonly count: number;
  /**
   * The name under which pods request one: its DeviceClass, or its extended resource on nodes without DRA. Absent
   * for a synthetic device, which narrows where pods may land and is never claimed or charged.
   */
  readonly claimedAs?: string;
  readonly prepared: PreparedDevice;
  /** Memory in bytes that one device publishes, or 0. */
  readonly memory: number;
  /** Its capacities, in the order of their names. */
  readonly capacities: readonly DeviceCapacity[];
  /** Whether several pods can have a part of one device each. */
  readonly shared: boolean;
  /** Whether the driver allocates all such devices of a node to one claim, or none of them. */
  readonly wholeNode?: true;
  /** The values of its attributes as text, by name with domain. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Set for devices that a driver makes on demand: the parents that have them, and their numbers on each. */
  readonly partition?: Partition;
}

/** A capacity of a device, and how the driver rounds what requests ask of it. */
export interface DeviceCapacity {
  /** As the driver publishes it, with or without a domain. */
  readonly name: string;
  readonly amount: number;
  /** What a request takes that does not state an amount. */
  readonly standard: number;
  readonly values?: readonly number[];
  readonly range?: { readonly min: number; readonly max?: number; readonly step?: number };
}

/** The devices and resources of a node. Pools with equal nodes share one shape, whatever the names of their classes. */
export interface NodeShape {
  readonly kinds: readonly DeviceKind[];
  /**
   * The amount of each kind that pods can have, as the ledger counts it: devices first, then CPU and memory, then the
   * parents of partitions.
   */
  readonly counts: readonly number[];
  /** The CPU and memory that are known, each as a further kind. What is not known is not counted. */
  readonly resources: readonly NodeResource[];
  /** The parents that drivers divide into devices, each form as a further kind. Absent: none. */
  readonly counterSets?: readonly CounterSetShape[];
  /** On nodes of a rack, the kind of the channel of its NVLink domain, of which a node has one. */
  readonly channel?: number;
  /** Whether pods claim devices on the node. Otherwise a plugin hands out a number of them and chooses which. */
  readonly dra: boolean;
  /** Features that claims cannot use on the node. */
  readonly lacks: readonly ClaimFeature[];
  /** What schedules pods that claim devices on the node, unless that is kube-scheduler. */
  readonly scheduler?: SchedulerType;
}

/** Whether a kind of a node is a device that exists whatever is allocated: no partition and no resource. */
export function isWholeDevice({ kinds, counterSets = [] }: NodeShape, kind: number): boolean {
  const device = kinds[kind];
  if (device) return device.claimedAs !== undefined && !device.partition;
  return counterSets.some((set) => set.kind === kind);
}

/** Accelerators of several nodes together. */
export interface Accelerators {
  readonly gpus: number;

  /** What they are called. Absent: GPUs. */
  readonly accelerator?: AcceleratorName;
}

export function acceleratorsOfNodes(node: NodeShape, nodes: number): Accelerators {
  const names = node.kinds.flatMap(({ claimedAs = '' }) => nameAccelerators(claimedAs) ?? []);
  const [accelerator] = names;
  return { gpus: nodes * acceleratorsOf(node), ...(accelerator && { accelerator }) };
}

/** The number of accelerators of a node: whole devices other than network cards. */
export function acceleratorsOf(node: NodeShape): number {
  const isAccelerator = (kind: number): boolean =>
    isWholeDevice(node, kind) && !isNetworkClass(node.kinds[kind]?.claimedAs ?? '');
  return node.counts.reduce((sum, count, kind) => sum + (isAccelerator(kind) ? count : 0), 0);
}

/** The CPU or memory of a node. */
export interface NodeResource {
  readonly name: ResourceName;
  /** Its number among the kinds of the node. */
  readonly kind: number;
  readonly amount: number;
  /** Set if the amount is that of the machine, of which the node keeps an unknown part for itself. */
  readonly isUpperBound?: true;
}

/** One device request of a pod. */
export interface PodDeviceRequest {
  readonly name: string;
  /** The acceptable forms, the best first. The cluster takes any that the node has. */
  readonly alternatives: readonly RequestAlternative[];
}

/** One form of a device request: a number of devices that match the selectors. */
export interface RequestAlternative {
  /** Absent if a request has only one form. */
  readonly name?: string;
  /** The device class, or extended resource, that a pod of a running cluster names. Absent: any that matches. */
  readonly claimedAs?: string;
  readonly count: number;
  /** Whether it takes all devices of a node that match, and not `count`. */
  readonly all?: true;
  readonly selectors: readonly Selector[];
  /** The amount of each capacity that it takes of a device. Absent: what the driver sets. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** Whether the first selector is the translation of `where`. */
  readonly where?: true;
}

/** An attribute that the devices of some requests of a pod must share, or must not share. */
export interface AttributeConstraint {
  readonly rule: 'match' | 'distinct';
  /** The name with its domain: `resource.kubernetes.io/pcieRoot`. */
  readonly attribute: string;
  readonly requests: readonly string[];
}

/** The requirements of a pod on a node. Members with equal requirements share one shape. */
export interface PodShape {
  /** Empty for a member that claims nothing. */
  readonly requests: readonly PodDeviceRequest[];
  readonly constraints: readonly AttributeConstraint[];
  /** The features that its requests use beyond counts of devices, each once. */
  readonly uses: readonly ClaimFeature[];
  /** The requests of its engine's container. A resource that is not stated is the pod's share of the node. */
  readonly resources: Readonly<Partial<Record<ResourceName, number>>>;
  readonly sidecars: SidecarRequests;
  /** Whether it is a pod of a gang, which claims a channel on nodes of a rack. */
  readonly gang?: true;
  /** The processes of its engine that keep a core busy, in addition to one for each device. */
  readonly processes: number;
}
