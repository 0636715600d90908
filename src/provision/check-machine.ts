import type { Gpu, InstanceType } from '../api/catalogue-file';
import type { InferenceClass } from '../api/inference-class';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { formatCount } from '../base/text';
import { DEVICE_CLASSES } from '../catalog/device-classes';
import { parseQuantity } from '../cel/values/quantity';
import {
  acceleratorOf,
  CLOUDS,
  provisionedTypeNameOf,
  provisionedTypeOf,
} from '../fleet/hardware/cloud-instance-types';
import type { Catalogue } from '../fleet/hardware/hardware';
import { AMI_BY_ARCHITECTURE } from './eks/node-pool';
import type { ManagedCloud } from './managed-cloud';

const NVIDIA = 'gpu.nvidia.com';

/** How far what people write, as 80Gi or 80G, may be from the memory that drivers publish: 81559Mi. */
const MEMORY_TOLERANCE = 0.1;

type Spec = InferenceClass['spec'];
type Device = Spec['devices'][number];

/** A class, and the machine of which a cloud makes its nodes. */
interface MachineToCheck {
  readonly spec: Spec;
  readonly cloud: ManagedCloud;
  readonly machine: string;
  readonly type: InstanceType;
  readonly gpu: Gpu | undefined;
  readonly catalogue: Catalogue;
}

/** A rule about a class and its machine. Paths start at the spec. */
type MachineRule = (checked: MachineToCheck) => Iterable<Diagnostic<Path>>;

/** What a cloud calls the nodes of a class, and what the catalogue knows of that. */
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
  const gpus = spec.devices.filter(isGpu).reduce((sum, { count }) => sum + count, 0);
  if (gpus <= type.gpus) return;
  const what = `the class has ${formatCount(gpus, 'GPU')} of a node, and '${machine}' has ${type.gpus}`;
  yield wrongInstanceType(['devices'], what, DEVICES);
};

/** The drivers of GPUs that have DeviceClasses of their own. */
const GPU_DRIVERS = new Set(
  DEVICE_CLASSES.map(({ driver }) => driver).filter((driver) => driver.startsWith('gpu.')),
);

const checkDriver: MachineRule = function* ({ spec, machine, gpu }) {
  const { driver: right = NVIDIA } = gpu ?? {};
  for (const [index, { claim, driver }] of spec.devices.entries()) {
    if (claim !== 'DRA' || driver === right || !GPU_DRIVERS.has(driver)) continue;
    const what = `the class has GPUs of the driver ${driver}, and '${machine}' has those of ${right}`;
    yield wrongInstanceType(['devices', index, 'driver'], what, DEVICES);
  }
};

/** What drivers publish of a GPU by which one model is told from another, for messages. */
const OF_MODEL = { productName: 'the GPU', architecture: 'GPUs of the architecture' } as const;

/** Names that no GPU of the catalogue has say nothing: drivers of other releases may publish others. */
const checkGpuModel: MachineRule = function* ({ spec, machine, gpu, catalogue }) {
  for (const [fact, noun] of Object.entries(OF_MODEL) as [keyof typeof OF_MODEL, string][]) {
    const right = gpu?.[fact];
    const known = new Set([...catalogue.gpus.values()].map((one) => one[fact]));
    for (const { path, value } of publishedFacts(spec, 'attributes', fact)) {
      const text = 'string' in value ? value.string : undefined;
      if (right === undefined || text === right || !known.has(text)) continue;
      yield wrongInstanceType(
        path,
        `the class has ${noun} '${text}', and '${machine}' has '${right}'`,
        DEVICES,
      );
      return;
    }
  }
};

const checkGpuMemory: MachineRule = function* ({ spec, machine, gpu }) {
  for (const { path, value: capacity } of publishedFacts(spec, 'capacity', 'memory')) {
    if (!gpu || isNearlyEqual(capacity.value, gpu.memory)) continue;
    const what = `the class has GPUs of ${capacity.value}, and '${machine}' has GPUs of ${gpu.memory}`;
    yield wrongInstanceType(path, what, DEVICES);
  }
};

