import { formatCount } from '../base/figures';
import { capitalize } from '../base/text';
import type { GibRange } from '../catalog/engine-overheads';
import type { ModelRow } from '../catalog/models/model-row';
import type { RecognizedGpu } from './find-gpu';
import { fitLayout, type LayoutFit, planCache } from './layout-memory';
import { bytesOfRequests, type KvCache, computeLongestRequest, type KvPlan } from './kv-cache';
import { describeCutBlocks, describeMisfit, divisorsOf, needsExpertParallel } from './layout-rules';
import { utilizationOf } from './overhead';
import type { ServingOptions } from './serving-options';
import { formatGiB } from './verdict';
import { GIB, gpusOf, type Layout, weightsOf } from './weights';

/** A model on GPUs of one kind, as its engine runs it. */
export interface ServedModel {
  readonly model: ModelRow;
  readonly gpu: RecognizedGpu;
  readonly layout: Layout;

  /** For one request at once. */
  readonly options: ServingOptions;

  /** The flag of the longest request, and whether it is given rather than taken from the model. */
  readonly contextFlag: string;
  readonly contextGiven: boolean;

  /** The longest request that the engine accepts, whatever the memory. Absent: it is not limited, or not known. */
  readonly allowed?: number;

  /** The flag of the part of a GPU that the engine uses. */
  readonly utilizationFlag: string;

  /** Whether the engine refuses to start if one request of the context does not fit. */
  readonly refusesLongContext: boolean;

  /** Whether the version of the engine is known, and no setting makes it take less than the table says. */
  readonly usual: boolean;
}

/** Why an engine does not start, or may not. */
export interface ServingFinding {
  /** What the finding is about: the division of heads or of blocks, the weights, or the longest request. */
  readonly about: 'heads' | 'blocks' | 'weights' | 'context';
  readonly certain: boolean;
  readonly what: string;
  readonly hint: string;

  /** The part of the memory of its GPUs that the engine uses if it follows the hint. Absent: the same as before. */
  readonly utilization?: number;
}

/** Finds why an engine does not start. Undefined if it does, or if nothing is known. */
export function checkServing(served: ServedModel, fit: LayoutFit): ServingFinding | undefined {
  const misfit = describeMisfit(served.model, served.layout);
  if (misfit !== undefined) return checkDivision(served, misfit);
  if (fit.weightsGiBPerGpu === null) return undefined;
  if (fit.kvGiBPerGpu.high <= 0) return checkWeights(served, fit, fit.weightsGiBPerGpu);
  return checkContext(served, fit);
}

/** The memory of a GPU with one request. */
export function fitServed({ model, gpu, layout, options }: ServedModel): LayoutFit {
  return fitLayout(model, gpu, layout, options);
}

function checkDivision(served: ServedModel, misfit: string): ServingFinding {
  const { model, layout } = served;
  if (misfit === describeCutBlocks(model, layout)) return checkBlocks(served, misfit);
  const what = `${misfit} of ${model.repository}: the engine does not start`;
  const sizes = divisorsOf(model, layout).join(', ');
  const hint = layout.pp > model.layers ? `Use PP of at most ${model.layers}` : `Use TP of ${sizes}`;
  return { about: 'heads', certain: true, what, hint };
}

/** vLLM refuses weights whose blocks are cut. Other engines, and versions that are not known, may store them otherwise. */
function checkBlocks({ model, layout, refusesLongContext, usual }: ServedModel, misfit: string): ServingFinding {
  const certain = refusesLongContext && usual;
  const what = `${misfit} in ${model.repository}: the engine ${certain ? 'does' : 'may'} not start`;
  const distribute = layout.ep === 1 && needsExpertParallel(model, layout.tp);
  const sizes = `TP of ${divisorsOf(model, layout).join(', ')}`;
  const hint = distribute
    ? `Distribute whole experts (--enable-expert-parallel in vLLM), or use ${sizes}`
    : `Use ${sizes}`;
  return { about: 'blocks', certain, what, hint };
}

/** Computed weights may be smaller by this share, and GPUs larger by this one, than estimated. */
const WEIGHTS_ERROR = 0.03;
const MEMORY_ERROR = 0.02;

/** The memory of a GPU that the engine may use. */
export function usableGiBOf({ gpu, options }: Pick<ServedModel, 'gpu' | 'options'>): number {
  return gpu.memoryGiB * (options.utilization ?? utilizationOf(options.engine));
}

function checkWeights(served: ServedModel, fit: LayoutFit, weights: number): ServingFinding {
  const { gpu, layout, model, options, usual } = served;
  const estimated = weightsOf(model, options.quantization)?.estimated ?? true;
  const least = weights * (estimated ? 1 - WEIGHTS_ERROR : 1);
  const most = gpu.memoryGiB * (gpu.exact ? 1 : 1 + MEMORY_ERROR);
  const measured = usual && gpu.exact && served.refusesLongContext && model.attention.kind !== 'none';
  const certain = least > most || measured;
  const ends = certain ? 'the engine does not start' : 'the engine may not start';
  const { text, ...use } = adviseMemory(served, fit);
  const hint = `${capitalize(text)}, or ${text.startsWith('use ') ? '' : 'use '}a smaller format of the weights`;
  if (weights >= usableGiBOf(served)) {
    const set = describeGpus(gpu, layout);
    const share = weights < gpu.memoryGiB ? `, of which the engine uses ${formatGiB(usableGiBOf(served))} each` : '';
    const what = `weights of ${formatGiB(weights * gpusOf(layout))} on ${set}${share}: ${ends}`;
    return { about: 'weights', certain, what, hint, ...use };
  }
  const left = formatGiB(usableGiBOf(served) - weights);
  const what = `weights of ${formatGiB(weights)} a GPU leave ${left} of the memory that it uses on ${describeGpus(gpu, layout)}, and the engine needs at least ${formatGiB(fit.overheadGiBPerGpu.low)} in addition: ${ends}`;
  return { about: 'weights', certain, what, hint, ...use };
}

