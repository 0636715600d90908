import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import { sortUnique } from '../../base/order';
import { TPU_ACCELERATOR_PREFIX, TPU_DRIVER, TPU_RESOURCE } from '../../catalog/tpus';
import { sliceHostsOf } from '../../fleet/hardware/tpu-slice';
import {
  claimsDevicesOf,
  type CloudPool,
  formatMachineName,
  NVIDIA_DRIVER,
  POOL_OPTIONS,
  poolSizeOf,
  SYSTEM_POOL,
  TAINT_EFFECTS,
} from '../node-pools';
import { locationOf, nodeAccountEmailOf } from './cluster';
import type { GkeContext } from './network';

type GkeMachine = CloudPool<'gke'>['machine'];

type Driver = NonNullable<GkeMachine['driver']>;

/** The two consistent ways to install a driver on a node. A mix of them results in a node without a driver. */
const DRIVERS = {
  SelfManaged: {
    gpuDriverVersion: 'INSTALLATION_DISABLED',
    labels: { 'gke-no-default-nvidia-gpu-device-plugin': 'true' },
  },
  GKEManaged: { gpuDriverVersion: 'DEFAULT', labels: {} },
} as const satisfies Record<Driver, { gpuDriverVersion: string; labels: Record<string, string> }>;

const DRA_LABELS = {
  // The chart of the driver selects nodes by this label.
  'nvidia.com/gpu.present': 'true',
  // The autoscaler needs this label to predict the devices of a new node, so that it can scale from zero.
  'cloud.google.com/gke-nvidia-gpu-dra-driver': 'true',
};

/** Keeps the device plugin of GKE off the node, which would count the TPUs again (gke-ai-labs, DRA of TPUs). */
const TPU_DRA_LABELS = { 'cloud.google.com/gke-tpu-dra-driver': 'true' };

const FABRIC_LABELS = { 'cloud.google.com/gke-networking-dra-driver': 'true' };

/** Disables the Arm taint of GKE, which also keeps driver installers away. The GPU taint keeps other pods away. */
const ANY_PROCESSOR = { taintConfig: { architectureTaintBehavior: 'NONE' } };

/** The maximum run time of a flex-start node: seven days, in seconds. */
const FLEX_START_RUN = '604800s';

/** Whether a machine has TPUs. Its accelerator then is the name that GKE has for them: tpu-v6e-slice. */
export function isTpuMachine({ accelerator }: Pick<GkeMachine, 'accelerator'>): boolean {
  return accelerator.type.startsWith(TPU_ACCELERATOR_PREFIX);
}

/** The device plugin of GKE, which counts GPUs without claims, is part of the managed driver. */
export function driverOf({ driver }: GkeMachine, { spec }: InferenceCluster): Driver {
  return driver ?? (spec.dra ? 'SelfManaged' : 'GKEManaged');
}

/** Plans a pool of nodes with GPUs or TPUs. */
export function planGkePool(context: GkeContext, { pool, machine, declared }: CloudPool<'gke'>) {
  const { poolLabel } = context.cluster.spec;
  const zones = sortUnique(pool.zones);
  const type = context.hardware.catalogue.instanceTypes.get(`gcp/${machine.machineType}`);
  const labels = { ...pool.labels, ...labelsOf(machine, declared, context.cluster), [poolLabel]: pool.name };
  return {
    name: pool.name,
    machines: formatMachineName(machine.machineType, zones),
    args: {
      ...locationOfPool(context, pool.name),
      nodeLocations: zones,
      ...sizeArgsOf(pool, machine),
      // Queued nodes are not repaired, because a repair would queue them again.
      management: { autoRepair: !machine.flexStart, autoUpgrade: true },
      // Quota for an additional node is rare.
      upgradeSettings: { maxSurge: 0, maxUnavailable: 1 },
      ...placementOf(pool, machine, declared),
      ...(machine.fabric === 'DRANET' && { networkConfig: { acceleratorNetworkProfile: 'auto' } }),
      nodeConfig: {
        ...renderBaseNode(context),
        ...renderMachine(machine),
        ...(isTpuMachine(machine) ? {} : renderGpus(machine, context.cluster)),
        ...(type?.cpuArchitecture === 'arm64' && ANY_PROCESSOR),
        labels,
        taints: declaredTaintsOf(pool, machine).map(({ key, value = '', effect }) => ({
          key,
          value,
          effect: TAINT_EFFECTS[effect],
        })),
      },
    },
    options: { ...POOL_OPTIONS, ignoreChanges: ['initialNodeCount'] },
  };
}

