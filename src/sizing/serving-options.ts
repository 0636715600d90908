import type { Quantization } from '../catalog/models/model-row';
import type { EngineVersion } from './engine-version';

/** How a model is served: what the flags of an engine say. */
export interface ServingOptions {
  readonly engine: EngineVersion;

  /** The tokens of a request. */
  readonly context: number;

  /** Requests of that length at once that a replica must hold. */
  readonly concurrency: number;

  /** Bytes of a number in the KV cache. */
  readonly kvBytes: number;

  /** Default: that of the model. */
  readonly quantization?: Quantization | undefined;

  /** The share of the memory of a GPU that the engine may take. Default: that of the engine. */
  readonly utilization?: number | undefined;

  /** The most tokens of a step. Default: that of the engine on this GPU. */
  readonly maxBatchedTokens?: number | undefined;

  /** KV memory of a GPU in GiB, as an engine logged it. Default: estimated. */
  readonly kvGiB?: number | undefined;
}