function describeGpus({ name, memoryGiB }: RecognizedGpu, layout: Layout): string {
  return `${gpusOf(layout)} x ${name} of ${formatGiB(memoryGiB)}`;
}

/** What helps in a hint where no argument does. */
export const MORE_GPUS = 'more or larger GPUs';

interface MemoryAdvice extends Pick<ServingFinding, 'utilization'> {
  readonly text: string;
}

/** How an engine gets the memory that it lacks: more of its GPUs, if an argument limits that, or other GPUs. */
function adviseMemory(served: ServedModel, { kvGiBPerGpu }: Pick<LayoutFit, 'kvGiBPerGpu'>): MemoryAdvice {
  const { gpu, options, utilizationFlag } = served;
  const cache = cacheOf(served);
  const request = typeof cache === 'string' ? 0 : bytesOfRequests(cache, 1, options.context) / GIB;
  const needed = usableGiBOf(served) - kvGiBPerGpu.low + request;
  const utilization = Math.ceil((needed / gpu.memoryGiB) * 100) / 100;
  if (options.utilization === undefined || utilization > utilizationOf(options.engine))
    return { text: `use ${MORE_GPUS}` };
  return { text: `set ${utilizationFlag}=${utilization} or more`, utilization };
}

function cacheOf({ model, gpu, layout, options }: ServedModel): KvPlan {
  return planCache(model, gpu, layout, options);
}

function checkContext(served: ServedModel, { kvGiBPerGpu: kv }: LayoutFit): ServingFinding | undefined {
  const { gpu, layout, options, contextGiven, refusesLongContext } = served;
  const cache = cacheOf(served);
  if (typeof cache === 'string' || (!contextGiven && !refusesLongContext)) return undefined;
  const need = bytesOfRequests(cache, 1, options.context) / GIB;
  if (kv.high < need) return describeLongRequest(served, kv, cache);
  if (kv.low >= need || !refusesLongContext) return undefined;
  const between = `between ${formatGiB(Math.max(0, kv.low))} and ${formatGiB(kv.high)} are available`;
  const what = `${nameRequest(served)} needs ${formatGiB(need)} of KV cache a GPU on ${describeGpus(gpu, layout)}, and ${between}: the engine may not start`;
  return {
    about: 'context',
    certain: false,
    what,
    ...advise(served, kv, { length: longest(cache, kv.low, options), why: WHY_HIGHEST }),
  };
}

function describeLongRequest(served: ServedModel, kv: GibRange, cache: KvCache): ServingFinding {
  const { gpu, layout, options, refusesLongContext: refuses } = served;
  const certain = refuses && served.usual && gpu.exact && served.contextGiven;
  const most = longest(cache, kv.high, options);
  const expected = longest(cache, kv.expected, options);
  const ends = refuses ? `, so the engine ${certain ? 'does' : 'may'} not start` : '';
  const none = most > 0 ? '' : ': no length fits';
  const what = `${nameRequest(served)} does not fit on ${describeGpus(gpu, layout)}${none}${ends}`;
  // The hint has the only bound: a second one, by the lowest estimate of memory use, would read as a contradiction.
  const why = expected > STEP && expected < most ? ', which fits by the expected estimate of memory use' : '';
  return { about: 'context', certain, what, ...advise(served, kv, { length: expected, why }) };
}

function nameRequest({ options, contextGiven }: ServedModel): string {
  return `one request of ${formatCount(options.context)} tokens${contextGiven ? '' : ', the longest of the model,'}`;
}

/** Why a length is safe. */
const WHY_HIGHEST = ', which fits by the highest estimate of memory use';

/** Lengths are stated in steps of this many tokens. */
const STEP = 256;

function longest(cache: KvCache, kvGiB: number, { context }: ServingOptions): number {
  const found = computeLongestRequest(cache, Math.max(0, kvGiB) * GIB, context);
  return found > STEP ? found - (found % STEP) : found;
}

/** What to set the longest request to, which is never more than the model allows, or how the engine gets more memory. */
function advise(
  served: ServedModel,
  kvGiBPerGpu: GibRange,
  { length, why }: { readonly length: number; readonly why: string },
): Pick<ServingFinding, 'hint' | 'utilization'> {
  const { contextFlag, model, allowed = Infinity } = served;
  const { text, ...use } = adviseMemory(served, { kvGiBPerGpu });
  const basis = length >= allowed ? `, the longest of ${model.repository}` : why;
  const hint =
    length > STEP ? `Set ${contextFlag}=${Math.min(length, allowed)} or less${basis}, or ${text}` : capitalize(text);
  return { hint, ...use };
}
