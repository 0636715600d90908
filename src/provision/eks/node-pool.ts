import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import type { AMI_TYPES, Provisioning } from '../../api/provisioning';
import type { Taint } from '../../api/schema/taints-and-tolerations';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import type { Fleet } from '../../fleet/fleet';
import { SYSTEM_POOL } from '../cloud-names';
import { formatMachineName, POOL_OPTIONS, poolSizeOf, TAINT_EFFECTS, zonesOf } from '../node-pools';
import { eksZonesOf, privateSubnetNameOf } from './network';

/** What a class says of its nodes on EKS. */
export type EksMachine = NonNullable<Provisioning['eks']>;

/** What a pool is made of. */
export interface EksPool {
  readonly pool: NodePool;
  readonly machine: EksMachine;
  readonly declared: InferenceClass;
}

/** What a pool takes over from its cluster and fleet. */
export interface EksContext {
  readonly cluster: InferenceCluster;
  readonly hardware: Fleet['hardware'];
  readonly tags: Record<string, string>;
}

/** The security group of the cluster, which EKS makes: nodes without it do not reach the control plane. */
export const CLUSTER_SECURITY_GROUP = 'cluster' as const;

/** The security group of nodes with EFA. */
export const EFA_SECURITY_GROUP = 'efa' as const;

/**
 * The fewest nodes of an autoscaled pool. The autoscaler of AWS knows no devices of nodes that do not exist yet, so it
 * adds to a pool with claims only after the nodes that are there: an empty one would stay empty.
 */
export function minAutoscaledNodesOf({ spec }: InferenceCluster): number {
  return spec.dra ? 1 : 0;
}

const GPU_TAINT = { key: GPU_TAINT_KEY, value: 'present', effect: TAINT_EFFECTS.NoSchedule };

/** A pool of nodes with GPUs: its launch template, its placement group where the class asks for one, and itself. */
export function planEksPool(site: EksContext, { pool, machine, declared }: EksPool) {
  const { poolLabel } = site.cluster.spec;
  const zones = zonesOf(pool);
  return {
    name: pool.name,
    machines: formatMachineName(machine.instanceType, zones),
    args: {
      nodeGroupName: pool.name,
      ...versionOf(site),
      amiType: amiType(site, machine),
      capacityType: capacityType(pool, machine),
      scalingConfig: scaling(pool, site),
      // Quota for one node more than the pool has is rare, so old ones go first.
      updateConfig: { maxUnavailable: 1, updateStrategy: 'MINIMAL' },
      labels: { ...pool.labels, ...draLabels(site, declared), [poolLabel]: pool.name },
      taints: taintsOf(pool),
      tags: site.tags,
    },
    refs: { nodeRoleArn: 'node', subnetIds: zones.map(privateSubnetNameOf), launchTemplate: pool.name },
    options: {
      ...POOL_OPTIONS,
      // From then on the autoscaler says how many there are.
      ...(pool.maxNodeCount !== undefined && { ignoreChanges: ['scalingConfig.desiredSize'] }),
    },
  };
}

/**
 * Whether nodes of a pool need a group to stand close together. Those of a capacity block do anyway, and a group that it
 * was not made in has no room for them (EC2 guide, Capacity Blocks).
 */
function needsPlacementGroup({ machine, pool }: EksPool): boolean {
  return machine.placementGroup === true && pool.capacityBlock === undefined;
}

/** The placement groups of pools whose nodes stand close together. */
export function planPlacementGroups(site: EksContext, pools: readonly EksPool[]) {
  return pools
    .filter(needsPlacementGroup)
    .map(({ pool }) => ({ name: pool.name, args: { strategy: 'cluster', tags: site.tags } }));
}

/** What a launch template refers to. */
export interface TemplateRefs {
  readonly placementGroup?: string;

  /** Of every interface. Those of a template replace what EKS would add. */
  readonly securityGroups: readonly (typeof EFA_SECURITY_GROUP | typeof CLUSTER_SECURITY_GROUP)[];
}

/** How a node of a pool is made. Types and disks stand here, not in the pool: EKS takes them in one place only. */
export function planLaunchTemplate(site: EksContext, planned: EksPool) {
  const { pool, machine } = planned;
  const cards = efaCards(site, pool, machine);
  const refs: TemplateRefs = {
    ...(needsPlacementGroup(planned) && { placementGroup: pool.name }),
    securityGroups: cards > 0 ? [EFA_SECURITY_GROUP, CLUSTER_SECURITY_GROUP] : [],
  };
  return {
    name: pool.name,
    args: {
      ...baseTemplate(machine.diskSizeGb, site.tags),
      instanceType: machine.instanceType,
      ...capacityBlock(pool),
    },
    /** Of the arguments. Without any, EKS gives a node one. */
    networkInterfaces: interfaces(cards),
    refs,
  };
}

