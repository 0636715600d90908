import type { Gpu, InstanceType } from '../api/catalogue-file';
import type { InferenceClass } from '../api/inference-class';
import type { Finding, Path } from '../api/resource';
import { counted } from '../api/wording';
import { parseQuantity } from '../cel/quantity';
import { DEVICE_CLASSES } from '../catalog/device-classes';
import type { Catalogue } from '../hardware/catalogue';
import { acceleratorOf, CLOUDS, typeIn, typeNameIn } from '../hardware/clouds';
import { AMI_FOR } from './ami';
import type { MadeOn } from './made-on';

const NVIDIA = 'gpu.nvidia.com';

/** How far what people write, as 80Gi or 80G, may be from the memory that drivers publish: 81559Mi. */
const NEARLY = 0.1;

type Spec = InferenceClass['spec'];
type Device = Spec['devices'][number];

/** A class, and the machine of which a cloud makes its nodes. */
interface OnMachine {
  readonly spec: Spec;
  readonly cloud: MadeOn;
  readonly machine: string;
  readonly type: InstanceType;
  readonly gpu: Gpu | undefined;
  readonly catalogue: Catalogue;
}

/** A rule about a class and its machine. Paths start at the spec. */
type MachineRule = (checked: OnMachine) => Iterable<Finding>;

/** What a cloud calls the nodes of a class, and what the catalogue knows of that. */
export function machineOf(
  { spec }: InferenceClass,
  cloud: MadeOn,
  catalogue: Catalogue,
): { machine?: string; type?: InstanceType } {
  const known = CLOUDS.find(({ provider }) => provider === cloud);
  const { provisioning } = spec;
  if (!known || !provisioning) return {};
  const machine = typeIn(known, provisioning);
  const type = catalogue.instanceTypes.get(typeNameIn(known, provisioning) ?? '');
  return { ...(machine !== undefined && { machine }), ...(type && { type }) };
}

const DEVICES = 'Correct the device or the instance type';

const enoughGpus: MachineRule = function* ({ spec, machine, type }) {
  const gpus = spec.devices.filter(isGpu).reduce((sum, { count }) => sum + count, 0);
  if (gpus <= type.gpus) return;
  const what = `the class has ${counted(gpus, 'GPU')} of a node, and '${machine}' has ${type.gpus}`;
  yield wrong(['devices'], what, DEVICES);
};

/** The drivers of GPUs that have DeviceClasses of their own. */
const GPU_DRIVERS = new Set(
  DEVICE_CLASSES.map(({ driver }) => driver).filter((driver) => driver.startsWith('gpu.')),
);

const sameDriver: MachineRule = function* ({ spec, machine, gpu }) {
  const { driver: right = NVIDIA } = gpu ?? {};
  for (const [index, { claim, driver }] of spec.devices.entries()) {
    if (claim !== 'DRA' || driver === right || !GPU_DRIVERS.has(driver)) continue;
    const what = `the class has GPUs of the driver ${driver}, and '${machine}' has those of ${right}`;
    yield wrong(['devices', index, 'driver'], what, DEVICES);
  }
};

/** What drivers publish of a GPU by which one model is told from another, for messages. */
const OF_MODEL = { productName: 'the GPU', architecture: 'GPUs of the architecture' } as const;

/** Names that no GPU of the catalogue has say nothing: drivers of other releases may publish others. */
const sameModel: MachineRule = function* ({ spec, machine, gpu, catalogue }) {
  for (const [fact, noun] of Object.entries(OF_MODEL) as [keyof typeof OF_MODEL, string][]) {
    const right = gpu?.[fact];
    const known = new Set([...catalogue.gpus.values()].map((one) => one[fact]));
    for (const { path, value } of published(spec, 'attributes', fact)) {
      const text = 'string' in value ? value.string : undefined;
      if (right === undefined || text === right || !known.has(text)) continue;
      yield wrong(path, `the class has ${noun} '${text}', and '${machine}' has '${right}'`, DEVICES);
      return;
    }
  }
};

