// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { KnownDeviceClass, KnownDriver, KnownInstanceType } from './known-names';
import type { AtMostOneBlock } from '../one-block';
import type { NonEmpty } from '../non-empty';

/** Properties of an `InferenceClass`. The hardware of one node: its devices as their driver publishes them, and how a cloud makes it. */
export interface InferenceClassProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** A description for readers.
   * @default - none */
  readonly description?: string | undefined;
  /** An instance type or macro of the catalog: aws/p5.48xlarge, H100-8x. Other fields of the class override it.
   * @default the class declares everything itself */
  readonly from?: KnownInstanceType | (string & {}) | undefined;
  /** How a cloud makes a node of this class.
   * @default without from, the nodes exist already */
  readonly provisioning?: Provisioning | undefined;
  /** The devices of a node, one entry for each kind. With from: what differs from the catalog, by name.
   * @default - none */
  readonly devices?: readonly Device[] | undefined;
  /** What partitions of a GPU share, as its driver publishes it (KEP-4815). Needs Kubernetes 1.36.
   * @default none */
  readonly counterSets?: readonly CounterSet[] | undefined;
  /** The node itself.
   * @default - none */
  readonly node?: ClassNode | undefined;
  /** The price of a node.
   * @default the price file of the fleet, then the catalog, then unknown */
  readonly price?: NodePrice | undefined;
}

/** How a cloud makes a node of this class. */
export type Provisioning = AtMostOneBlock<
  ProvisioningFields,
  'provider',
  { GKE: 'gke'; EKS: 'eks'; AKS: 'aks'; Nebius: 'nebius'; Vultr: 'vultr' }
>;

/** All fields of `Provisioning`. */
export interface ProvisioningFields {
  /** The cloud. The block of the same name is required.
   * @default - none */
  readonly provider?: 'GKE' | 'EKS' | 'AKS' | 'Nebius' | 'Vultr' | undefined;
  /** For provider GKE.
   * @default - none */
  readonly gke?: GkeProvisioning | undefined;
  /** For provider EKS.
   * @default - none */
  readonly eks?: EksProvisioning | undefined;
  /** For provider AKS.
   * @default - none */
  readonly aks?: AksProvisioning | undefined;
  /** For provider Nebius.
   * @default - none */
  readonly nebius?: NebiusProvisioning | undefined;
  /** For provider Vultr.
   * @default - none */
  readonly vultr?: VultrProvisioning | undefined;
}

/** For provider GKE. */
export interface GkeProvisioning {
  /** Compute Engine machine type: g2-standard-8.
   * @default - none */
  readonly machineType?: string | undefined;
  /** The boot disk of a node, in GB.
   * @default 100 */
  readonly diskSizeGb?: number | undefined;
  /** The GPUs of a node, for the API of the cloud only. Placement uses devices.
   * @default - none */
  readonly accelerator?: Accelerator | undefined;
  /** Who installs the GPU driver. SelfManaged: a DaemonSet on the cluster, as GKE requires for DRA. GKEManaged: GKE, whose device plugin then also announces the GPUs.
   * @default SelfManaged */
  readonly driver?: 'SelfManaged' | 'GKEManaged' | undefined;
  /** Whether nodes use spot capacity, which is cheaper and which the cloud can take back.
   * @default false */
  readonly spot?: boolean | undefined;
  /** Whether nodes come from flex-start capacity: they start when the cloud has room, and run for at most seven days. The pool scales from zero.
   * @default false */
  readonly flexStart?: boolean | undefined;
  /** The reservation that nodes come from.
   * @default none, on demand */
  readonly reservation?: string | undefined;
  /** Whether nodes are placed close together, in one zone.
   * @default false */
  readonly compactPlacement?: boolean | undefined;
  /** DRANET: GKE gives nodes the network cards for GPU traffic, and pods claim them. A3, A4 and A4X machines.
   * @default None */
  readonly fabric?: 'None' | 'DRANET' | undefined;
  /** Local SSDs for the files and images of pods.
   * @default none */
  readonly localSsd?: number | undefined;
}

