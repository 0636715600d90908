import type { ModelCache } from '../api/model-cache';
import { qualifiedNameOf } from '../api/resource';
import type { ModelDeployment } from '../api/model-deployment';
import { formatCount } from '../base/figures';
import { Interner } from '../base/interning';
import { getOrCompute, getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import type { ModelRow } from '../catalog/models/model-row';
import { type ModelSetup, readModelSetup, servesUnnamedModel } from '../engine/model-setup';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import type { Fleet } from '../fleet/fleet';
import { BUILT_IN_MODELS, findModel, type ModelBook } from '../fleet/models/model-book';
import type { DeviceKind, NodeShape } from '../scheduler/compile/shapes';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import { checkServing, fitServed, type ServedModel, type ServingFinding } from '../sizing/check-serving';
import { AMD_DRIVER, type RecognizedGpu, recognizeGpu } from '../sizing/find-gpu';
import type { LayoutFit } from '../sizing/layout-memory';
import type { ServingOptions } from '../sizing/serving-options';
import { gpusOf } from '../sizing/weights';
import { createDeviceLookup, type PlacedEngine, type PodDeviceCount } from './placed-engines';

/** The memory of the GPUs of an engine on one kind of GPU, and why the engine does not start there, if so. */
export interface EngineMemory {
  readonly setup: ModelSetup;
  readonly served: ServedModel;
  readonly fit: LayoutFit;
  readonly finding: ServingFinding | undefined;
}

/** An engine whose model may be known. */
export interface ModelEngine extends PlacedEngine {
  readonly deployment: ModelDeployment;
}

/** The memory of engines, computed once for each setup and kind of GPU. */
export interface MemoryBook {
  /** What an engine serves. Undefined if it cannot be read. */
  readonly setupOf: (engine: ModelEngine) => ModelSetup | undefined;

  /** Whether an engine serves the weights of a cache whose model is named nowhere. */
  readonly isUnnamed: (engine: ModelEngine) => boolean;

  /** The row of the model of a setup. */
  readonly rowOf: (setup: ModelSetup) => ModelRow | undefined;

  /** The memory on each kind of GPU that an engine may get on a kind of node. Empty if it is not known. */
  readonly memoryOn: (engine: ModelEngine, node: NodeShape) => readonly EngineMemory[];

  /** The memory on each of some kinds of devices that publish memory. Empty if the model is not known. */
  readonly memoryOf: (engine: ModelEngine, kinds: readonly DeviceKind[]) => readonly EngineMemory[];
}

/** The memory of all engines of a fleet. Nothing is computed before it is asked for, and nothing twice for a fleet. */
export function memoryBookOf(fleet: Fleet, matcher: PodMatcher): MemoryBook {
  return getOrComputeWeak(BOOKS, matcher, fleet, () => createMemoryBook(fleet, matcher));
}

const BOOKS: WeakPairMap<PodMatcher, Fleet, MemoryBook> = new WeakMap();

function createMemoryBook(fleet: Fleet, matcher: PodMatcher): MemoryBook {
  const { models = BUILT_IN_MODELS, caches, hardware } = fleet;
  const cachesById = new Map(caches.map((cache) => [qualifiedNameOf(cache), cache]));
  const setups = new SetupTable();
  const rowOf = createRowLookup(models);
  const setupOf = ({ deployment, engine }: ModelEngine): ModelSetup | undefined =>
    setups.find(deployment, engine, cacheOf(deployment, cachesById));
  const isUnnamed: MemoryBook['isUnnamed'] = ({ deployment, engine }) =>
    deployment.spec.model === undefined &&
    servesUnnamedModel(containerSettingsOf(deployment, engine), cacheOf(deployment, cachesById));
  const devicesOn = createDeviceLookup(matcher);
  const gpus = [...hardware.catalogue.gpus.values()];
  const gpusByKind = new Map<DeviceKind, RecognizedGpu>();
  const known = new Map<ModelSetup, Map<string, EngineMemory>>();
  const memoryOf: MemoryBook['memoryOf'] = (placed, kinds) => {
    const setup = setupOf(placed);
    const model = setup && rowOf(setup);
    if (!setup || !model) return [];
    return kinds
      .filter(({ memory }) => memory > 0)
      .map((kind) => {
        let gpu = gpusByKind.get(kind);
        if (!gpu) gpusByKind.set(kind, (gpu = gpuOfKind(kind, gpus)));
        const found = gpu;
        const key = `${gpu.name} ${gpu.memoryGiB} ${gpu.platform} ${gpu.exact}`;
        return getOrCompute(known, setup, key, () => judge(setup, model, found));
      });
  };
  const memoryOn: MemoryBook['memoryOn'] = (placed, node) => {
    const setup = setupOf(placed);
    const pod = placed.demand?.members.find(({ role }) => role !== 'Worker')?.pod;
    const devices = setup && rowOf(setup) && pod && devicesOn(pod, node);
    if (!devices) return [];
    const claimed = placed.engine.members.length === 1 ? devices.count : 0;
    return memoryOf(placed, devices.kinds).map((memory) => explainPart(explainIdle(memory, claimed), devices));
  };
  return { setupOf, isUnnamed, rowOf, memoryOn, memoryOf };
}

/** Creates a function that finds the row of the model of a setup, cached by its repository. */
function createRowLookup(models: ModelBook): MemoryBook['rowOf'] {
  const rows = new Map<string, ModelRow | null>();
  return ({ repository }) => {
    let row = rows.get(repository);
    if (row === undefined) rows.set(repository, (row = findModel(repository, models) ?? null));
    return row ?? undefined;
  };
}

function cacheOf({ metadata, spec }: ModelDeployment, caches: ReadonlyMap<string, ModelCache>): ModelCache | undefined {
  const name = spec.template.spec.modelCacheRef?.name;
  return name === undefined ? undefined : caches.get(`${metadata.namespace}/${name}`);
}

/** The setups of engines. Engines that are set up alike share one. */
class SetupTable {
  readonly #byContent = new Interner<ModelSetup>();
  /** By group and declared repository, engine and cache. */
  readonly #byEngine = new Map<string, Map<PlacedEngine['engine'], Map<ModelCache | undefined, ModelSetup | null>>>();

  find(
    deployment: ModelDeployment,
    engine: PlacedEngine['engine'],
    cache: ModelCache | undefined,
  ): ModelSetup | undefined {
    const declared = deployment.spec.model?.repository;
    const byCache = getOrCompute(
      this.#byEngine,
      `${deployment.group} ${declared}`,
      engine,
      () => new Map<ModelCache | undefined, ModelSetup | null>(),
    );
    let setup = byCache.get(cache);
    if (setup === undefined) {
      const read = readModelSetup(engine, containerSettingsOf(deployment, engine), cache, declared);
      setup = read ? this.#byContent.intern(JSON.stringify(read), () => read) : null;
      byCache.set(cache, setup);
    }
    return setup ?? undefined;
  }
}

function gpuOfKind({ name, memory, attributes }: DeviceKind, gpus: Parameters<typeof recognizeGpu>[1]): RecognizedGpu {
  const texts = new Set(Object.values(attributes).map((text) => text.replace(/^string /, '')));
  const isAmd = Object.keys(attributes).some((attribute) => attribute.startsWith(`${AMD_DRIVER}/`));
  return recognizeGpu({ name, driver: isAmd ? AMD_DRIVER : 'gpu.nvidia.com', memoryBytes: memory, texts }, gpus);
}

/** A model that does not fit the GPUs that the engine uses may fit those that its pod claims. */
function explainIdle(memory: EngineMemory, claimed: number): EngineMemory {
  const { finding, setup } = memory;
  const used = gpusOf(setup.layout);
  if (!finding || finding.about === 'heads' || claimed <= used || setup.tensorFlag === '') return memory;
  const set = `set ${setup.tensorFlag}=${setup.layout.tp * Math.floor(claimed / used)}`;
  const typo = setup.misspelled?.meant === setup.tensorFlag ? `, not ${setup.misspelled.written}` : '';
  const hint = `The pod claims ${claimed} GPUs, and the engine uses ${used}: ${set}${typo}`;
  const { utilization: _, ...rest } = finding;
  return { ...memory, finding: { ...rest, hint } };
}

/** An engine that is to use more of a shared GPU has to claim as much. */
function explainPart(memory: EngineMemory, { kinds: [kind], part }: PodDeviceCount): EngineMemory {
  const { finding } = memory;
  const { utilization } = finding ?? {};
  if (!finding || !kind || utilization === undefined || part === undefined || utilization <= part) return memory;
  const hint = `${finding.hint}, and claim ${Math.ceil((utilization * kind.memory) / 2 ** 30)}Gi of its memory`;
  return { ...memory, finding: { ...finding, hint } };
}

/** Finds a longest request that is longer than the model allows, in an engine that then refuses to start. */
function checkPositions({ context, overlong, contextFlag }: ModelSetup, model: ModelRow): ServingFinding | undefined {
  if (overlong === undefined || typeof context !== 'number' || context <= model.positions) return undefined;
  const most = `${model.repository} allows ${formatCount(model.positions)}`;
  const what = `one request has up to ${formatCount(context)} tokens, and ${most}: the engine may not start`;
  const hint = `Set ${contextFlag}=${model.positions} or less, or extend the model with --hf-overrides, or set ${overlong}=1`;
  return { about: 'context', certain: false, what, hint };
}

/** A length that every engine with any memory left can hold, for engines that take what fits. */
const SHORTEST = 1;

/** What the engine of a setup holds at least: one request of the longest length. */
export function servingOptionsOf(setup: ModelSetup, { positions }: ModelRow): ServingOptions {
  const { context, engine, quantization, kvBytes, utilization, maxBatchedTokens } = setup;
  const tokens = context === 'Model' ? positions : context === 'Fitting' ? SHORTEST : context;
  return { engine, concurrency: 1, quantization, kvBytes, utilization, maxBatchedTokens, context: tokens };
}

function judge(setup: ModelSetup, model: ModelRow, gpu: RecognizedGpu): EngineMemory {
  const { context, layout } = setup;
  const { refusesLongContext, contextFlag, utilizationFlag, versionKnown, lean, overlong } = setup;
  const served: ServedModel = {
    model,
    gpu,
    layout: model.experts ? layout : { ...layout, ep: 1 },
    options: servingOptionsOf(setup, model),
    contextFlag,
    utilizationFlag,
    contextGiven: typeof context === 'number',
    ...(overlong !== undefined && { allowed: model.positions }),
    refusesLongContext: refusesLongContext && context !== 'Fitting',
    usual: versionKnown && !lean,
  };
  const fit = fitServed(served);
  return { setup, served, fit, finding: checkServing(served, fit) ?? checkPositions(setup, model) };
}
