import type { InferenceClass } from '../../api/inference-class';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { NodePool } from '../../api/node-pool';
import type { Provisioning } from '../../api/provisioning';
import type { Taint } from '../../api/schema/taints-and-tolerations';
import type { InstanceType } from '../../catalog/row-types';
import { SYSTEM_POOL } from '../cloud-names';
import { formatMachineName, POOL_OPTIONS, poolSizeOf, TAINT_EFFECTS, zonesOf } from '../node-pools';
import { locationOf, nodeAccountEmailOf } from './cluster';
import type { GkeContext } from './network';

/** What a class says of its nodes on GKE. */
export type GkeMachine = NonNullable<Provisioning['gke']>;

type Driver = NonNullable<GkeMachine['driver']>;

/** What a pool is made of. */
export interface GkePool {
  readonly pool: NodePool;
  readonly machine: GkeMachine;
  readonly declared: InferenceClass;

  /** What the catalogue knows of its machines. */
  readonly type?: InstanceType;
}

/** The two coherent ways to get a driver onto a node. The mix of them is a node without one. */
const DRIVERS = {
  SelfManaged: {
    gpuDriverVersion: 'INSTALLATION_DISABLED',
    labels: { 'gke-no-default-nvidia-gpu-device-plugin': 'true' },
  },
  GKEManaged: { gpuDriverVersion: 'DEFAULT', labels: {} },
} as const satisfies Record<Driver, { gpuDriverVersion: string; labels: Record<string, string> }>;

/** What a node with devices for claims is labelled with. */
const DRA_LABELS = {
  // By which the chart of the driver finds its nodes.
  'nvidia.com/gpu.present': 'true',
  // By which the autoscaler knows what a new node would offer, and so scales from zero.
  'cloud.google.com/gke-nvidia-gpu-dra-driver': 'true',
};

const FABRIC_LABELS = { 'cloud.google.com/gke-networking-dra-driver': 'true' };

/**
 * GKE keeps everything off nodes with Arm that does not ask for them, also what installs the drivers. The taint of GPUs
 * keeps off what else should not be there.
 */
const ANY_PROCESSOR = { taintConfig: { architectureTaintBehavior: 'NONE' } };

/** The longest that a node with flexible start may run: seven days, in seconds. */
const FLEX_START_RUN = '604800s';

/** Who installs the driver on nodes of a class. GKE's device plugin, which counts GPUs where no pod claims them, comes with its driver. */
export function driverOf({ driver }: GkeMachine, { spec }: InferenceCluster): Driver {
  return driver ?? (spec.dra ? 'SelfManaged' : 'GKEManaged');
}

/** A pool of nodes with GPUs. */
export function planGkePool(site: GkeContext, { pool, machine, declared, type }: GkePool) {
  const { poolLabel } = site.cluster.spec;
  const zones = zonesOf(pool);
  const labels = { ...pool.labels, ...labelsFor(machine, declared, site.cluster), [poolLabel]: pool.name };
  return {
    name: pool.name,
    machines: formatMachineName(machine.machineType, zones),
    args: {
      ...locationOfPool(site, pool.name),
      nodeLocations: zones,
      ...sizing(pool, machine),
      // Nodes that were queued for are not repaired: the queue would start anew.
      management: { autoRepair: !machine.flexStart, autoUpgrade: true },
      // Quota for one node more than the pool has is rare.
      upgradeSettings: { maxSurge: 0, maxUnavailable: 1 },
      ...(machine.compactPlacement && { placementPolicy: { type: 'COMPACT' } }),
      ...(machine.fabric === 'DRANET' && { networkConfig: { acceleratorNetworkProfile: 'auto' } }),
      nodeConfig: {
        ...baseNode(site),
        ...gpuNode(machine, site.cluster),
        ...(type?.cpuArchitecture === 'arm64' && ANY_PROCESSOR),
        labels,
        taints: pool.taints.map(gkeTaint),
      },
    },
    options: { ...POOL_OPTIONS, ignoreChanges: ['initialNodeCount'] },
  };
}