/** The GPUs of a node, for the API of the cloud only. Placement uses devices. */
export interface Accelerator {
  /** The name of the GPU in the API of the cloud: nvidia-h100-80gb. */
  readonly type: string;
  /** GPUs of a node. */
  readonly count: number;
}

/** For provider EKS. */
export interface EksProvisioning {
  /** EC2 instance type: p5.48xlarge.
   * @default - none */
  readonly instanceType?: string | undefined;
  /** The boot disk of a node, in GB.
   * @default 100 */
  readonly diskSizeGb?: number | undefined;
  /** The GPUs of a node, for the API of the cloud only. Placement uses devices.
   * @default - none */
  readonly accelerator?: Accelerator | undefined;
  /** The kind of image of a node.
   * @default the one with the driver of its devices, for its processor */
  readonly amiType?: 'AL2023_x86_64_NVIDIA' | 'AL2023_ARM_64_NVIDIA' | 'AL2023_x86_64_NEURON' | undefined;
  /** Whether nodes use spot capacity, which is cheaper and which the cloud can take back.
   * @default false */
  readonly spot?: boolean | undefined;
  /** Whether nodes of a pool are placed close together, in one zone.
   * @default false */
  readonly placementGroup?: boolean | undefined;
}

/** For provider AKS. */
export interface AksProvisioning {
  /** Azure VM size: Standard_ND96isr_H100_v5.
   * @default - none */
  readonly vmSize?: string | undefined;
  /** The boot disk of a node, in GB.
   * @default 100 */
  readonly diskSizeGb?: number | undefined;
  /** The GPUs of a node, for the API of the cloud only. Placement uses devices.
   * @default - none */
  readonly accelerator?: Accelerator | undefined;
  /** Whether nodes use spot capacity, which is cheaper and which the cloud can take back.
   * @default false */
  readonly spot?: boolean | undefined;
  /** The resource ID of the capacity reservation group that nodes come from. It must reserve this size in the zones of the pool.
   * @default none, on demand */
  readonly capacityReservationGroup?: string | undefined;
}

/** For provider Nebius. */
export interface NebiusProvisioning {
  /** Nebius platform: gpu-h100-sxm.
   * @default - none */
  readonly platform?: string | undefined;
  /** Resource preset of the platform: 8gpu-128vcpu-1600gb.
   * @default - none */
  readonly preset?: string | undefined;
  /** The driver stack of the node.
   * @default cuda13.0 */
  readonly driversPreset?: string | undefined;
  /** The boot disk of a node, in GB.
   * @default 100 */
  readonly diskSizeGb?: number | undefined;
  /** The GPUs of a node, for the API of the cloud only. Placement uses devices.
   * @default - none */
  readonly accelerator?: Accelerator | undefined;
}

/** For provider Vultr. */
export interface VultrProvisioning {
  /** Vultr plan: vcg-l40s-16c-180g-48vram.
   * @default - none */
  readonly plan?: string | undefined;
  /** The GPUs of a node, for the API of the cloud only. Placement uses devices.
   * @default - none */
  readonly accelerator?: Accelerator | undefined;
}

