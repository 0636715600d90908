import type { ClassDevice } from '../../api/device';
import { NODE_DRIVER } from '../../catalog/drivers';
import { NEURON_DRIVER, NEURON_RESOURCE } from '../../catalog/neuron';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { TPU_DRIVER, TPU_RESOURCE } from '../../catalog/tpus';
import type { Catalogue } from './hardware';

const NVIDIA = 'gpu.nvidia.com';

/** The extended resource of each driver's device plugin, for clusters without DRA. */
export const EXTENDED_RESOURCES: Readonly<Record<string, string | undefined>> = {
  [NVIDIA]: 'nvidia.com/gpu',
  'gpu.amd.com': 'amd.com/gpu',
  [TPU_DRIVER]: TPU_RESOURCE,
  [NEURON_DRIVER]: NEURON_RESOURCE,
};

const LISTED = new WeakMap<Catalogue, readonly ClassDevice[]>();

/** Lists the devices of a catalog as their drivers publish them: one of each GPU, and the nodes. */
export function listCatalogueDevices(catalogue: Catalogue): readonly ClassDevice[] {
  const devices = LISTED.get(catalogue) ?? buildCatalogueDevices(catalogue);
  LISTED.set(catalogue, devices);
  return devices;
}

function buildCatalogueDevices({ gpus, instanceTypes }: Catalogue): ClassDevice[] {
  const nodes = [...instanceTypes.values()].map((type) => buildNodeDevice([type]));
  return [...[...gpus.values()].map((gpu) => buildGpuDevice(gpu, 1)), ...nodes];
}

/**
 * The GPUs of a node as their DRA driver publishes them, without what differs by node, such as the driver version.
 *
 * @param types the instance types that the node can be of
 */
export function buildGpuDevice(gpu: Gpu, count: number, types: readonly InstanceType[] = []): ClassDevice {
  const driver = gpu.driver ?? NVIDIA;
  const extendedResource = EXTENDED_RESOURCES[driver];
  const { productName, brand, architecture, cudaComputeCapability } = gpu;
  return {
    name: 'gpu',
    claim: 'DRA',
    driver,
    deviceClassName: gpu.deviceClassName ?? driver,
    ...(extendedResource !== undefined && { extendedResource }),
    count,
    attributes: {
      ...(driver === NVIDIA && { type: { string: 'gpu' } }),
      ...(productName !== undefined && { productName: { string: productName } }),
      ...(brand !== undefined && { brand: { string: brand } }),
      ...(architecture !== undefined && { architecture: { string: architecture } }),
      ...(cudaComputeCapability !== undefined && { cudaComputeCapability: { version: cudaComputeCapability } }),
      ...gpu.attributes,
      ...sharedAttributesOf(types),
    },
    capacity: { ...(gpu.memory !== undefined && { memory: { value: gpu.memory } }), ...gpu.capacity },
  };
}

/** The attributes that GPUs publish in each of some machines, with the same value. */
function sharedAttributesOf([first, ...others]: readonly InstanceType[]): ClassDevice['attributes'] {
  const shared = Object.entries(first?.attributes ?? {}).filter(([name, value]) =>
    others.every(({ attributes }) => JSON.stringify(attributes?.[name]) === JSON.stringify(value)),
  );
  return Object.fromEntries(shared);
}

/** The attributes of a node, by name. */
const NODE_ATTRIBUTES: Readonly<Record<string, (type: InstanceType) => string | undefined>> = {
  cpuArchitecture: ({ cpuArchitecture = 'amd64' }) => cpuArchitecture,
  fabric: ({ fabric }) => fabric,
  instanceType: ({ name }) => name,
  interconnect: ({ interconnect }) => interconnect,
};

/** The capacities of a node, by name: the amount and its unit. */
const NODE_CAPACITIES: Readonly<Record<string, readonly [(type: InstanceType) => number | undefined, string]>> = {
  cpu: [({ cpu }) => cpu, ''],
  interconnectBandwidth: [({ interconnectGBs }) => interconnectGBs, 'G'],
  localDisk: [({ localDiskGiB }) => localDiskGiB, 'Gi'],
  memory: [({ memoryGiB }) => memoryGiB, 'Gi'],
  nicBandwidth: [({ nicGbps }) => nicGbps, 'G'],
  nics: [({ nics }) => nics, ''],
};

/**
 * The synthetic device that lets selectors match properties of the node: interconnect, network, CPU. For several
 * instance types it has the attributes that all of them share, and the least of each capacity.
 */
export function buildNodeDevice(types: readonly InstanceType[]): ClassDevice {
  const attributes = Object.entries(NODE_ATTRIBUTES).flatMap(([name, read]) => {
    const [value, ...others] = new Set(types.map(read));
    return value !== undefined && others.length === 0 ? [[name, { string: value }] as const] : [];
  });
  const capacity = Object.entries(NODE_CAPACITIES).flatMap(([name, [read, unit]]) => {
    const known = types.flatMap((type) => read(type) ?? []);
    return known.length === types.length ? [[name, { value: `${Math.min(...known)}${unit}` }] as const] : [];
  });
  return {
    name: 'node',
    claim: 'Synthetic',
    driver: NODE_DRIVER,
    count: 1,
    attributes: Object.fromEntries(attributes),
    capacity: Object.fromEntries(capacity),
  };
}
