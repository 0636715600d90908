import type { Engine } from '../../api/engine';
import type { Path } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { pluralize } from '../../base/text';
import type { EngineProfile, EngineSetting } from '../../catalog/engines/engine-profile';
import { ARCHITECTURES, NUMBER_FORMATS, type NumberFormat } from '../../catalog/gpu-architectures';
import { type ContainerSettings, findNumberSetting, findSetting } from '../container-settings';

/** Devices that compute, of which each pod of a member claims some. */
export interface PodDevices {
  readonly count: number;
  readonly pods: number;

  /** What any of them may be, with attributes as text by name with domain. */
  readonly kinds: readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[];
}

/** An engine on the nodes of a pool. */
export interface EngineOnPool {
  readonly engine: Engine;

  /** What the member that answers requests is told. */
  readonly reading: ContainerSettings;

  /** For each member, or nothing where the cluster may choose how many. */
  readonly pods: readonly (PodDevices | undefined)[];
}

/** What devices do not suit: paths start at the engine. */
export function* checkEngineDevices(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  yield* checkRanks(subject);
  yield* checkNumberFormats(subject);
}

/** Tensor x pipeline x data ranks are the devices that the pods of a copy claim. */
function* checkRanks(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const { engine, reading, pods } = subject;
  const ranks = ranksOf(reading);
  const known = pods.filter((pod) => pod !== undefined);
  if (!ranks || known.length < pods.length) return;
  const claimed = known.reduce((sum, { count, pods }) => sum + count * pods, 0);
  if (claimed === 0) return;
  const { tensor, pipeline, data, dataLocal, devices } = ranks;
  const { parallelism, title } = reading.profile;
  const path = pathOfSetting(subject, parallelism.tensor);
  const [flag] = parallelism.tensor?.flags ?? [];
  const own = pods[engine.members.findIndex(({ role }) => role !== 'Worker')]?.count ?? 0;
  if (devices > claimed) {
    yield warningAt(
      'parallelism',
      path,
      `${title} makes ${pluralize(devices, 'rank')} (tensor ${tensor} x pipeline ${pipeline} x data ${data}), and its pods claim ${pluralize(claimed, 'device')}`,
      `Claim ${pluralize(devices, 'device')}, or make fewer ranks`,
    );
  } else if (devices < claimed) {
    yield warningAt(
      'parallelism',
      path,
      `${title} makes ${pluralize(devices, 'rank')} (tensor ${tensor} x pipeline ${pipeline} x data ${data}), and ${claimed - devices} of the ${pluralize(claimed, 'device')} that its pods claim stay idle`,
      `Set ${flag} and its like so that they multiply to ${claimed}, or claim fewer devices`,
    );
  } else if (dataLocal !== undefined && own > 0 && dataLocal * tensor > own) {
    yield warningAt(
      'parallelism',
      pathOfSetting(subject, parallelism.dataLocal),
      `${pluralize(dataLocal, 'data rank')} of ${pluralize(tensor, 'device')} need ${pluralize(dataLocal * tensor, 'device')} of a node, and a pod claims ${own}`,
      `Put at most ${pluralize(Math.floor(own / tensor), 'data rank')} on a node`,
    );
  }
}

/** A number format that not every NVIDIA GPU computes in, and how engines are told to use it. */
interface NumberFormatSetting {
  readonly format: NumberFormat;
  readonly setting: 'dtype' | 'quantization';
  readonly values: RegExp;
}

const NUMBER_FORMAT_SETTINGS: readonly NumberFormatSetting[] = [
  { format: 'BF16', setting: 'dtype', values: /^(bfloat16|bf16)$/ },
  { format: 'FP8', setting: 'quantization', values: /fp8/ },
];

const CAPABILITY_ATTRIBUTE = 'gpu.nvidia.com/cudaComputeCapability';
const ARCHITECTURE_ATTRIBUTE = 'gpu.nvidia.com/architecture';

/** Every device that a pod may get computes with the numbers that its engine is told to use. */
function* checkNumberFormats(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const { reading, pods } = subject;
  for (const { format, setting, values } of NUMBER_FORMAT_SETTINGS) {
    const wanted = reading.profile.precision[setting];
    const value = findSetting(reading, wanted)?.value;
    const since = NUMBER_FORMATS.find(({ name }) => name === format)?.since;
    if (value === undefined || since === undefined || !values.test(value)) continue;
    const unable = pods
      .flatMap((pod) => pod?.kinds ?? [])
      .map((kind) => ({ kind, has: computeCapabilityOf(kind.attributes) }))
      .find(({ has }) => has !== undefined && isBelow(has, since));
    if (!unable) continue;
    yield warningAt(
      'unable-device',
      pathOfSetting(subject, wanted),
      `${value} needs compute capability ${since}, and device '${unable.kind.name}', which the pods may get, has ${unable.has}`,
      `Choose another number format, or ask for device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("${since}")) >= 0`,
    );
  }
}

/** What a device states, or else the least that its architecture has. */
function computeCapabilityOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const [, stated] = /^version (\d+\.\d+\.\d+)/.exec(attributes[CAPABILITY_ATTRIBUTE] ?? '') ?? [];
  if (stated !== undefined) return stated;
  const [, architecture] = /^string (.*)$/.exec(attributes[ARCHITECTURE_ATTRIBUTE] ?? '') ?? [];
  return ARCHITECTURES.find(({ name }) => name === architecture)?.computeCapabilities[0];
}

function isBelow(has: string, least: string): boolean {
  const [major = 0, minor = 0] = has.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Where a setting is given, else where the engine is started. */
function pathOfSetting({ engine, reading }: EngineOnPool, setting: EngineSetting | undefined): Path {
  const index = engine.members.findIndex(({ role }) => role !== 'Worker');
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  const found = findSetting(reading, setting);
  return [...container, ...(found?.path ?? reading.invocation.args[0]?.path ?? ['image'])];
}

/** How many devices an engine shares its work out to. */
export interface ParallelRanks {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;

  /** Data ranks of a node, where they are given. */
  readonly dataLocal?: number;

  /** All devices of a copy of the engine. Expert parallelism adds none: it lies across those of the others. */
  readonly devices: number;
}

/**
 * The ranks that a container tells its engine to make, or nothing where the runtime decides by itself or nobody can
 * read it.
 */
export function ranksOf(reading: ContainerSettings): ParallelRanks | undefined {
  const { parallelism } = reading.profile;
  if (!countsRanks(reading, parallelism)) return undefined;
  const tensor = findNumberSetting(reading, parallelism.tensor, 1);
  const pipeline = findNumberSetting(reading, parallelism.pipeline, 1);
  const data = findNumberSetting(reading, parallelism.data, 1);
  if (tensor === undefined || pipeline === undefined || data === undefined) return undefined;
  const local =
    findSetting(reading, parallelism.dataLocal) && findNumberSetting(reading, parallelism.dataLocal, 1);
  const shared = findSetting(reading, parallelism.dataWithinTensor) !== undefined;
  return {
    tensor,
    pipeline,
    data,
    ...(local !== undefined && { dataLocal: local }),
    devices: tensor * pipeline * (shared ? 1 : data),
  };
}

function countsRanks(
  reading: ContainerSettings,
  { tensor, automatic, other }: EngineProfile['parallelism'],
): boolean {
  if (!tensor || (other?.flags ?? []).some((flag) => findSetting(reading, { flags: [flag] }))) return false;
  return !automatic || findSetting(reading, tensor) !== undefined;
}