/** Used in `InferenceClassProps.devices`. */
export interface Device {
  /** The name of the device within the class: gpu. */
  readonly name: string;
  /** DRA: pods claim it. Synthetic: it narrows placement and is never claimed.
   * @default DRA */
  readonly claim?: 'DRA' | 'Synthetic' | undefined;
  /** The DRA driver, also the domain of attributes without one: gpu.nvidia.com.
   * @default - none */
  readonly driver?: KnownDriver | (string & {}) | undefined;
  /** The DeviceClass that claims name. Required with claim DRA.
   * @default - none */
  readonly deviceClassName?: KnownDeviceClass | (string & {}) | undefined;
  /** The extended resource that a device plugin offers it as, for clusters with dra: false: nvidia.com/gpu.
   * @default - none */
  readonly extendedResource?: string | undefined;
  /** The number of these devices of a node.
   * @default 1 */
  readonly count?: number | undefined;
  /** What selectors read as device.attributes.
   * @default - none */
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  /** What selectors read as device.capacity.
   * @default - none */
  readonly capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
  /** Several pods share one such device, each with a part of its capacity. The driver must publish it, and clusters need Kubernetes 1.36.
   * @default false */
  readonly allowMultipleAllocations?: boolean | undefined;
  /** The counter set of the class that the device draws on: its driver creates it on demand.
   * @default none */
  readonly counterSet?: string | undefined;
  /** With counterSet: what the device takes of each counter, one item for each device of a set that the driver publishes.
   * @default - none */
  readonly placements?: NonEmpty<Readonly<Record<string, string | number>>> | undefined;
}

/** Used in `Device.attributes`. */
export interface DeviceAttribute {
  /** Text.
   * @default - none */
  readonly string?: string | undefined;
  /** A semantic version: 9.0.0.
   * @default - none */
  readonly version?: string | undefined;
  /** True or false.
   * @default - none */
  readonly bool?: boolean | undefined;
  /** A whole number of 64 bits.
   * @default - none */
  readonly int?: number | bigint | undefined;
}

/** Used in `Device.capacity`. */
export interface DeviceCapacity {
  /** A Kubernetes quantity: 81559Mi. */
  readonly value: string | number;
  /** How the driver rounds requests for the capacity, as it publishes it.
   * @default not at all */
  readonly requestPolicy?: RequestPolicy | undefined;
}

/** How the driver rounds requests for the capacity, as it publishes it. */
export interface RequestPolicy {
  /** The amount that a request takes that does not state one.
   * @default - none */
  readonly default?: string | number | undefined;
  /** The amounts that requests can take, ascending. Requests are raised to the next.
   * @default - none */
  readonly validValues?: NonEmpty<string | number> | undefined;
  /** The range of amounts that requests can take.
   * @default - none */
  readonly validRange?: ValidRange | undefined;
}

/** The range of amounts that requests can take. */
export interface ValidRange {
  /** The least amount. Smaller requests are raised to it. */
  readonly min: string | number;
  /** The most that one request gets.
   * @default all */
  readonly max?: string | number | undefined;
  /** Requests are raised to a multiple of it above min.
   * @default none */
  readonly step?: string | number | undefined;
}

/** Used in `InferenceClassProps.counterSets`. */
export interface CounterSet {
  /** The name of the counter set within the class: gpu. */
  readonly name: string;
  /** The sets of this form on a node, one for each GPU.
   * @default 1 */
  readonly count?: number | undefined;
  /** What one set has of each counter: { multiprocessors: "132", memory-slice-0: "1" }. */
  readonly counters: Readonly<Record<string, string | number>>;
}

/** The node itself. */
export interface ClassNode {
  /** The capacity of a node for pods, without what the system reserves.
   * @default an estimate for machines of GKE, EKS and AKS in the catalog. For machines of its other clouds, CPU and memory of the machine are an upper bound; otherwise neither is checked */
  readonly allocatable?: Allocatable | undefined;
}

/** The capacity of a node for pods, without what the system reserves. */
export interface Allocatable {
  /** The CPU for pods: 190, or 3920m.
   * @default - none */
  readonly cpu?: string | number | undefined;
  /** The memory for pods: 1900Gi.
   * @default - none */
  readonly memory?: string | undefined;
}

/** The price of a node. */
export interface NodePrice {
  /** The price of a node for an hour, in the currency of the fleet. */
  readonly perHour: number;
  /** The price of spot capacity.
   * @default unknown */
  readonly spotPerHour?: number | undefined;
  /** The currency, which must be that of the fleet.
   * @default USD */
  readonly currency?: string | undefined;
  /** The day of the price: 2026-10-31.
   * @default undated */
  readonly asOf?: string | undefined;
}
