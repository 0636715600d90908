import type { Engine } from '../../api/engine';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { capitalize, pluralize } from '../../base/text';
import type { EngineSetting } from '../../catalog/engines/engine-profile';
import { GPU_ARCHITECTURES, NUMBER_FORMATS, type NumberFormat } from '../../catalog/gpu-architectures';
import { type ContainerSettings, findMisspelledFlag, findSetting } from '../container-settings';
import { ranksOf } from '../parallel-ranks';

/** The computing devices that each pod of a member claims. */
export interface PodDevices {
  readonly count: number;
  readonly pods: number;

  /** The kinds that any of them may be, with attributes as text by name with domain. */
  readonly kinds: readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[];
}

/** An engine on the nodes of a pool. */
export interface EngineOnPool {
  readonly engine: Engine;

  /** The settings of the member that serves requests. */
  readonly settings: ContainerSettings;

  /** The devices of each member, or nothing if the cluster may choose how many. */
  readonly pods: readonly (PodDevices | undefined)[];
}

/** Finds settings of an engine that its devices do not suit. Paths start at the engine. */
export function* checkEngineDevices(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  yield* checkRanks(subject);
  yield* checkNumberFormats(subject);
}

/** `, as with worker: { nodes: 1 }`, where a gang of fewer nodes has just the devices. Empty where none has. */
function fewerWorkers({ members }: Engine, devices: number, perPod: number): string {
  const workers = devices / perPod - 1;
  const isGang = members.some(({ role }) => role === 'Worker');
  return isGang && Number.isInteger(workers) && workers > 0 ? `, as with worker: { nodes: ${workers} }` : '';
}

/** Checks that tensor x pipeline x data ranks equal the devices that the pods of a copy claim. */
function* checkRanks(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const { engine, settings, pods } = subject;
  const ranks = ranksOf(settings);
  const known = pods.filter((pod) => pod !== undefined);
  if (!ranks || known.length < pods.length) return;
  const claimed = known.reduce((sum, { count, pods }) => sum + count * pods, 0);
  if (claimed === 0) return;
  const { tensor, pipeline, data, dataLocal, devices } = ranks;
  const { parallelism, title } = settings.profile;
  const path = pathOfSetting(subject, parallelism.tensor);
  const made = `${title} runs ${pluralize(devices, 'rank')} (tensor ${tensor} x pipeline ${pipeline} x data ${data})`;
  const perPod = pods[engine.members.findIndex(({ role }) => role !== 'Worker')]?.count ?? 0;
  if (devices > claimed) {
    const what = `${made}, and its pods claim ${pluralize(claimed, 'device')}`;
    const have = known.reduce((sum, one) => sum + one.pods, 0) > 1 ? 'nodes have' : 'a node has';
    const hint = `Claim ${pluralize(devices, 'device')}, if ${have} as many, or run at most ${pluralize(claimed, 'rank')}`;
    yield tensor * pipeline > claimed
      ? errorAt('parallelism', path, `${what}: the engine does not start`, hint)
      : warningAt('parallelism', path, what, hint);
  } else if (devices < claimed) {
    const idle = `${claimed - devices} of the ${pluralize(claimed, 'device')} that its pods claim ${claimed - devices === 1 ? 'is' : 'are'} idle`;
    yield warningAt('parallelism', path, `${made}, and ${idle}`, hintAtIdle(subject, { devices, claimed, perPod }));
  } else if (dataLocal !== undefined && perPod > 0 && dataLocal * tensor > perPod) {
    const what = `${pluralize(dataLocal, 'data rank')} of ${pluralize(tensor, 'device')} need ${pluralize(dataLocal * tensor, 'device')} of a node, and a pod claims ${perPod}`;
    const hint = `Run at most ${pluralize(Math.floor(perPod / tensor), 'data rank')} on each node`;
    yield warningAt('parallelism', pathOfSetting(subject, parallelism.dataLocal), what, hint);
  }
}

