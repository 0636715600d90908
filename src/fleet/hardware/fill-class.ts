import { type ClassDevice, type DeclaredDevice, device as schema } from '../../api/device';
import type { DeclaredClass, InferenceClass } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import type { Diagnostic } from '../../base/diagnostic';
import { NODE_DRIVER } from '../../catalog/drivers';
import type { Gpu, InstanceType } from '../../catalog/row-types';
import { minAllocatableOf } from './allocatable';
import { definedFieldsOf, type Merged, mergeProvisioning, prefixPath } from './catalogue-overrides';
import { type Catalogue, resolveInstanceTypes } from './hardware';

/** A class with its hardware filled in, and the findings about it. */
export interface ExpandedClass {
  readonly resource: InferenceClass;
  readonly findings: readonly Diagnostic<Path>[];
}

/** Fills a class with the hardware of its instance types. Fields that the class sets win, field by field. */
export function fillClass(declared: DeclaredClass, from: string, catalogue: Catalogue): ExpandedClass {
  const types = resolveInstanceTypes(from, catalogue);
  const devices = mergeDevices(declared.spec.devices ?? [], devicesOf(types, catalogue));
  const provisioning = mergeProvisioning(declared.spec.provisioning, types, from);
  const allocatable = { ...minAllocatableOf(types), ...declared.spec.node.allocatable };
  const hardware = { devices: devices.value, provisioning: provisioning.value, node: { allocatable } };
  return {
    resource: { ...declared, spec: { ...declared.spec, ...hardware } },
    findings: [...devices.findings, ...provisioning.findings],
  };
}

/** The devices of a node of some instance types. All have the same GPUs: `readCatalogue` checks that of macros. */
function devicesOf(types: readonly InstanceType[], { gpus }: Catalogue): ClassDevice[] {
  const [first] = types;
  const gpu = first && gpus.get(first.gpu);
  return [...(gpu ? [buildGpuDevice(gpu, first.gpus)] : []), buildNodeDevice(types)];
}

/** Merges the devices of a class into those of the catalogue by name. Devices that only the class has come last. */
function mergeDevices(declared: readonly DeclaredDevice[], known: readonly ClassDevice[]): Merged<ClassDevice[]> {
  const merged = new Map(known.map((one) => [one.name, one]));
  const findings: Diagnostic<Path>[] = [];
  for (const [index, written] of declared.entries()) {
    const checked = validateAgainst(schema, overrideDevice(written, merged.get(written.name)));
    if ('value' in checked) merged.set(written.name, checked.value);
    else findings.push(...checked.findings.map(prefixPath('spec', 'devices', index)));
  }
  return { value: [...merged.values()], findings };
}

function overrideDevice(written: DeclaredDevice, known: ClassDevice | undefined): object {
  return {
    ...known,
    ...definedFieldsOf(written),
    attributes: { ...known?.attributes, ...written.attributes },
    capacity: { ...known?.capacity, ...written.capacity },
  };
}

const NVIDIA = 'gpu.nvidia.com';

/** The extended resource of each driver's device plugin, for clusters without DRA. */
const EXTENDED_RESOURCES: Readonly<Record<string, string | undefined>> = {
  [NVIDIA]: 'nvidia.com/gpu',
  'gpu.amd.com': 'amd.com/gpu',
};

/** The GPUs of a node as their DRA driver publishes them, without what differs by node, such as the driver version. */
export function buildGpuDevice(gpu: Gpu, count: number): ClassDevice {
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
      productName: { string: productName },
      ...(brand !== undefined && { brand: { string: brand } }),
      ...(architecture !== undefined && { architecture: { string: architecture } }),
      ...(cudaComputeCapability !== undefined && { cudaComputeCapability: { version: cudaComputeCapability } }),
      ...gpu.attributes,
    },
    capacity: { memory: { value: gpu.memory } },
  };
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
function buildNodeDevice(types: readonly InstanceType[]): ClassDevice {
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
