import { gkePlan } from '../../../src/provision/gke/plan';
import { aFleet, type Row, valuesAt } from '../build';

const pool = 'pools/0/args';
const node = `${pool}/nodeConfig`;

const TPU_TAINT = { key: 'google.com/tpu', value: 'present', effect: 'NoSchedule' };

/** A pool of machines with four chips. */
const TPU = {
  machine: { machineType: 'ct6e-standard-4t', accelerator: { type: 'tpu-v6e-slice', count: 4 } },
  class: {
    devices: [
      {
        name: 'tpu',
        driver: 'tpu.google.com',
        deviceClassName: 'tpu.google.com',
        extendedResource: 'google.com/tpu',
        count: 4,
      },
    ],
  },
  pools: { l4: { taints: [TPU_TAINT, { key: 'team', effect: 'NoSchedule' }] } },
};

const rows: Record<string, Row> = {
  'a pool without maxNodeCount has a truly fixed size': {
    want: {
      [`${pool}/nodeCount`]: 2,
      [`${pool}/autoscaling`]: undefined,
      [`${pool}/initialNodeCount`]: undefined,
    },
  },
  'a fixed size is shared out over the zones, since GKE counts by zone': {
    pools: { l4: { nodeCount: 4, zones: ['us-central1-b', 'us-central1-a'] } },
    want: { [`${pool}/nodeCount`]: 2, [`${pool}/nodeLocations`]: ['us-central1-a', 'us-central1-b'] },
  },
  'bounds of the autoscaler are those of the whole pool, however many zones it has': {
    pools: { l4: { minNodeCount: 1, maxNodeCount: 8, zones: ['us-central1-a', 'us-central1-b'] } },
    want: {
      [`${pool}/autoscaling`]: { totalMinNodeCount: 1, totalMaxNodeCount: 8, locationPolicy: 'ANY' },
      [`${pool}/nodeCount`]: undefined,
      [`${pool}/initialNodeCount`]: 1,
      'pools/0/options/ignoreChanges': ['initialNodeCount'],
    },
  },
  'an autoscaled pool begins with no more nodes than are declared': {
    pools: { l4: { nodeCount: 3, maxNodeCount: 8, zones: ['us-central1-a', 'us-central1-b'] } },
    want: { [`${pool}/initialNodeCount`]: 1, [`${pool}/autoscaling/totalMinNodeCount`]: 0 },
  },
  'nor with fewer than its least, where the zones leave room for as many in each': {
    pools: {
      l4: { nodeCount: 3, minNodeCount: 3, maxNodeCount: 4, zones: ['us-central1-a', 'us-central1-b'] },
    },
    want: { [`${pool}/initialNodeCount`]: 2 },
  },
  'and never with more than its most': {
    pools: {
      l4: { nodeCount: 3, minNodeCount: 3, maxNodeCount: 3, zones: ['us-central1-a', 'us-central1-b'] },
    },
    want: { [`${pool}/initialNodeCount`]: 1 },
  },
  'a driver that others install is not installed by GKE, whose device plugin stays away': {
    want: {
      [`${node}/guestAccelerators`]: [
        {
          type: 'nvidia-l4',
          count: 1,
          gpuDriverInstallationConfig: { gpuDriverVersion: 'INSTALLATION_DISABLED' },
        },
      ],
      [`${node}/labels`]: {
        'cloud.google.com/gke-nvidia-gpu-dra-driver': 'true',
        'fleetwright.dev/pool': 'l4',
        'gke-no-default-nvidia-gpu-device-plugin': 'true',
        'nvidia.com/gpu.present': 'true',
      },
      'manifests/0/metadata/name': 'nvidia-driver-installer',
    },
  },
  'a driver that GKE installs needs its device plugin': {
    machine: { driver: 'GKEManaged' },
    want: {
      [`${node}/guestAccelerators/0/gpuDriverInstallationConfig`]: { gpuDriverVersion: 'DEFAULT' },
      [`${node}/labels/gke-no-default-nvidia-gpu-device-plugin`]: undefined,
      manifests: [],
    },
  },
  'nodes without devices for claims lack the labels of the driver': {
    class: { devices: [{ name: 'host', claim: 'Synthetic', driver: 'node.example' }] },
    want: {
      [`${node}/labels`]: { 'fleetwright.dev/pool': 'l4', 'gke-no-default-nvidia-gpu-device-plugin': 'true' },
    },
  },
  'the label that names the pool is the one that placement selects by': {
    cluster: { poolLabel: 'example.com/pool' },
    want: { [`${node}/labels`]: expect.objectContaining({ 'example.com/pool': 'l4' }) },
  },
  'labels and taints of a pool are those of its nodes': {
    pools: { l4: { labels: { rack: 'a' }, taints: [{ key: 'team', effect: 'NoExecute' }] } },
    want: {
      [`${node}/labels`]: expect.objectContaining({ rack: 'a' }),
      [`${node}/taints`]: [{ key: 'team', value: '', effect: 'NO_EXECUTE' }],
    },
  },
  'a node has an image that the installer of the driver knows, and an account that its pods do not get at': {
    want: {
      [`${node}/imageType`]: 'COS_CONTAINERD',
      [`${node}/oauthScopes`]: ['https://www.googleapis.com/auth/cloud-platform'],
      [`${node}/metadata`]: { 'disable-legacy-endpoints': 'true' },
      [`${node}/workloadMetadataConfig`]: { mode: 'GKE_METADATA' },
    },
  },
  'type, disk and place of a node are those of its class and pool': {
    machine: { diskSizeGb: 300 },
    want: {
      [`${node}/machineType`]: 'g2-standard-8',
      [`${node}/diskSizeGb`]: 300,
      [`${pool}/cluster`]: 'us',
      [`${pool}/project`]: 'chat',
      [`${pool}/nodeLocations`]: ['us-central1-a'],
    },
  },
  'the pool for the cluster itself has machines without GPUs, spread over its zones': {
    want: {
      'systemPool/args/nodeConfig/machineType': 'e2-standard-4',
      'systemPool/args/nodeConfig/diskSizeGb': 100,
      'systemPool/args/nodeConfig/imageType': 'COS_CONTAINERD',
      'systemPool/args/nodeConfig/guestAccelerators': undefined,
      'systemPool/args/nodeConfig/labels': { 'fleetwright.dev/pool': 'system' },
      'systemPool/args/management': { autoRepair: true, autoUpgrade: true },
      'systemPool/args/autoscaling': {
        totalMinNodeCount: 2,
        totalMaxNodeCount: 6,
        locationPolicy: 'BALANCED',
      },
      'systemPool/options/ignoreChanges': ['initialNodeCount'],
    },
  },
  'nodes on spot are on spot': { machine: { spot: true }, want: { [`${node}/spot`]: true } },
  'nodes with flexible start come from no reservation and are not repaired': {
    machine: { flexStart: true },
    want: {
      [`${node}/flexStart`]: true,
      [`${node}/maxRunDuration`]: '604800s',
      [`${node}/reservationAffinity`]: { consumeReservationType: 'NO_RESERVATION' },
      [`${pool}/management/autoRepair`]: false,
    },
  },
  'nodes with flexible start come when pods do': {
    machine: { flexStart: true },
    pools: { l4: { nodeCount: 3, maxNodeCount: 4 } },
    want: { [`${pool}/initialNodeCount`]: 0 },
  },
  'nodes with Arm take what runs on any processor, such as the drivers of their GPUs': {
    machine: { machineType: 'a4x-highgpu-4g' },
    want: { [`${node}/taintConfig`]: { architectureTaintBehavior: 'NONE' } },
  },
  'nodes of others have no such taint': { want: { [`${node}/taintConfig`]: undefined } },
  'a reservation is used by name': {
    machine: { reservation: 'block-7' },
    want: {
      [`${node}/reservationAffinity`]: {
        consumeReservationType: 'SPECIFIC_RESERVATION',
        key: 'compute.googleapis.com/reservation-name',
        values: ['block-7'],
      },
    },
  },
  'nodes on demand ask for no reservation and are repaired': {
    want: { [`${node}/reservationAffinity`]: undefined, [`${pool}/management/autoRepair`]: true },
  },
  'compact placement, a fabric and local disks are asked for where the class says so': {
    machine: { compactPlacement: true, fabric: 'DRANET', localSsd: 16 },
    want: {
      [`${pool}/placementPolicy`]: { type: 'COMPACT' },
      [`${pool}/networkConfig`]: { acceleratorNetworkProfile: 'auto' },
      [`${node}/labels`]: expect.objectContaining({ 'cloud.google.com/gke-networking-dra-driver': 'true' }),
      [`${node}/ephemeralStorageLocalSsdConfig`]: { localSsdCount: 16 },
    },
  },
  'nodes with TPUs have no GPUs, and neither the driver of NVIDIA nor the device plugin of GKE': {
    ...TPU,
    want: {
      [`${node}/machineType`]: 'ct6e-standard-4t',
      [`${node}/guestAccelerators`]: undefined,
      [`${node}/gvnic`]: undefined,
      [`${node}/labels`]: { 'cloud.google.com/gke-tpu-dra-driver': 'true', 'fleetwright.dev/pool': 'l4' },
      [`${pool}/placementPolicy`]: undefined,
      manifests: [],
    },
  },
  'without claims, the device plugin of GKE counts TPUs': {
    ...TPU,
    cluster: { dra: false },
    want: { [`${node}/labels`]: { 'fleetwright.dev/pool': 'l4' } },
  },
  'the taint that GKE sets on nodes with TPUs is not set twice': {
    ...TPU,
    want: { [`${node}/taints`]: [{ key: 'team', value: '', effect: 'NO_SCHEDULE' }] },
  },
  'the nodes of a TPU slice are placed by its topology': {
    ...TPU,
    pools: { l4: { taints: [TPU_TAINT], tpuTopology: '2x4', nodeCount: 2 } },
    want: { [`${pool}/placementPolicy`]: { type: 'COMPACT', tpuTopology: '2x4' }, [`${pool}/nodeCount`]: 2 },
  },
  'a slice of one node needs no placement': {
    ...TPU,
    pools: { l4: { taints: [TPU_TAINT], tpuTopology: '2x2', nodeCount: 2 } },
    want: { [`${pool}/placementPolicy`]: undefined },
  },
  'none of them is where it does not': {
    machine: { fabric: 'None' },
    want: {
      [`${pool}/placementPolicy`]: undefined,
      [`${pool}/networkConfig`]: undefined,
      [`${node}/ephemeralStorageLocalSsdConfig`]: undefined,
      [`${node}/spot`]: undefined,
      [`${node}/gvnic`]: { enabled: true },
    },
  },
  'a stockout is an error in bounded time, and an upgrade needs no spare quota': {
    want: {
      'pools/0/options/customTimeouts': { create: '30m' },
      'pools/0/options/deleteBeforeReplace': true,
      [`${pool}/upgradeSettings`]: { maxSurge: 0, maxUnavailable: 1 },
    },
  },
};

test.each(Object.entries(rows))('%s', (_name, { want, ...declared }) => {
  const { cluster, fleet } = aFleet('GKE', declared);
  expect(valuesAt(gkePlan(cluster, fleet, 'chat'), want)).toEqual(want);
});
