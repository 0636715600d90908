import type { Engine } from '../api/engine';
import type { ModelCache } from '../api/model-cache';
import type { Path } from '../api/resource';
import type { EngineSetting, MemorySettings } from '../catalog/engines/engine-profile';
import type { Quantization } from '../catalog/models/model-row';
import { DEFAULT_ENGINE, type EngineVersion, parseVersion } from '../sizing/engine-version';
import { FORMAT_NAMES, KV_DTYPES } from '../sizing/quantization';
import { parseTokenCount } from '../sizing/token-count';
import type { Layout } from '../sizing/weights';
import { type ContainerSettings, findMisspelledFlag, findSetting } from './container-settings';
import { modelPathOf } from './model-files';
import { findNamedModel, isRepository } from './named-model';
import { ranksOf } from './parallel-ranks';
import { servingMemberOf } from './runtime-detection';

/** What the arguments and the cache of an engine say about the model that it serves, and how. */
export interface ModelSetup {
  /** The repository of the model. */
  readonly repository: string;
  readonly layout: Layout;

  /** The engine, by its name in the table of sizing. */
  readonly engine: EngineVersion;

  /** Whether the image states the version, if one matters. */
  readonly versionKnown: boolean;

  /** The tokens of the longest request. `Model`: what the model allows. `Fitting`: what fits. */
  readonly context: number | 'Model' | 'Fitting';
  readonly quantization?: Quantization | undefined;
  readonly kvBytes: number;
  readonly utilization?: number | undefined;
  readonly maxBatchedTokens?: number | undefined;

  /** Whether it takes less in addition to weights and KV cache than the runs that the table rests on. */
  readonly lean: boolean;
  readonly refusesLongContext: boolean;

  /** The variable without which it refuses a longer request than the model allows. Absent: it does not refuse. */
  readonly overlong?: string | undefined;

  /** Positions for messages, from the engine on, and the flag of the longest request. */
  readonly paths: { readonly model: Path; readonly context: Path; readonly tensor: Path };
  readonly contextFlag: string;

  /** The flag of tensor parallelism. */
  readonly tensorFlag: string;

  /** The flag of the part of a GPU that the engine uses. */
  readonly utilizationFlag: string;

  /** A flag that decides about memory, and what the user probably misspelled for it. */
  readonly misspelled?: MisspelledFlag;
}

/** A flag that an engine does not have, the one that is meant, and its position from the engine on. */
interface MisspelledFlag {
  readonly written: string;
  readonly meant: string;
  readonly path: Path;
}

/**
 * Reads what an engine serves, and how. Undefined unless model, parallelism, formats and length can all be read.
 *
 * @param cache the cache that the engine mounts as its model, if any
 * @param declared the repository that the deployment declares, for a cache that names none
 */
export function readModelSetup(
  engine: Engine,
  settings: ContainerSettings,
  cache: ModelCache | undefined,
  declared?: string,
): ModelSetup | undefined {
  const { memory, parallelism } = settings.profile;
  if (!memory || !settings.complete || findSetting(settings, memory.unsized)) return undefined;
  const repository = servedRepositoryOf(settings, cache, declared);
  const layout = layoutOf(settings, memory);
  const options = readOptions(settings, memory);
  if (repository === undefined || !layout || !options) return undefined;
  const { image } = servingMemberOf(engine).template.spec.containers[0];
  const paths = {
    model: pathIn(engine, findNamedModel(settings)?.path),
    context: pathIn(engine, findSetting(settings, memory.context)?.path ?? findNamedModel(settings)?.path),
    tensor: pathIn(engine, findSetting(settings, parallelism.tensor)?.path),
  };
  return { repository, layout, ...versionOf(memory, image), ...options, paths, ...flagsOf(engine, settings, memory) };
}

type FlagNames = Pick<ModelSetup, 'contextFlag' | 'tensorFlag' | 'utilizationFlag' | 'misspelled'>;

function flagsOf(engine: Engine, settings: ContainerSettings, memory: MemorySettings): FlagNames {
  const { tensor } = settings.profile.parallelism;
  const [contextFlag = ''] = memory.context.flags;
  const [tensorFlag = ''] = tensor?.flags ?? [];
  const [utilizationFlag = ''] = memory.utilization?.flags ?? [];
  const misspelled = findMisspelled(engine, settings, memory);
  return { contextFlag, tensorFlag, utilizationFlag, ...(misspelled && { misspelled }) };
}

/** The first misspelled flag of those that decide how much memory an engine has and needs. */
function findMisspelled(
  engine: Engine,
  settings: ContainerSettings,
  { context, utilization, kvDtype, batchedTokens }: MemorySettings,
): MisspelledFlag | undefined {
  const { parallelism, precision } = settings.profile;
  const { tensor, pipeline, data } = parallelism;
  const deciding = [tensor, pipeline, data, precision.quantization, context, utilization, kvDtype, batchedTokens];
  for (const setting of deciding) {
    const written = findMisspelledFlag(settings, setting);
    const meant = setting?.flags.find((flag) => flag.startsWith('--'));
    if (written === undefined || meant === undefined) continue;
    return { written, meant, path: pathIn(engine, settings.flags.get(written)?.path) };
  }
  return undefined;
}

