import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import type { AMI_TYPES } from '../../api/provisioning';
import { sortUnique } from '../../base/order';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import type { Fleet } from '../../fleet/fleet';
import { hasNeuronDevices } from '../../fleet/hardware/neuron-devices';
import {
  type CloudPool,
  formatMachineName,
  minAutoscaledNodesOf,
  nodeLabelsOf,
  POOL_OPTIONS,
  poolSizeOf,
  SYSTEM_POOL,
  TAINT_EFFECTS,
} from '../node-pools';
import { eksZonesOf, privateSubnetNameOf } from './network';

type EksPool = CloudPool<'eks'>;
type EksMachine = EksPool['machine'];

/** The settings that a pool inherits from its cluster and fleet. */
export interface EksContext {
  readonly cluster: InferenceCluster;
  readonly hardware: Fleet['hardware'];
  readonly tags: Record<string, string>;
}

/** The security group that EKS creates for a cluster. Nodes without it cannot reach the control plane. */
export const CLUSTER_SECURITY_GROUP = 'cluster' as const;

/** The security group of nodes with EFA. */
export const EFA_SECURITY_GROUP = 'efa' as const;

const GPU_TAINT = { key: GPU_TAINT_KEY, value: 'present', effect: TAINT_EFFECTS.NoSchedule };

/** Plans a pool of GPU nodes. It refers to its launch template. */
export function planEksPool(context: EksContext, { pool, machine, declared }: EksPool) {
  const zones = sortUnique(pool.zones);
  const type = instanceTypeOf(context, machine);
  return {
    name: pool.name,
    machines: formatMachineName(machine.instanceType, zones),
    args: {
      nodeGroupName: pool.name,
      ...versionOf(context),
      amiType: machine.amiType ?? defaultAmiTypeOf(declared, type?.cpuArchitecture),
      capacityType: capacityTypeOf(pool, machine),
      scalingConfig: scalingOf(pool, context),
      // Quota for an additional node is rare, so the update removes an old node first (EKS guide, phases of node updates).
      updateConfig: { maxUnavailable: 1, updateStrategy: 'MINIMAL' },
      labels: nodeLabelsOf(context.cluster, pool, declared),
      taints: taintsOf(pool, declared),
      tags: context.tags,
    },
    refs: { nodeRoleArn: 'node', subnetIds: zones.map(privateSubnetNameOf), launchTemplate: pool.name },
    options: {
      ...POOL_OPTIONS,
      // The autoscaler then controls the number of nodes.
      ...(pool.maxNodeCount !== undefined && { ignoreChanges: ['scalingConfig.desiredSize'] }),
    },
  };
}

/** Nodes of a capacity block are already close, and a group outside of it has no capacity for them (EC2 guide). */
function needsPlacementGroup({ machine, pool }: EksPool): boolean {
  return machine.placementGroup === true && pool.capacityBlock === undefined;
}

/** Plans the placement groups of pools whose nodes must be close together. */
export function planPlacementGroups({ tags }: EksContext, pools: readonly EksPool[]) {
  const close = pools.filter(needsPlacementGroup);
  return close.map(({ pool }) => ({ name: pool.name, args: { strategy: 'cluster', tags } }));
}

/** The resources that a launch template refers to. */
export interface TemplateRefs {
  readonly placementGroup?: string;

  /** The security groups of every interface. They replace the groups that EKS would add. */
  readonly securityGroups: readonly (typeof EFA_SECURITY_GROUP | typeof CLUSTER_SECURITY_GROUP)[];
}

/** EKS accepts the instance type and disks either in the launch template or in the node group. */
export function planLaunchTemplate(context: EksContext, planned: EksPool) {
  const { pool, machine } = planned;
  const cards = pool.fabric.type === 'EFA' ? (instanceTypeOf(context, machine)?.nics ?? 1) : 0;
  const refs: TemplateRefs = {
    ...(needsPlacementGroup(planned) && { placementGroup: pool.name }),
    securityGroups: cards > 0 ? [EFA_SECURITY_GROUP, CLUSTER_SECURITY_GROUP] : [],
  };
  return {
    name: pool.name,
    args: {
      ...renderBaseTemplate(machine.diskSizeGb, context.tags),
      instanceType: machine.instanceType,
      ...capacityBlockOf(pool),
    },
    /** An argument of the template. If it is empty, EKS adds one interface. */
    networkInterfaces: renderInterfaces(cards),
    refs,
  };
}