const sameMemory: MachineRule = function* ({ spec, machine, gpu }) {
  for (const { path, value: capacity } of published(spec, 'capacity', 'memory')) {
    if (!gpu || isNear(capacity.value, gpu.memory)) continue;
    const what = `the class has GPUs of ${capacity.value}, and '${machine}' has GPUs of ${gpu.memory}`;
    yield wrong(path, what, DEVICES);
  }
};

/** GKE refuses GPUs of another number or name than a machine has. AWS has no names for them, so that any may stand there. */
const sameAccelerator: MachineRule = function* ({ spec, cloud, machine, type }) {
  const block = cloud === 'GKE' ? 'gke' : 'eks';
  const asked = spec.provisioning?.[block]?.accelerator;
  if (!asked) return;
  const path = ['provisioning', block, 'accelerator'];
  const has = acceleratorOf(type);
  const hint = 'Correct the accelerator or the instance type';
  if (asked.count !== has.count) {
    const what = `the class asks for ${counted(asked.count, 'GPU')} of a node, and '${machine}' has ${has.count}`;
    yield wrong([...path, 'count'], what, hint);
  }
  // Some can be had as more than one product: nvidia-l4-vws.
  if (cloud === 'GKE' && asked.type !== has.type && !asked.type.startsWith(`${has.type}-`)) {
    const what = `the class asks for '${asked.type}', and GKE calls the GPUs of '${machine}' '${has.type}'`;
    yield wrong([...path, 'type'], what, hint);
  }
};

const sameProcessor: MachineRule = function* ({ spec, cloud, machine, type }) {
  const image = cloud === 'EKS' ? spec.provisioning?.eks?.amiType : undefined;
  const { cpuArchitecture: has = 'amd64' } = type;
  const [meant] = Object.entries(AMI_FOR).find(([, one]) => one === image) ?? [];
  if (meant === undefined || meant === has) return;
  const what = `the image ${image} is for ${meant}, and '${machine}' has ${has}`;
  yield wrong(
    ['provisioning', 'eks', 'amiType'],
    what,
    'Remove it: its default follows from the instance type',
  );
};

const RULES: readonly MachineRule[] = [
  enoughGpus,
  sameDriver,
  sameModel,
  sameMemory,
  sameAccelerator,
  sameProcessor,
];

/**
 * What a class says of the nodes that a cloud makes for it and that contradicts their machine: pods would be placed
 * on devices that no node has. Nothing of machines that the catalogue does not know.
 */
export function* checkMachine(
  declared: InferenceClass,
  cloud: MadeOn,
  catalogue: Catalogue,
): Iterable<Finding> {
  const { machine, type } = machineOf(declared, cloud, catalogue);
  if (machine === undefined || !type) return;
  const gpu = catalogue.gpus.get(type.gpu);
  const checked = { spec: declared.spec, cloud, machine, type, gpu, catalogue };
  for (const rule of RULES) {
    for (const finding of rule(checked)) yield { ...finding, path: ['spec', ...finding.path] };
  }
}

/** What whole GPUs of NVIDIA publish under a name. */
function* published<K extends 'attributes' | 'capacity'>({ devices }: Spec, kind: K, name: string) {
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
  return device.claim === 'DRA' && device.driver === NVIDIA && !isPart(device);
}

/** The DeviceClasses of partitions. */
const PARTS = new Set(DEVICE_CLASSES.filter(({ type }) => type === 'mig').map(({ name }) => name));

/** Whether a device is a partition of a GPU, by its class or by what the driver publishes for one (NVIDIA DRA driver). */
export function isPart({ driver, deviceClassName, attributes }: Device): boolean {
  if (driver !== NVIDIA) return false;
  const type = attributes[keyOf(attributes, 'type') ?? ''];
  const isMig = type !== undefined && 'string' in type && type.string === 'mig';
  return isMig || PARTS.has(deviceClassName ?? '') || keyOf(attributes, 'profile') !== undefined;
}

function isNear(written: string, exact: string): boolean {
  const right = parseQuantity(exact).asApproximateFloat();
  return Math.abs(parseQuantity(written).asApproximateFloat() - right) <= right * NEARLY;
}

function wrong(path: Path, what: string, hint: string): Finding {
  return { code: 'wrong-instance-type', path, what, hint };
}
