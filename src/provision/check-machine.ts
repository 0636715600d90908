import { PROVIDER_BLOCK } from '../api/cloud-providers';
import type { InferenceClass } from '../api/inference-class';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { pluralize } from '../base/text';
import { DEVICE_CLASSES } from '../catalog/device-classes';
import { NEURON_DRIVER } from '../catalog/neuron';
import type { Gpu, InstanceType } from '../catalog/row-types';
import { TPU_DRIVER } from '../catalog/tpus';
import { parseQuantity } from '../cel/values/quantity';
import {
  acceleratorOf,
  CLOUDS,
  provisionedTypeNameOf,
  provisionedTypeOf,
} from '../fleet/hardware/cloud-instance-types';
import type { Catalogue } from '../fleet/hardware/hardware';
import { hasNeuronDevices } from '../fleet/hardware/neuron-devices';
import { AMI_BY_ARCHITECTURE, NEURON_AMI } from './eks/node-pool';
import type { ManagedCloud } from './managed-cloud';
import { NVIDIA_DRIVER } from './node-pools';

/** The tolerance between a declared memory size, such as 80Gi or 80G, and the size that drivers publish: 81559Mi. */
const MEMORY_TOLERANCE = 0.1;

type Spec = InferenceClass['spec'];
type Device = Spec['devices'][number];

interface MachineToCheck {
  readonly spec: Spec;
  readonly cloud: ManagedCloud;
  readonly machine: string;
  readonly type: InstanceType;
  readonly gpu: Gpu | undefined;
  readonly catalogue: Catalogue;
}

/** A check of a class against its machine type. Paths are relative to the spec. */
type MachineRule = (checked: MachineToCheck) => Iterable<Diagnostic<Path>>;

/** Returns the machine type of a class on a cloud, and its facts in the catalog. */
export function machineOf(
  { spec }: InferenceClass,
  cloud: ManagedCloud,
  catalogue: Catalogue,
): { machine?: string; type?: InstanceType } {
  const known = CLOUDS.find(({ provider }) => provider === cloud);
  const { provisioning } = spec;
  if (!known || !provisioning) return {};
  const machine = provisionedTypeOf(known, provisioning);
  const type = catalogue.instanceTypes.get(provisionedTypeNameOf(known, provisioning) ?? '');
  return { ...(machine !== undefined && { machine }), ...(type && { type }) };
}

const DEVICES = 'Correct the device or the instance type';

const checkGpuCount: MachineRule = function* ({ spec, machine, type }) {
  const gpus = spec.devices.filter(isWholeDevice).reduce((sum, { count }) => sum + count, 0);
  if (gpus <= type.gpus) return;
  const noun = spec.devices.some(isGpu) ? 'GPU' : 'device';
  const what = `the class declares ${pluralize(gpus, noun)} for each node, and '${machine}' has ${type.gpus}`;
  yield wrongInstanceType(['devices'], what, DEVICES);
};

/** The drivers of devices that engines compute on. */
const GPU_DRIVERS = new Set([
  ...DEVICE_CLASSES.map(({ driver }) => driver).filter((driver) => driver.startsWith('gpu.')),
  NEURON_DRIVER,
  TPU_DRIVER,
]);

const checkDriver: MachineRule = function* ({ spec, machine, gpu }) {
  const { driver: expected = NVIDIA_DRIVER } = gpu ?? {};
  for (const [index, { claim, driver }] of spec.devices.entries()) {
    if (claim !== 'DRA' || driver === expected || !GPU_DRIVERS.has(driver)) continue;
    const what = `the class has devices of the driver ${driver}, and '${machine}' has devices of ${expected}`;
    yield wrongInstanceType(['devices', index, 'driver'], what, DEVICES);
  }
};

/** The published attributes that identify a GPU model, with their names in messages. */
const OF_MODEL = { productName: 'the GPU', architecture: 'GPUs of the architecture' } as const;

/** Ignores values that no GPU of the catalog has, because other driver releases can publish other values. */
const checkGpuModel: MachineRule = function* ({ spec, machine, gpu, catalogue }) {
  for (const [fact, noun] of Object.entries(OF_MODEL) as [keyof typeof OF_MODEL, string][]) {
    const expected = gpu?.[fact];
    const known = new Set([...catalogue.gpus.values()].map((model) => model[fact]));
    for (const { path, value } of publishedFacts(spec, 'attributes', fact)) {
      const text = 'string' in value ? value.string : undefined;
      if (expected === undefined || text === expected || !known.has(text)) continue;
      yield wrongInstanceType(path, `the class has ${noun} '${text}', and '${machine}' has '${expected}'`, DEVICES);
      return;
    }
  }
};

const checkGpuMemory: MachineRule = function* ({ spec, machine, gpu }) {
  for (const { path, value: capacity } of publishedFacts(spec, 'capacity', 'memory')) {
    if (gpu?.memory === undefined || isNearlyEqual(capacity.value, gpu.memory)) continue;
    const what = `the class has GPUs of ${capacity.value}, and '${machine}' has GPUs of ${gpu.memory}`;
    yield wrongInstanceType(path, what, DEVICES);
  }
};

