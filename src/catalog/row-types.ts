import type { ScalarAttribute } from '../cel/device';

/** The source of a catalog row. Every row has one. */
export interface SourcedRow {
  /** The source of the row: a page, a data set or the output of a command. */
  readonly source: string;

  /** The day on which the source was read: `2026-07-20`. */
  readonly asOf: string;

  /** The fields that the source does not state itself: general knowledge or a third party's copy. */
  readonly secondHand?: readonly string[] | undefined;
}

/** A GPU, or another accelerator, as its driver publishes it. */
export interface Gpu extends SourcedRow {
  readonly name: string;

  /** The DRA driver. Default: `gpu.nvidia.com`. */
  readonly driver?: string | undefined;

  /** Default: the name of the driver. */
  readonly deviceClassName?: string | undefined;

  /** The attribute `productName`, to the letter. Absent if the driver publishes none. */
  readonly productName?: string | undefined;
  readonly brand?: string | undefined;
  readonly architecture?: string | undefined;
  readonly cudaComputeCapability?: string | undefined;

  /** The capacity `memory` as the driver publishes it: `81559Mi`. Absent if the driver publishes none. */
  readonly memory?: string | undefined;

  /** The memory on the box: `80Gi`. Required without `memory`. Default: what the driver publishes. */
  readonly nominal?: string | undefined;

  /** Further attributes that every such GPU publishes. */
  readonly attributes?: Readonly<Record<string, ScalarAttribute>> | undefined;

  /** Further capacities that every such GPU publishes. */
  readonly capacity?: Readonly<Record<string, { readonly value: string }>> | undefined;
}

/** The machine that a cloud, or a house, has. */
export interface InstanceType extends SourcedRow {
  /** Who has it, and its name there: `aws/p5.48xlarge`. */
  readonly name: string;

  /** The name of a GPU of the catalog. */
  readonly gpu: string;
  readonly gpus: number;
  readonly cpu: number;
  readonly memoryGiB: number;

  /** What nodes report as allocatable. Default: computed from CPU and memory for GKE, EKS and AKS. */
  readonly allocatable?: { readonly cpu: string; readonly memory: string } | undefined;

  /** Default: amd64. */
  readonly cpuArchitecture?: 'amd64' | 'arm64' | undefined;

  /** What connects the GPUs of a node, and its bandwidth in GB/s for each GPU. */
  readonly interconnect?: 'PCIe' | 'NVLink' | 'NVSwitch' | 'NVL72' | undefined;
  readonly interconnectGBs?: number | undefined;

  /** What connects nodes, with the number of its network devices and the bandwidth of all of them in Gbit/s. */
  readonly fabric?: 'EFA' | 'TCPX' | 'TCPXO' | 'RoCE' | 'InfiniBand' | 'Ethernet' | undefined;
  readonly nics?: number | undefined;
  readonly nicGbps?: number | undefined;
  readonly localDiskGiB?: number | undefined;

  /** Zones that have it, where known. */
  readonly zones?: readonly string[] | undefined;

  /** What GKE calls its GPUs. Default: `nvidia-` and the GPU. */
  readonly accelerator?: string | undefined;

  /** Attributes that its GPUs publish because they are in this machine. Default: none. */
  readonly attributes?: Readonly<Record<string, ScalarAttribute>> | undefined;

  /** The family of machines for which Azure grants a number of CPUs in a region. */
  readonly quotaFamily?: string | undefined;
}

/** One name for what several clouds sell under names of their own. */
export interface HardwareMacro extends SourcedRow {
  readonly name: string;

  /** The instance types that the macro stands for, at most one for each cloud. */
  readonly aliases: readonly string[];
}

/** What a node of an instance type costs in a region. */
export interface PriceRow extends SourcedRow {
  /** The name of an instance type of the catalog. */
  readonly instanceType: string;

  /** Default: all. */
  readonly region?: string | undefined;

  /** The price of a node for an hour. Default: unknown. */
  readonly perHour?: number | undefined;

  /** The same on spot. */
  readonly spotPerHour?: number | undefined;
}

/** What shared storage costs in a region. */
export interface StorageRow extends SourcedRow {
  /** What makes the volumes: a name as `EFS`, or a storage class of a cluster. */
  readonly fileSystem: string;

  /** Default: all. */
  readonly region?: string | undefined;
  readonly perGiBMonth: number;
}
