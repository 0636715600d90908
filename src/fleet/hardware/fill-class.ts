import type { Gpu, InstanceType } from '../../api/catalogue-file';
import { type ClassDevice, type DeclaredDevice, device as schema } from '../../api/device';
import type { DeclaredClass, InferenceClass, InferenceClassSpec } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import type { Diagnostic } from '../../base/diagnostic';
import { compareText } from '../../base/order';
import { NODE_DRIVER } from '../../catalog/drivers';
import { minAllocatableOf } from './allocatable';
import { definedFieldsOf, type Merged, mergeProvisioning, prefixPath } from './catalogue-overrides';
import type { ExpandedClass } from './expand-class';
import { type Catalogue, resolveInstanceTypes } from './hardware';

/** A class with the hardware of instance types, and what it says itself above that, field by field. */
export function fillClass(declared: DeclaredClass, from: string, catalogue: Catalogue): ExpandedClass {
  const types = resolveInstanceTypes(from, catalogue);
  const devices = mergeDevices(declared.spec.devices ?? [], devicesOf(types, catalogue));
  const provisioning = mergeProvisioning(declared.spec.provisioning, types, from);
  const allocatable = { ...minAllocatableOf(types), ...declared.spec.node.allocatable };
  const hardware = { devices: devices.value, provisioning: provisioning.value, node: { allocatable } };
  return {
    resource: withSpec(declared, hardware),
    findings: [...devices.findings, ...provisioning.findings],
  };
}

function withSpec(
  { spec, ...resource }: DeclaredClass,
  hardware: Required<Pick<InferenceClassSpec, 'devices' | 'provisioning' | 'node'>>,
): InferenceClass {
  return { ...resource, spec: { ...spec, ...hardware } };
}

/** The devices of a node that instance types have in common: their GPUs are the same, as the catalogue is checked. */
function devicesOf(types: readonly InstanceType[], { gpus }: Catalogue): ClassDevice[] {
  const [first] = types;
  const gpu = first && gpus.get(first.gpu);
  return [...(gpu ? [buildGpuDevice(gpu, first.gpus)] : []), buildNodeDevice(types)];
}

/** The devices that the catalogue knows with what a class says of them, by name; others of the class behind them. */
export function mergeDevices(
  own: readonly DeclaredDevice[],
  known: readonly ClassDevice[],
): Merged<ClassDevice[]> {
  const merged = new Map(known.map((one) => [one.name, one]));
  const findings: Diagnostic<Path>[] = [];
  for (const [index, written] of own.entries()) {
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

/** The name of the GPUs in a class that is made from the catalogue. */
export const GPU_DEVICE = 'gpu';

const NVIDIA = 'gpu.nvidia.com';

/** What the device plugin beside each driver counts GPUs as, for clusters without DRA. */
const EXTENDED_RESOURCES: Readonly<Record<string, string | undefined>> = {
  [NVIDIA]: 'nvidia.com/gpu',
  'gpu.amd.com': 'amd.com/gpu',
};

/** GPUs of a node as their driver publishes them. What depends on the node, as the driver's version, is not stated. */
export function buildGpuDevice(gpu: Gpu, count: number): ClassDevice {
  const driver = gpu.driver ?? NVIDIA;
  const extendedResource = EXTENDED_RESOURCES[driver];
  const { productName, brand, architecture, cudaComputeCapability } = gpu;
  return {
    name: GPU_DEVICE,
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
      ...(cudaComputeCapability !== undefined && {
        cudaComputeCapability: { version: cudaComputeCapability },
      }),
      ...gpu.attributes,
    },
    capacity: { memory: { value: gpu.memory } },
  };
}

/** The name of the synthetic device that stands for the node. */
export const NODE_DEVICE = 'node';

interface NodeFacts {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly amounts: Readonly<Record<string, Amount | undefined>>;
}

interface Amount {
  readonly value: number;
  readonly unit: string;
}

/**
 * The synthetic device by which selectors read the node: its interconnect, network, CPU. Of several instance types
 * it says what they have in common, and of amounts the least.
 */
export function buildNodeDevice(types: readonly InstanceType[]): ClassDevice {
  const facts = types.map(factsOf);
  const texts = namesOf(facts.map((one) => one.texts)).flatMap((name) => {
    const values = new Set(facts.map((one) => one.texts[name]));
    const [value] = values;
    return values.size === 1 && value !== undefined ? [[name, { string: value }] as const] : [];
  });
  const amounts = namesOf(facts.map((one) => one.amounts)).flatMap((name) => {
    const stated = facts.flatMap((one) => one.amounts[name] ?? []);
    const [least] = stated.sort((a, b) => a.value - b.value);
    const all = stated.length === facts.length;
    return least && all ? [[name, { value: `${least.value}${least.unit}` }] as const] : [];
  });
  return {
    name: NODE_DEVICE,
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