/** The pool for what serves the cluster itself, on machines without GPUs. */
export function planEksSystemPool(site: EksContext) {
  const { cluster, tags } = site;
  const refs: TemplateRefs = { securityGroups: [] };
  return {
    template: {
      name: SYSTEM_POOL,
      args: { ...baseTemplate(100, tags), instanceType: 'm6i.xlarge' },
      networkInterfaces: interfaces(0),
      refs,
    },
    pool: {
      name: SYSTEM_POOL,
      args: {
        nodeGroupName: SYSTEM_POOL,
        ...versionOf(site),
        amiType: 'AL2023_x86_64_STANDARD',
        scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
        labels: { [cluster.spec.poolLabel]: SYSTEM_POOL },
        tags,
      },
      refs: {
        nodeRoleArn: 'node',
        subnetIds: eksZonesOf(cluster).control.map(privateSubnetNameOf),
        launchTemplate: SYSTEM_POOL,
      },
      // Another subnet would replace the pool, and with it all that serves the cluster.
      options: { ...POOL_OPTIONS, ignoreChanges: ['scalingConfig.desiredSize', 'subnetIds'] },
    },
  };
}

function baseTemplate(volumeSize: number, tags: Record<string, string>) {
  const ebs = { volumeSize, volumeType: 'gp3', encrypted: 'true', deleteOnTermination: 'true' };
  return {
    blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs }],
    // Two hops, so that pods reach the service of metadata too.
    metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required', httpPutResponseHopLimit: 2 },
    tagSpecifications: ['instance', 'volume'].map((resourceType) => ({ resourceType, tags })),
    tags,
  };
}

/** Otherwise nodes would stay as they are when the control plane is upgraded. */
function versionOf({ cluster }: EksContext) {
  return { version: cluster.spec.cluster.eks?.kubernetesVersion };
}

function amiType(site: EksContext, machine: EksMachine): AmiType {
  return machine.amiType ?? AMI_BY_ARCHITECTURE[instanceType(site, machine)?.cpuArchitecture ?? 'amd64'];
}

function instanceType({ hardware }: EksContext, { instanceType: name }: EksMachine) {
  return hardware.catalogue.instanceTypes.get(`aws/${name}`);
}

function capacityType({ capacityBlock: block }: NodePool, { spot }: EksMachine): string {
  if (block) return 'CAPACITY_BLOCK';
  return spot ? 'SPOT' : 'ON_DEMAND';
}

function scaling(pool: NodePool, { cluster }: EksContext) {
  const size = poolSizeOf(pool, minAutoscaledNodesOf(cluster));
  // The API takes no maximum of 0.
  if (size.kind === 'Fixed')
    return { minSize: size.nodes, maxSize: Math.max(1, size.nodes), desiredSize: size.nodes };
  return { minSize: size.min, maxSize: size.max, desiredSize: size.initial };
}

function draLabels({ cluster }: EksContext, { spec }: InferenceClass): Record<string, string> {
  const claimed =
    cluster.spec.dra &&
    spec.devices.some(({ claim, driver }) => claim === 'DRA' && driver === 'gpu.nvidia.com');
  return claimed ? { 'nvidia.com/gpu.present': 'true' } : {};
}

/** The declared taints, and the one that keeps pods without GPUs away, which GKE would add by itself. */
function taintsOf({ taints }: NodePool) {
  const own = taints.map(eksTaint);
  const same = own.some(({ key, effect }) => key === GPU_TAINT.key && effect === GPU_TAINT.effect);
  return same ? own : [...own, GPU_TAINT];
}

function eksTaint({ key, value, effect }: Taint<keyof typeof TAINT_EFFECTS>) {
  return { key, ...(value && { value }), effect: TAINT_EFFECTS[effect] };
}

/** The network cards of a node with EFA. */
function efaCards(site: EksContext, { fabric }: NodePool, machine: EksMachine): number {
  return fabric.type === 'EFA' ? (instanceType(site, machine)?.nics ?? 1) : 0;
}

/** Only the first card has addresses: with more of them nodes do not join. */
function interfaces(cards: number) {
  return Array.from({ length: cards }, (_, networkCardIndex) => ({
    networkCardIndex,
    deviceIndex: networkCardIndex === 0 ? 0 : 1,
    interfaceType: networkCardIndex === 0 ? 'efa' : 'efa-only',
    deleteOnTermination: 'true',
    associatePublicIpAddress: 'false',
  }));
}

function capacityBlock({ capacityBlock: block }: NodePool) {
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

/** An image of EKS. */
export type AmiType = (typeof AMI_TYPES)[number];

/** The image of EKS for each kind of processor. */
export const AMI_BY_ARCHITECTURE = {
  amd64: 'AL2023_x86_64_NVIDIA',
  arm64: 'AL2023_ARM_64_NVIDIA',
} as const satisfies Readonly<Record<string, AmiType>>;