/** GKE refuses GPUs of another number or name than a machine has. AWS has no names for them, so that any may stand there. */
const checkAccelerator: MachineRule = function* ({ spec, cloud, machine, type }) {
  const block = cloud === 'GKE' ? 'gke' : 'eks';
  const asked = spec.provisioning?.[block]?.accelerator;
  if (!asked) return;
  const path = ['provisioning', block, 'accelerator'];
  const has = acceleratorOf(type);
  const hint = 'Correct the accelerator or the instance type';
  if (asked.count !== has.count) {
    const what = `the class asks for ${formatCount(asked.count, 'GPU')} of a node, and '${machine}' has ${has.count}`;
    yield wrongInstanceType([...path, 'count'], what, hint);
  }
  // Some can be had as more than one product: nvidia-l4-vws.
  if (cloud === 'GKE' && asked.type !== has.type && !asked.type.startsWith(`${has.type}-`)) {
    const what = `the class asks for '${asked.type}', and GKE calls the GPUs of '${machine}' '${has.type}'`;
    yield wrongInstanceType([...path, 'type'], what, hint);
  }
};

const checkProcessor: MachineRule = function* ({ spec, cloud, machine, type }) {
  const image = cloud === 'EKS' ? spec.provisioning?.eks?.amiType : undefined;
  const { cpuArchitecture: has = 'amd64' } = type;
  const [meant] = Object.entries(AMI_BY_ARCHITECTURE).find(([, one]) => one === image) ?? [];
  if (meant === undefined || meant === has) return;
  const what = `the image ${image} is for ${meant}, and '${machine}' has ${has}`;
  yield wrongInstanceType(
    ['provisioning', 'eks', 'amiType'],
    what,
    'Remove it: its default follows from the instance type',
  );
};

const RULES: readonly MachineRule[] = [
  checkGpuCount,
  checkDriver,
  checkGpuModel,
  checkGpuMemory,
  checkAccelerator,
  checkProcessor,
];

/**
 * What a class says of the nodes that a cloud makes for it and that contradicts their machine: pods would be placed
 * on devices that no node has. Nothing of machines that the catalogue does not know.
 */
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

/** What whole GPUs of NVIDIA publish under a name. */
function* publishedFacts<K extends 'attributes' | 'capacity'>({ devices }: Spec, kind: K, name: string) {
  for (const [index, device] of devices.entries()) {
    const facts: Device[K] = device[kind];
    const key = keyOf(facts, name);
    const value = key === undefined ? undefined : (facts[key] as Device[K][string]);
    if (isGpu(device) && key !== undefined && value) yield { path: ['devices', index, kind, key], value };
  }
}

/** The name under which a fact stands, with or without the domain of the driver. */
function keyOf(facts: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return [name, `${NVIDIA}/${name}`].find((one) => Object.hasOwn(facts, one));
}

/** Whether a device is a whole GPU. Partitions are told elsewhere. */
function isGpu(device: Device): boolean {
  return device.claim === 'DRA' && device.driver === NVIDIA && !isGpuPartition(device);
}

/** The DeviceClasses of partitions. */
const PARTITION_CLASSES = new Set(
  DEVICE_CLASSES.filter(({ type }) => type === 'mig').map(({ name }) => name),
);

/** Whether a device is a partition of a GPU, by its class or by what the driver publishes for one (NVIDIA DRA driver). */
export function isGpuPartition({ driver, deviceClassName, attributes }: Device): boolean {
  if (driver !== NVIDIA) return false;
  const type = attributes[keyOf(attributes, 'type') ?? ''];
  const isMig = type !== undefined && 'string' in type && type.string === 'mig';
  return isMig || PARTITION_CLASSES.has(deviceClassName ?? '') || keyOf(attributes, 'profile') !== undefined;
}

function isNearlyEqual(written: string, exact: string): boolean {
  const right = parseQuantity(exact).asApproximateFloat();
  return Math.abs(parseQuantity(written).asApproximateFloat() - right) <= right * MEMORY_TOLERANCE;
}

function wrongInstanceType(path: Path, what: string, hint: string): Diagnostic<Path> {
  return errorAt('wrong-instance-type', path, what, hint);
}