/** Plans the pool for system pods, on machines without GPUs. */
export function planGkeSystemPool(context: GkeContext) {
  const { poolLabel, cluster } = context.cluster.spec;
  return {
    name: SYSTEM_POOL,
    args: {
      ...locationOfPool(context, SYSTEM_POOL),
      // A regional cluster has one node in each of three zones.
      initialNodeCount: cluster.gke?.zone ? 2 : 1,
      autoscaling: { totalMinNodeCount: 2, totalMaxNodeCount: 6, locationPolicy: 'BALANCED' },
      management: { autoRepair: true, autoUpgrade: true },
      nodeConfig: {
        ...renderBaseNode(context),
        machineType: 'e2-standard-4',
        diskSizeGb: 100,
        labels: { [poolLabel]: SYSTEM_POOL },
      },
    },
    options: { ...POOL_OPTIONS, ignoreChanges: ['initialNodeCount'] },
  };
}

function locationOfPool(context: GkeContext, name: string) {
  const { project, cluster } = context;
  return { name, project, location: locationOf(context), cluster: cluster.metadata.name };
}

/** Uses limits for all zones together: limits per zone would multiply by the number of zones. */
function sizeArgsOf(pool: NodePool, { flexStart }: GkeMachine) {
  const { initial, min, max } = poolSizeOf(pool, 0);
  const zones = new Set(pool.zones).size;
  if (pool.maxNodeCount === undefined) return { nodeCount: Math.ceil(initial / zones) };
  // At least the minimum, unless that would exceed the maximum.
  const declared = Math.floor(initial / zones);
  const least = Math.ceil(min / zones);
  const initialPerZone = least * zones > max ? declared : Math.max(declared, least);
  return {
    // Queued nodes are created when pods need them.
    initialNodeCount: flexStart ? 0 : initialPerZone,
    autoscaling: { totalMinNodeCount: min, totalMaxNodeCount: max, locationPolicy: 'ANY' },
  };
}

function renderBaseNode(context: GkeContext) {
  return {
    imageType: 'COS_CONTAINERD',
    resourceLabels: context.labels,
    serviceAccount: nodeAccountEmailOf(context),
    oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'],
    metadata: { 'disable-legacy-endpoints': 'true' },
    workloadMetadataConfig: { mode: 'GKE_METADATA' },
  };
}

function renderGpus(machine: GkeMachine, cluster: InferenceCluster) {
  const { type, count } = machine.accelerator;
  const { gpuDriverVersion } = DRIVERS[driverOf(machine, cluster)];
  return {
    guestAccelerators: [{ type, count, gpuDriverInstallationConfig: { gpuDriverVersion } }],
    gvnic: { enabled: true },
  };
}

function renderMachine(machine: GkeMachine) {
  return {
    machineType: machine.machineType,
    diskSizeGb: machine.diskSizeGb,
    ...(machine.spot && { spot: true }),
    ...(machine.flexStart && { flexStart: true, maxRunDuration: FLEX_START_RUN }),
    ...reservationOf(machine),
    ...(machine.localSsd && { ephemeralStorageLocalSsdConfig: { localSsdCount: machine.localSsd } }),
  };
}

function reservationOf({ flexStart, reservation }: GkeMachine) {
  if (flexStart) return { reservationAffinity: { consumeReservationType: 'NO_RESERVATION' } };
  if (!reservation) return {};
  const key = 'compute.googleapis.com/reservation-name';
  return { reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION', key, values: [reservation] } };
}

/** GKE places the nodes of a multi-host slice by its topology. */
function placementOf(pool: NodePool, { compactPlacement }: GkeMachine, declared: InferenceClass) {
  const topology = sliceHostsOf(pool, declared) === undefined ? undefined : pool.tpuTopology;
  if (topology !== undefined) return { placementPolicy: { type: 'COMPACT', tpuTopology: topology } };
  return compactPlacement ? { placementPolicy: { type: 'COMPACT' } } : {};
}

/** The taints that a pool declares, without the taint that GKE itself sets on nodes with TPUs. */
function declaredTaintsOf({ taints }: NodePool, machine: GkeMachine) {
  return isTpuMachine(machine) ? taints.filter(({ key }) => key !== TPU_RESOURCE) : taints;
}

function labelsOf(machine: GkeMachine, declared: InferenceClass, cluster: InferenceCluster): Record<string, string> {
  if (isTpuMachine(machine)) return claimsDevicesOf(TPU_DRIVER, cluster, declared) ? TPU_DRA_LABELS : {};
  return {
    ...(claimsDevicesOf(NVIDIA_DRIVER, cluster, declared) && DRA_LABELS),
    ...DRIVERS[driverOf(machine, cluster)].labels,
    ...(machine.fabric === 'DRANET' && FABRIC_LABELS),
  };
}