/** The pool for what serves the cluster itself, on machines without GPUs. */
export function planGkeSystemPool(site: GkeContext) {
  const { poolLabel, cluster } = site.cluster.spec;
  return {
    name: SYSTEM_POOL,
    args: {
      ...locationOfPool(site, SYSTEM_POOL),
      // A regional cluster has one in each of three zones.
      initialNodeCount: cluster.gke?.zone ? 2 : 1,
      autoscaling: { totalMinNodeCount: 2, totalMaxNodeCount: 6, locationPolicy: 'BALANCED' },
      management: { autoRepair: true, autoUpgrade: true },
      nodeConfig: {
        ...baseNode(site),
        machineType: 'e2-standard-4',
        diskSizeGb: 100,
        labels: { [poolLabel]: SYSTEM_POOL },
      },
    },
    options: { ...POOL_OPTIONS, ignoreChanges: ['initialNodeCount'] },
  };
}

function locationOfPool(site: GkeContext, name: string) {
  return { name, project: site.project, location: locationOf(site), cluster: site.cluster.metadata.name };
}

/** Bounds over all zones: those for each zone would make as many nodes as there are zones more than are counted on. */
function sizing(pool: NodePool, { flexStart }: GkeMachine) {
  const size = poolSizeOf(pool, 0);
  const zones = new Set(pool.zones).size;
  if (size.kind === 'Fixed') return { nodeCount: Math.ceil(size.nodes / zones) };
  return {
    // Those that are queued for come when pods do.
    initialNodeCount: flexStart ? 0 : initialInZone(size, zones),
    autoscaling: { totalMinNodeCount: size.min, totalMaxNodeCount: size.max, locationPolicy: 'ANY' },
  };
}

/** In each of some zones: as many as are declared, rounded down, unless that is fewer than the least. */
function initialInZone({ initial, min, max }: { initial: number; min: number; max: number }, zones: number) {
  const [wanted, least] = [Math.floor(initial / zones), Math.ceil(min / zones)];
  return least * zones > max ? wanted : Math.max(wanted, least);
}

function baseNode(site: GkeContext) {
  return {
    imageType: 'COS_CONTAINERD',
    resourceLabels: site.labels,
    serviceAccount: nodeAccountEmailOf(site),
    oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'],
    metadata: { 'disable-legacy-endpoints': 'true' },
    workloadMetadataConfig: { mode: 'GKE_METADATA' },
  };
}

function gpuNode(machine: GkeMachine, cluster: InferenceCluster) {
  const { type, count } = machine.accelerator;
  const { gpuDriverVersion } = DRIVERS[driverOf(machine, cluster)];
  return {
    machineType: machine.machineType,
    diskSizeGb: machine.diskSizeGb,
    guestAccelerators: [{ type, count, gpuDriverInstallationConfig: { gpuDriverVersion } }],
    gvnic: { enabled: true },
    ...(machine.spot && { spot: true }),
    ...(machine.flexStart && { flexStart: true, maxRunDuration: FLEX_START_RUN }),
    ...reservationOf(machine),
    ...(machine.localSsd && { ephemeralStorageLocalSsdConfig: { localSsdCount: machine.localSsd } }),
  };
}

function reservationOf({ flexStart, reservation }: GkeMachine) {
  if (flexStart) return { reservationAffinity: { consumeReservationType: 'NO_RESERVATION' } };
  if (!reservation) return {};
  return {
    reservationAffinity: {
      consumeReservationType: 'SPECIFIC_RESERVATION',
      key: 'compute.googleapis.com/reservation-name',
      values: [reservation],
    },
  };
}

function labelsFor(
  machine: GkeMachine,
  { spec }: InferenceClass,
  cluster: InferenceCluster,
): Record<string, string> {
  const claimed =
    cluster.spec.dra &&
    spec.devices.some(({ claim, driver }) => claim === 'DRA' && driver === 'gpu.nvidia.com');
  return {
    ...(claimed && DRA_LABELS),
    ...DRIVERS[driverOf(machine, cluster)].labels,
    ...(machine.fabric === 'DRANET' && FABRIC_LABELS),
  };
}

function gkeTaint({ key, value = '', effect }: Taint<keyof typeof TAINT_EFFECTS>) {
  return { key, value, effect: TAINT_EFFECTS[effect] };
}