/** Plans the pool for system pods, on machines without GPUs. */
export function planEksSystemPool(context: EksContext) {
  const { cluster, tags } = context;
  const refs: TemplateRefs = { securityGroups: [] };
  const subnetIds = eksZonesOf(cluster).control.map(privateSubnetNameOf);
  return {
    template: {
      name: SYSTEM_POOL,
      args: { ...renderBaseTemplate(100, tags), instanceType: 'm6i.xlarge' },
      networkInterfaces: renderInterfaces(0),
      refs,
    },
    pool: {
      name: SYSTEM_POOL,
      args: {
        nodeGroupName: SYSTEM_POOL,
        ...versionOf(context),
        amiType: 'AL2023_x86_64_STANDARD',
        scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
        labels: { [cluster.spec.poolLabel]: SYSTEM_POOL },
        tags,
      },
      refs: { nodeRoleArn: 'node', subnetIds, launchTemplate: SYSTEM_POOL },
      // A change of subnets would replace the pool, and all system pods with it.
      options: { ...POOL_OPTIONS, ignoreChanges: ['scalingConfig.desiredSize', 'subnetIds'] },
    },
  };
}

function renderBaseTemplate(volumeSize: number, tags: Record<string, string>) {
  const ebs = { volumeSize, volumeType: 'gp3', encrypted: 'true', deleteOnTermination: 'true' };
  return {
    blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }],
    // The hop limit of 2 lets pods reach the metadata service.
    metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required', httpPutResponseHopLimit: 2 },
    tagSpecifications: ['instance', 'volume'].map((resourceType) => ({ resourceType, tags })),
    tags,
  };
}

/** Without a version, nodes would not be upgraded with the control plane. */
function versionOf({ cluster }: EksContext) {
  return { version: cluster.spec.cluster.eks?.kubernetesVersion };
}

function instanceTypeOf({ hardware }: EksContext, { instanceType: name }: EksMachine) {
  return hardware.catalogue.instanceTypes.get(`aws/${name}`);
}

function capacityTypeOf({ capacityBlock: block }: NodePool, { spot }: EksMachine): string {
  if (block) return 'CAPACITY_BLOCK';
  return spot ? 'SPOT' : 'ON_DEMAND';
}

function scalingOf(pool: NodePool, { cluster }: EksContext) {
  const { initial, min, max } = poolSizeOf(pool, minAutoscaledNodesOf(cluster));
  // The API does not accept a maximum of 0.
  return { minSize: min, maxSize: Math.max(1, max), desiredSize: initial };
}

/**
 * Returns the declared taints and the GPU taint, which keeps other pods away. GKE adds the GPU taint itself. Nodes with
 * Neuron devices have another taint for it, which their pools have here.
 */
function taintsOf({ taints }: NodePool, declaredClass: InferenceClass) {
  const declared = taints.map(({ key, value, effect }) => {
    return { key, ...(value && { value }), effect: TAINT_EFFECTS[effect] };
  });
  const hasGpuTaint = declared.some(({ key, effect }) => key === GPU_TAINT.key && effect === GPU_TAINT.effect);
  return hasGpuTaint || hasNeuronDevices(declaredClass) ? declared : [...declared, GPU_TAINT];
}

/** Only the first card gets IP addresses. Nodes do not join if several cards have addresses. */
function renderInterfaces(cards: number) {
  return Array.from({ length: cards }, (_, networkCardIndex) => ({
    networkCardIndex,
    deviceIndex: networkCardIndex === 0 ? 0 : 1,
    interfaceType: networkCardIndex === 0 ? 'efa' : 'efa-only',
    deleteOnTermination: 'true',
    associatePublicIpAddress: 'false',
  }));
}

function capacityBlockOf({ capacityBlock: block }: NodePool) {
  if (!block) return {};
  const { capacityReservationId } = block;
  return {
    instanceMarketOptions: { marketType: 'capacity-block' },
    capacityReservationSpecification: {
      capacityReservationPreference: 'capacity-reservations-only',
      capacityReservationTarget: { capacityReservationId },
    },
  };
}

type AmiType = (typeof AMI_TYPES)[number];

/** The EKS image type with the driver of Neuron devices. There is none for Arm. */
export const NEURON_AMI = 'AL2023_x86_64_NEURON' satisfies AmiType;

/** Returns the image type with the driver of the devices of a class. */
export function defaultAmiTypeOf(declared: InferenceClass, architecture: 'amd64' | 'arm64' = 'amd64'): AmiType {
  return hasNeuronDevices(declared) ? NEURON_AMI : AMI_BY_ARCHITECTURE[architecture];
}

/** The default EKS image type of nodes with GPUs, for each CPU architecture. */
export const AMI_BY_ARCHITECTURE = {
  amd64: 'AL2023_x86_64_NVIDIA',
  arm64: 'AL2023_ARM_64_NVIDIA',
} as const satisfies Readonly<Record<string, AmiType>>;
