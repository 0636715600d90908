import type { Engine } from '../../api/engine';
import type { Finding, Path } from '../../api/resource';
import { counted } from '../../api/wording';
import { ARCHITECTURES } from '../../catalog/architectures';
import { NUMBER_FORMATS, type NumberFormat } from '../../catalog/number-formats';
import type { Setting } from '../../catalog/engines/profile';
import { given, type Reading } from '../arguments';
import { ranksOf } from '../parallelism';

/** Devices that compute, of which each pod of a member claims some. */
export interface PodDevices {
  readonly count: number;
  readonly pods: number;

  /** What any of them may be, with attributes as text by name with domain. */
  readonly kinds: readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[];
}

/** An engine on the nodes of a pool. */
export interface DeviceSubject {
  readonly engine: Engine;

  /** What the member that answers requests is told. */
  readonly reading: Reading;

  /** For each member, or nothing where the cluster may choose how many. */
  readonly pods: readonly (PodDevices | undefined)[];
}

/** What devices do not suit: paths start at the engine. */
export function* checkDevices(subject: DeviceSubject): Iterable<Finding> {
  yield* addsUp(subject);
  yield* canCompute(subject);
}

/** Tensor x pipeline x data ranks are the devices that the pods of a copy claim. */
function* addsUp(subject: DeviceSubject): Iterable<Finding> {
  const { engine, reading, pods } = subject;
  const ranks = ranksOf(reading);
  const known = pods.filter((pod) => pod !== undefined);
  if (!ranks || known.length < pods.length) return;
  const claimed = known.reduce((sum, { count, pods }) => sum + count * pods, 0);
  if (claimed === 0) return;
  const { tensor, pipeline, data, dataLocal, devices } = ranks;
  const { parallelism, title } = reading.profile;
  const path = placeOf(subject, parallelism.tensor);
  const [flag] = parallelism.tensor?.flags ?? [];
  const own = pods[engine.members.findIndex(({ role }) => role !== 'Worker')]?.count ?? 0;
  if (devices > claimed) {
    yield {
      code: 'parallelism',
      path,
      what: `${title} makes ${counted(devices, 'rank')} (tensor ${tensor} x pipeline ${pipeline} x data ${data}), and its pods claim ${counted(claimed, 'device')}`,
      hint: `Claim ${counted(devices, 'device')}, or make fewer ranks`,
    };
  } else if (devices < claimed) {
    yield {
      code: 'parallelism',
      path,
      what: `${title} makes ${counted(devices, 'rank')} (tensor ${tensor} x pipeline ${pipeline} x data ${data}), and ${claimed - devices} of the ${counted(claimed, 'device')} that its pods claim stay idle`,
      hint: `Set ${flag} and its like so that they multiply to ${claimed}, or claim fewer devices`,
    };
  } else if (dataLocal !== undefined && own > 0 && dataLocal * tensor > own) {
    yield {
      code: 'parallelism',
      path: placeOf(subject, parallelism.dataLocal),
      what: `${counted(dataLocal, 'data rank')} of ${counted(tensor, 'device')} need ${counted(dataLocal * tensor, 'device')} of a node, and a pod claims ${own}`,
      hint: `Put at most ${counted(Math.floor(own / tensor), 'data rank')} on a node`,
    };
  }
}

/** A number format that not every NVIDIA GPU computes in, and how engines are told to use it. */
interface Told {
  readonly format: NumberFormat;
  readonly setting: 'dtype' | 'quantization';
  readonly values: RegExp;
}

const TOLD: readonly Told[] = [
  { format: 'BF16', setting: 'dtype', values: /^(bfloat16|bf16)$/ },
  { format: 'FP8', setting: 'quantization', values: /fp8/ },
];

const CAPABILITY = 'gpu.nvidia.com/cudaComputeCapability';
const ARCHITECTURE = 'gpu.nvidia.com/architecture';

/** Every device that a pod may get computes with the numbers that its engine is told to use. */
function* canCompute(subject: DeviceSubject): Iterable<Finding> {
  const { reading, pods } = subject;
  for (const { format, setting, values } of TOLD) {
    const wanted = reading.profile.precision[setting];
    const value = given(reading, wanted)?.value;
    const since = NUMBER_FORMATS.find(({ name }) => name === format)?.since;
    if (value === undefined || since === undefined || !values.test(value)) continue;
    const unable = pods
      .flatMap((pod) => pod?.kinds ?? [])
      .map((kind) => ({ kind, has: capabilityOf(kind.attributes) }))
      .find(({ has }) => has !== undefined && below(has, since));
    if (!unable) continue;
    yield {
      code: 'unable-device',
      path: placeOf(subject, wanted),
      what: `${value} needs compute capability ${since}, and device '${unable.kind.name}', which the pods may get, has ${unable.has}`,
      hint: `Choose another number format, or ask for device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("${since}")) >= 0`,
    };
  }
}

/** What a device states, or else the least that its architecture has. */
function capabilityOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const [, stated] = /^version (\d+\.\d+\.\d+)/.exec(attributes[CAPABILITY] ?? '') ?? [];
  if (stated !== undefined) return stated;
  const [, architecture] = /^string (.*)$/.exec(attributes[ARCHITECTURE] ?? '') ?? [];
  return ARCHITECTURES.find(({ name }) => name === architecture)?.computeCapabilities[0];
}

function below(has: string, least: string): boolean {
  const [major = 0, minor = 0] = has.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Where a setting is given, else where the engine is started. */
function placeOf({ engine, reading }: DeviceSubject, setting: Setting | undefined): Path {
  const index = engine.members.findIndex(({ role }) => role !== 'Worker');
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  const found = given(reading, setting);
  return [...container, ...(found?.path ?? reading.invocation.args[0]?.path ?? ['image'])];
}