/** How as many devices are claimed as used. A size that is set is meant; where none is, its flag may be what is missing. */
function hintAtIdle(
  { engine, settings }: EngineOnPool,
  { devices, claimed, perPod }: Readonly<Record<'devices' | 'claimed' | 'perPod', number>>,
): string {
  const { tensor } = settings.profile.parallelism;
  const [flag] = tensor?.flags ?? [];
  const misspelled = findMisspelledFlag(settings, tensor);
  if (misspelled !== undefined) return `Use ${flag} instead of ${misspelled}`;
  const claim = `claim ${pluralize(devices, 'device')}${fewerWorkers(engine, devices, perPod)}`;
  const size = `set ${flag} and the other parallel sizes so that their product is ${claimed}`;
  return capitalize((findSetting(settings, tensor) ? [claim, size] : [size, claim]).join(', or '));
}

/** A number format that only some NVIDIA GPUs support, and the setting that selects it. */
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

/** Checks that every device that a pod may get supports the number format of its engine. */
function* checkNumberFormats(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const unsupported = [...findUnsupportedFormats(subject)];
  yield* unsupported;
  if (unsupported.length === 0) yield* checkFormatOfModel(subject);
}

function* findUnsupportedFormats(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const { settings } = subject;
  for (const { format, setting, values } of NUMBER_FORMAT_SETTINGS) {
    const wanted = settings.profile.precision[setting];
    const value = findSetting(settings, wanted)?.value;
    if (value === undefined || !values.test(value)) continue;
    const unable = findUnableDevice(subject, format);
    if (!unable) continue;
    const what = `${value} needs compute capability ${unable.since}, and device '${unable.device}', which the pods may get, has ${unable.has}`;
    const hint = `Use another number format, or ${askForCapability(unable)}`;
    yield warningAt('unable-device', pathOfSetting(subject, wanted), what, hint);
  }
}

/** Checks that an engine that takes the number format of its model, which most models have as BF16, can compute in it. */
function* checkFormatOfModel(subject: EngineOnPool): Iterable<Diagnostic<Path>> {
  const { settings } = subject;
  const { dtype } = settings.profile.precision;
  const ofModel = dtype?.ofModel;
  if (!ofModel || !settings.complete) return;
  const set = findSetting(settings, dtype);
  const unable = set && set.value !== ofModel.value ? undefined : findUnableDevice(subject, 'BF16');
  if (!unable) return;
  const [flag] = dtype.flags;
  const what = `${settings.profile.title} computes in the number format of the model, and device '${unable.device}', which the pods may get, has compute capability ${unable.has}, without bfloat16: of a bfloat16 model, ${ofModel.without}`;
  const hint = `Add '${flag}=${ofModel.half}', or ${askForCapability(unable)}`;
  yield warningAt('unable-device', pathOfSetting(subject, dtype), what, hint);
}

interface UnableDevice {
  readonly device: string;

  /** The compute capability that it has, and the least that supports the number format. */
  readonly has: string;
  readonly since: string;
}

/** The first device that a pod may get and that does not support a number format. */
function findUnableDevice({ pods }: EngineOnPool, format: NumberFormat): UnableDevice | undefined {
  const since = NUMBER_FORMATS.find(({ name }) => name === format)?.since;
  if (since === undefined) return undefined;
  for (const { name, attributes } of pods.flatMap((pod) => pod?.kinds ?? [])) {
    const has = computeCapabilityOf(attributes);
    if (has !== undefined && isBelow(has, since)) return { device: name, has, since };
  }
  return undefined;
}

function askForCapability({ since }: UnableDevice): string {
  return `require device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("${since}")) >= 0`;
}

/** The compute capability that a device states, or else the lowest of its architecture. */
function computeCapabilityOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const [, stated] = /^version (\d+\.\d+\.\d+)/.exec(attributes[CAPABILITY_ATTRIBUTE] ?? '') ?? [];
  if (stated !== undefined) return stated;
  const [, architecture] = /^string (.*)$/.exec(attributes[ARCHITECTURE_ATTRIBUTE] ?? '') ?? [];
  return GPU_ARCHITECTURES.find(({ name }) => name === architecture)?.computeCapabilities[0];
}

function isBelow(has: string, least: string): boolean {
  const [major = 0, minor = 0] = has.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** The path of a setting, or else of the command that starts the engine. */
function pathOfSetting({ engine, settings }: EngineOnPool, setting: EngineSetting | undefined): Path {
  const index = engine.members.findIndex(({ role }) => role !== 'Worker');
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  const found = findSetting(settings, setting);
  return [...container, ...(found?.path ?? settings.invocation.args[0]?.path ?? ['image'])];
}
