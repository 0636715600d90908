import { type ClassDevice, type DeclaredDevice, device as schema } from '../../api/device';
import type { DeclaredClass, InferenceClass } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import type { Diagnostic } from '../../base/diagnostic';
import { compareText } from '../../base/order';
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
function buildGpuDevice(gpu: Gpu, count: number): ClassDevice {
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

interface NodeFacts {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly amounts: Readonly<Record<string, Amount | undefined>>;
}

interface Amount {
  readonly value: number;
  readonly unit: string;
}

/**
 * The synthetic device that lets selectors match properties of the node: interconnect, network, CPU. For several
 * instance types it has the attributes that all of them share, and the least of each capacity.
 */
function buildNodeDevice(types: readonly InstanceType[]): ClassDevice {
  const facts = types.map(factsOf);
  const texts = namesOf(facts.map((one) => one.texts)).flatMap((name) => {
    const values = new Set(facts.map((one) => one.texts[name]));
    const [value] = values;
    return values.size === 1 && value !== undefined ? [[name, { string: value }] as const] : [];
  });
  const amounts = namesOf(facts.map((one) => one.amounts)).flatMap((name) => {
    const known = facts.flatMap((one) => one.amounts[name] ?? []);
    const [least] = known.sort((a, b) => a.value - b.value);
    return least && known.length === facts.length ? [[name, { value: `${least.value}${least.unit}` }] as const] : [];
  });
  return {
    name: 'node',
    claim: 'Synthetic',
    driver: NODE_DRIVER,
    count: 1,
    attributes: Object.fromEntries(texts),
    capacity: Object.fromEntries(amounts),
  };
}

function factsOf(type: InstanceType): NodeFacts {
  return {
    texts: {
      instanceType: type.name,
      interconnect: type.interconnect,
      fabric: type.fabric,
      cpuArchitecture: type.cpuArchitecture ?? 'amd64',
    },
    amounts: {
      cpu: amount(type.cpu, ''),
      memory: amount(type.memoryGiB, 'Gi'),
      nicBandwidth: amount(type.nicGbps, 'G'),
      nics: amount(type.nics, ''),
      interconnectBandwidth: amount(type.interconnectGBs, 'G'),
      localDisk: amount(type.localDiskGiB, 'Gi'),
    },
  };
}

function amount(value: number | undefined, unit: string): Amount | undefined {
  return value === undefined ? undefined : { value, unit };
}

function namesOf(maps: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(maps.flatMap(Object.keys))].sort(compareText);
}
