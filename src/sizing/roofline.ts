import type { KvPlan } from './kv-cache';
import type { GpuWithFigures } from './find-gpu';
import type { ServingOptions } from './serving-options';
import { WEIGHT_FORMATS } from './quantization';
import { GIB, gpusOf, type Layout, type Weights, computeWeightsPerGpu } from './weights';
import type { ModelRow } from '../catalog/models/model-row';

/**
 * Bounds of speed from bandwidth and compute alone, for requests of the asked length. No run without speculative
 * decoding exceeds them; engines reach 30 to 80 %. They predict nothing.
 */
export interface SpeedBounds {
  /** Tokens a second of one request alone. */
  readonly decodeOfOneRequest: number;

  /** Tokens a second of all requests together, as many as are wanted at once. */
  readonly decode: number;

  /** Tokens of prompts a second. Null where parameters or compute are not known. */
  readonly prefill: number | null;
}

interface Subject {
  readonly model: ModelRow;
  readonly gpu: GpuWithFigures;
  readonly weights: Weights;
  readonly cache: KvPlan;
}

/** Computes the bounds. Undefined where the bandwidth of the GPU is not known. */
export function boundSpeed(subject: Subject, layout: Layout, options: ServingOptions): SpeedBounds | undefined {
  const { gpu } = subject;
  if (gpu.bandwidthTBs === undefined) return undefined;
  const bandwidth = gpu.bandwidthTBs * 1e12;
  const tokensPerSecond = (requests: number): number => {
    // Stages work one after the other on a token, and at once on different requests.
    const ofRank = Math.ceil(requests / layout.dp);
    return (requests * bandwidth) / (bytesOfStep(subject, layout, options, ofRank) * layout.pp);
  };
  return {
    decodeOfOneRequest: tokensPerSecond(1),
    decode: tokensPerSecond(options.concurrency) * Math.min(layout.pp, options.concurrency),
    prefill: boundPrefill(subject, layout, options),
  };
}

/**
 * The fewest bytes that a GPU reads to write one token of each request: weights, and the KV cache of requests that are
 * half full on average, as those without a prompt are.
 */
function bytesOfStep(
  { model, weights, cache }: Subject,
  layout: Layout,
  options: ServingOptions,
  requests: number,
): number {
  const read =
    computeWeightsPerGpu({ ...weights, ...touchedWeights(model, weights, requests * layout.dp) }, layout) * GIB;
  const ofToken = typeof cache === 'string' ? 0 : cache.bytesPerToken;
  return read + (requests * ofToken * options.context) / 2;
}

/** A step reads an expert if any token uses it. */
function touchedWeights({ experts }: ModelRow, { totalGiB, expertsGiB }: Weights, tokens: number): Partial<Weights> {
  if (!experts) return {};
  const touched = 1 - (1 - Math.min(1, experts.perToken / experts.routed)) ** tokens;
  return { totalGiB: totalGiB - expertsGiB * (1 - touched), expertsGiB: expertsGiB * touched };
}

/** fp8 with the scales of mxfp8. */
const BYTES_OF_FP8 = 1 + 1 / 32;

function boundPrefill({ model, gpu }: Subject, layout: Layout, { quantization }: ServingOptions): number | null {
  const { parameters } = model;
  const { tflops } = gpu;
  if (!parameters || !tflops) return null;
  const { bytes } = WEIGHT_FORMATS[quantization ?? model.quantization];
  const eight = bytes <= BYTES_OF_FP8 ? (tflops.fp8 ?? 0) : 0;
  const four = bytes < 1 ? (tflops.fp4 ?? 0) : 0;
  const usable = Math.max(tflops.bf16, eight, four);
  return (usable * 1e12 * gpusOf(layout)) / (2 * parameters.active * 1e9);
}
