import type { ModelRow, Quantization } from '../catalog/models/model-row';
import { WEIGHT_FORMATS, WIDE_BYTES } from './quantization';

export const GIB = 2 ** 30;

/** Weights of a model in GiB, and whether they are known or computed from the number of parameters. */
export interface Weights {
  readonly totalGiB: number;

  /** The part in routed experts, which expert parallelism divides. */
  readonly expertsGiB: number;
  readonly estimated: boolean;
}

/** What estimates add: tensors that stay wide, vision towers and draft layers. KAITO adds as much to file sizes. */
const ESTIMATE_MARGIN = 1.02;

/**
 * The weights of a model: as its row states them, else computed from its parameters.
 *
 * @param quantization what the weights are converted to. Default: what the row states
 * @returns undefined if neither is known
 */
export function weightsOf(model: ModelRow, quantization = model.quantization): Weights | undefined {
  const { parameters, weightsGiB } = model;
  const share = expertShareOf(model);
  if (weightsGiB !== undefined && quantization === model.quantization) {
    return { totalGiB: weightsGiB, expertsGiB: weightsGiB * share, estimated: false };
  }
  if (!parameters) return scaledWeights(model, quantization);
  const { experts, rest } = estimateBytes(model, parameters.total * 1e9, quantization);
  const margin = quantization === 'bf16' ? 1 : ESTIMATE_MARGIN;
  return { totalGiB: ((experts + rest) * margin) / GIB, expertsGiB: (experts * margin) / GIB, estimated: true };
}

/** Without parameters, other weights follow from the stated ones by the bytes of a parameter. */
function scaledWeights(model: ModelRow, quantization: Quantization): Weights | undefined {
  if (model.weightsGiB === undefined) return undefined;
  const ratio = WEIGHT_FORMATS[quantization].bytes / WEIGHT_FORMATS[model.quantization].bytes;
  const totalGiB = model.weightsGiB * ratio;
  return { totalGiB, expertsGiB: totalGiB * expertShareOf(model), estimated: true };
}

/** Bytes of the routed experts and of all else. Embeddings keep bf16; so does all but experts in some formats. */
function estimateBytes(model: ModelRow, total: number, quantization: Quantization): { experts: number; rest: number } {
  const { bytes, expertsOnly } = WEIGHT_FORMATS[quantization];
  const experts = total * expertShareOf(model);
  const rest = total - experts;
  const { hidden = 0, vocabulary = 0, tied } = model;
  const embeddings = Math.min(rest, hidden * vocabulary * (tied ? 1 : 2));
  const narrow = expertsOnly && experts > 0 ? 0 : rest - embeddings;
  return { experts: experts * bytes, rest: narrow * bytes + (rest - narrow) * WIDE_BYTES };
}

/** The share of the parameters in routed experts: a token uses `perToken` of them and all others. */
function expertShareOf({ parameters, experts }: ModelRow): number {
  if (!experts) return 0;
  if (!parameters || experts.perToken >= experts.routed) return USUAL_EXPERT_SHARE;
  const unused = parameters.total - parameters.active;
  return Math.min(1, (unused * experts.routed) / (experts.routed - experts.perToken) / parameters.total);
}

/** The share where the parameters are not known, from models where they are. */
const USUAL_EXPERT_SHARE = 0.95;

/** How a model is divided over GPUs. */
export interface Layout {
  /** GPUs that share each layer. */
  readonly tp: number;

  /** Stages that share the layers. */
  readonly pp: number;

  /** Copies of the attention, each with requests of its own. */
  readonly dp: number;

  /** GPUs that share the experts. 1: experts are divided by TP like all else. */
  readonly ep: number;

  /** Nodes that the GPUs are on. */
  readonly nodes: number;
}

/** GPUs of a layout. */
export function gpusOf({ tp, pp, dp }: Layout): number {
  return tp * pp * dp;
}

/** Weights on a GPU, in GiB. Expert parallelism divides experts by all GPUs of a stage. */
export function computeWeightsPerGpu({ totalGiB, expertsGiB }: Weights, { tp, pp, ep }: Layout): number {
  const rest = (totalGiB - expertsGiB) / tp;
  return (expertsGiB / Math.max(ep, tp) + rest) / pp;
}