/** GKE rejects a GPU count or type that differs from the machine type. Other clouds have no GPU types. */
const checkAccelerator: MachineRule = function* ({ spec, cloud, machine, type }) {
  const block = PROVIDER_BLOCK[cloud];
  const declared = spec.provisioning?.[block]?.accelerator;
  if (!declared) return;
  const path = ['provisioning', block, 'accelerator'];
  const actual = acceleratorOf(type);
  const hint = 'Correct the accelerator or the instance type';
  if (declared.count !== actual.count) {
    const what = `the class requests ${pluralize(declared.count, 'GPU')} for each node, and '${machine}' has ${actual.count}`;
    yield wrongInstanceType([...path, 'count'], what, hint);
  }
  // Some GPUs are available as several products: nvidia-l4-vws.
  if (cloud === 'GKE' && declared.type !== actual.type && !declared.type.startsWith(`${actual.type}-`)) {
    const what = `the class requests '${declared.type}', and the GPUs of '${machine}' are '${actual.type}' on GKE`;
    yield wrongInstanceType([...path, 'type'], what, hint);
  }
};

const checkProcessor: MachineRule = function* ({ spec, cloud, machine, type }) {
  const image = cloud === 'EKS' ? spec.provisioning?.eks?.amiType : undefined;
  const { cpuArchitecture = 'amd64' } = type;
  const [required] = Object.entries(AMI_BY_ARCHITECTURE).find(([, amiType]) => amiType === image) ?? [];
  if (required === undefined || required === cpuArchitecture) return;
  const what = `the image ${image} is for ${required}, and '${machine}' has ${cpuArchitecture}`;
  const hint = 'Remove it: the default follows from the instance type';
  yield wrongInstanceType(['provisioning', 'eks', 'amiType'], what, hint);
};

/** Otherwise nodes have no driver for their devices, and publish none. */
const checkImage: MachineRule = function* ({ spec, cloud }) {
  const image = cloud === 'EKS' ? spec.provisioning?.eks?.amiType : undefined;
  const needsNeuron = hasNeuronDevices({ spec });
  if (image === undefined || (image === NEURON_AMI) === needsNeuron) return;
  const what = `the image ${image} has no driver for ${needsNeuron ? 'Neuron devices' : 'GPUs'}, which the class has`;
  const hint = 'Remove it: the default follows from the devices';
  yield wrongInstanceType(['provisioning', 'eks', 'amiType'], what, hint);
};

const RULES: readonly MachineRule[] = [
  checkGpuCount,
  checkDriver,
  checkGpuModel,
  checkGpuMemory,
  checkAccelerator,
  checkProcessor,
  checkImage,
];

/** Otherwise pods would be placed on devices that no node has. Machine types outside the catalog are not checked. */
export function* checkMachine(
  declared: InferenceClass,
  cloud: ManagedCloud,
  catalogue: Catalogue,
): Iterable<Diagnostic<Path>> {
  const { machine, type } = machineOf(declared, cloud, catalogue);
  if (machine === undefined || !type) return;
  const gpu = catalogue.gpus.get(type.gpu);
  const checked = { spec: declared.spec, cloud, machine, type, gpu, catalogue };
  for (const rule of RULES) {
    for (const finding of rule(checked)) yield relocate(finding, (path) => ['spec', ...path]);
  }
}

/** Yields a published fact of each whole NVIDIA GPU in a class. */
function* publishedFacts<K extends 'attributes' | 'capacity'>({ devices }: Spec, kind: K, name: string) {
  for (const [index, device] of devices.entries()) {
    const facts: Device[K] = device[kind];
    const key = keyOf(facts, name);
    const value = key === undefined ? undefined : (facts[key] as Device[K][string]);
    if (isGpu(device) && key !== undefined && value) yield { path: ['devices', index, kind, key], value };
  }
}

/** Returns the key of a fact, with or without the domain of the driver. */
function keyOf(facts: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return [name, `${NVIDIA_DRIVER}/${name}`].find((key) => Object.hasOwn(facts, key));
}

/** The drivers of which each machine of the catalog has as many devices as it says. */
const COUNTED_DRIVERS: ReadonlySet<string> = new Set([NVIDIA_DRIVER, NEURON_DRIVER, TPU_DRIVER]);

/** Whether a device is a whole GPU, TPU or Neuron device. */
function isWholeDevice(device: Device): boolean {
  return device.claim === 'DRA' && COUNTED_DRIVERS.has(device.driver) && !isGpuPartition(device);
}

/** Whether a device is a whole GPU. `isGpuPartition` detects partitions. */
function isGpu(device: Device): boolean {
  return device.claim === 'DRA' && device.driver === NVIDIA_DRIVER && !isGpuPartition(device);
}

const PARTITION_CLASSES = new Set(DEVICE_CLASSES.filter(({ type }) => type === 'mig').map(({ name }) => name));

/** Whether a device is a GPU partition, by its class or by the attributes that the NVIDIA DRA driver publishes. */
export function isGpuPartition({ driver, deviceClassName, attributes }: Device): boolean {
  if (driver !== NVIDIA_DRIVER) return false;
  const type = attributes[keyOf(attributes, 'type') ?? ''];
  const isMig = type !== undefined && 'string' in type && type.string === 'mig';
  return isMig || PARTITION_CLASSES.has(deviceClassName ?? '') || keyOf(attributes, 'profile') !== undefined;
}

function isNearlyEqual(declared: string, exact: string): boolean {
  const expected = parseQuantity(exact).asApproximateFloat();
  return Math.abs(parseQuantity(declared).asApproximateFloat() - expected) <= expected * MEMORY_TOLERANCE;
}

function wrongInstanceType(path: Path, what: string, hint: string): Diagnostic<Path> {
  return errorAt('wrong-instance-type', path, what, hint);
}