/** The path of a field of the container that serves. Default: its image. */
export function pathIn(engine: Engine, path: Path = ['image']): Path {
  const index = engine.members.indexOf(servingMemberOf(engine));
  return ['members', index, 'template', 'spec', 'containers', 0, ...path];
}

/** The repository that an engine names, or whose files are in the cache that it names or gets. */
export function servedRepositoryOf(
  settings: ContainerSettings,
  cache: ModelCache | undefined,
  declared?: string,
): string | undefined {
  const named = findNamedModel(settings);
  const { model } = settings.profile;
  if (named && (named.value === undefined || isRepository(named.value))) return named.value;
  if (!cache || cache.spec.content !== 'Model' || !model.directory) return undefined;
  if (named && named.value !== modelPathOf(cache)) return undefined;
  return cache.spec.huggingFace?.repo ?? declared;
}

/** Whether an engine serves the weights of a cache, and neither of them names the model: it could only be declared. */
export function servesUnnamedModel(settings: ContainerSettings, cache: ModelCache | undefined): boolean {
  if (!settings.profile.memory || !settings.complete) return false;
  const declared = '*';
  return servedRepositoryOf(settings, cache, declared) === declared;
}

/** How ranks divide the model, as a mixture: a model without experts has none to divide. */
function layoutOf(settings: ContainerSettings, memory: MemorySettings): Layout | undefined {
  const ranks = ranksOf(settings);
  if (!ranks) return undefined;
  const { tensor, pipeline, data, shared } = ranks;
  if (shared) {
    const tp = tensor / data;
    return Number.isInteger(tp) ? { tp, pp: pipeline, dp: data, ep: tensor, nodes: 1 } : undefined;
  }
  const stated = readSetting(settings, memory.expertRanks, parseTokenCount);
  if (stated === UNREAD) return undefined;
  const shares = memory.sharesExperts && (data > 1 || findSetting(settings, memory.expertParallel) !== undefined);
  return { tp: tensor, pp: pipeline, dp: data, ep: stated ?? (shares ? tensor * data : 1), nodes: 1 };
}

export function versionOf(
  { engine, versions }: MemorySettings,
  image: string,
): Pick<ModelSetup, 'engine' | 'versionKnown'> {
  const version = parseVersion(versions?.exec(image)?.[1] ?? '');
  const assumed = engine === DEFAULT_ENGINE.name ? DEFAULT_ENGINE.version : ([0, 0] as const);
  return { engine: { name: engine, version: version ?? assumed }, versionKnown: version !== undefined || !versions };
}

type Options = Omit<ModelSetup, 'repository' | 'layout' | 'engine' | 'versionKnown' | 'paths' | keyof FlagNames>;

/** The options of an engine. Undefined if one of them cannot be read. */
export function readOptions(settings: ContainerSettings, memory: MemorySettings): Options | undefined {
  const { lean, refusesLongContext, kvDtype, utilization, batchedTokens, overlong, stretched } = memory;
  const context = readContext(settings, memory);
  const format = readSetting(settings, settings.profile.precision.quantization, readFormat);
  const kvBytes = readSetting(settings, kvDtype, (text) => KV_DTYPES[text.toLowerCase()]);
  const share = readSetting(settings, utilization, readShare);
  const step = readSetting(settings, batchedTokens, parseTokenCount);
  if (context === UNREAD || format === UNREAD || kvBytes === UNREAD || share === UNREAD || step === UNREAD) {
    return undefined;
  }
  return {
    context: context ?? 'Model',
    quantization: format?.quantization,
    kvBytes: kvBytes ?? DEFAULT_KV_BYTES,
    utilization: share,
    maxBatchedTokens: step,
    lean: findSetting(settings, lean) !== undefined,
    refusesLongContext,
    overlong: [overlong, stretched].some((one) => findSetting(settings, one)) ? undefined : overlong?.env,
  };
}

/** The cache has the format of computation, which is bf16 or fp16. */
const DEFAULT_KV_BYTES = 2;

/** A setting whose value only the container knows, or that cannot be parsed. */
const UNREAD = Symbol('unread');

/** Reads a setting. Undefined if it is not given. */
function readSetting<T>(
  settings: ContainerSettings,
  setting: EngineSetting | undefined,
  read: (text: string) => T | undefined,
): T | undefined | typeof UNREAD {
  const found = findSetting(settings, setting);
  if (!found) return undefined;
  return (found.value === undefined ? undefined : read(found.value)) ?? UNREAD;
}

function readContext(settings: ContainerSettings, { context, stretched }: MemorySettings) {
  const read = readSetting(settings, context, (text) =>
    context.fitting.includes(text) ? ('Fitting' as const) : parseTokenCount(text),
  );
  return read === undefined && findSetting(settings, stretched) ? UNREAD : read;
}

/** If the name has no format, it is that of the model. */
function readFormat(text: string): { readonly quantization: Quantization | undefined } | undefined {
  const name = text.toLowerCase();
  return Object.hasOwn(FORMAT_NAMES, name) ? { quantization: FORMAT_NAMES[name] } : undefined;
}

function readShare(text: string): number | undefined {
  const value = /^(0?\.\d{1,6}|[01](\.0*)?)$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= 1 ? value : undefined;
}
