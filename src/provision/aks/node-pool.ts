import type { NodePool } from '../../api/node-pool';
import { sortUnique } from '../../base/order';
import { GPU_TAINT_KEY } from '../../catalog/device-classes';
import {
  type CloudPool,
  formatMachineName,
  minAutoscaledNodesOf,
  nodeLabelsOf,
  NVIDIA_DRIVER,
  POOL_OPTIONS,
  poolSizeOf,
} from '../node-pools';
import { type AksContext, NODE_SUBNET } from './network';

type AksPool = CloudPool<'aks'>;

/**
 * The arguments of a pool that Azure does not change: another pool is made (AKS documentation, "Manage node pools").
 * Without this list, an update would fail.
 */
export const AKS_POOL_REPLACING = [
  'vmSize',
  'osDiskSizeGB',
  'availabilityZones',
  'gpuProfile',
  'maxPods',
  'scaleSetPriority',
  'scaleSetEvictionPolicy',
  'spotMaxPrice',
  'capacityReservationGroupID',
];

/** Keeps other pods away, and driver installers of other GPUs. */
const GPU_TAINT = { key: GPU_TAINT_KEY, value: 'present', effect: 'NoSchedule' };

/** The default of AKS is 250, for which each node reserves 5 GB. */
const MOST_PODS = 110;

/** Plans a pool of GPU nodes. */
export function planAksPool(context: AksContext, { pool, machine, declared }: AksPool) {
  const { cluster, resourceGroupName, tags } = context;
  const zones = sortUnique(pool.zones);
  return {
    name: pool.name,
    machines: formatMachineName(machine.vmSize, zones),
    args: {
      resourceGroupName,
      resourceName: cluster.metadata.name,
      agentPoolName: pool.name,
      mode: 'User',
      type: 'VirtualMachineScaleSets',
      vmSize: machine.vmSize,
      osType: 'Linux',
      osSKU: 'Ubuntu',
      osDiskSizeGB: machine.diskSizeGb,
      orchestratorVersion: cluster.spec.cluster.aks?.kubernetesVersion,
      // The GPU Operator installs the driver. Two drivers on one node exclude each other.
      gpuProfile: { driver: 'None' },
      maxPods: MOST_PODS,
      ...sizeArgsOf(pool, context),
      ...capacityArgsOf(machine),
      ...(zones.length > 0 && { availabilityZones: zones }),
      nodeLabels: nodeLabelsOf(cluster, pool, declared),
      nodeTaints: taintsOf(pool, hasNvidiaGpus(declared)),
      tags,
    },
    refs: { vnetSubnetID: NODE_SUBNET },
    options: {
      ...POOL_OPTIONS,
      replaceOnChanges: AKS_POOL_REPLACING,
      // The autoscaler then controls the number of nodes.
      ...(pool.maxNodeCount !== undefined && { ignoreChanges: ['count'] }),
    },
  };
}

/** Whether nodes of a class have GPUs for which the GPU Operator of NVIDIA installs the driver. */
export function hasNvidiaGpus({ spec }: AksPool['declared']): boolean {
  return spec.devices.some(({ driver, extendedResource }) =>
    [driver, extendedResource].some((name) => name === NVIDIA_DRIVER || name === GPU_TAINT_KEY),
  );
}

function sizeArgsOf(pool: NodePool, { cluster }: AksContext) {
  const { initial, min, max } = poolSizeOf(pool, minAutoscaledNodesOf(cluster));
  if (pool.maxNodeCount === undefined) return { enableAutoScaling: false, count: initial };
  return { enableAutoScaling: true, count: initial, minCount: min, maxCount: max };
}

function capacityArgsOf({ spot, capacityReservationGroup }: AksPool['machine']) {
  // The maximum price of -1 is the price on demand.
  if (spot) return { scaleSetPriority: 'Spot', scaleSetEvictionPolicy: 'Delete', spotMaxPrice: -1 };
  return {
    // Quota for an additional node is rare, so an upgrade removes an old node first.
    upgradeSettings: { maxSurge: '0', maxUnavailable: '1' },
    ...(capacityReservationGroup && { capacityReservationGroupID: capacityReservationGroup }),
  };
}

function taintsOf({ taints }: NodePool, hasNvidia: boolean): string[] {
  const hasGpuTaint = taints.some(({ key, effect }) => key === GPU_TAINT.key && effect === GPU_TAINT.effect);
  const all = hasGpuTaint || !hasNvidia ? taints : [...taints, GPU_TAINT];
  return all.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`);
}
