import type { SourcedRow } from '../row-types';

/** Layers that all keep keys and values of every token: MHA, GQA and MQA. */
export interface GroupedAttention {
  readonly kind: 'gqa';
  readonly kvHeads: number;
  readonly headDim: number;
}

/** Layers that keep one compressed vector of every token (MLA). */
export interface LatentAttention {
  readonly kind: 'mla';
  readonly kvLoraRank: number;
  readonly qkRopeHeadDim: number;
}

/** MLA with an indexer that selects tokens and keeps a vector of its own. */
export interface IndexedAttention {
  readonly kind: 'mla+indexer';
  readonly kvLoraRank: number;
  readonly qkRopeHeadDim: number;
  readonly indexHeadDim: number;
}

/** Layers of which some keep a window of tokens only. */
export interface SlidingAttention {
  readonly kind: 'sliding';
  readonly fullLayers: number;
  readonly slidingLayers: number;
  readonly slidingWindow: number;

  /** KV heads and their size in the sliding layers. */
  readonly kvHeads: number;
  readonly headDim: number;

  /** The same in the full layers. Default: as in the sliding layers. */
  readonly globalKvHeads?: number | undefined;
  readonly globalHeadDim?: number | undefined;
}

/** The state of a layer of linear attention (Gated DeltaNet). */
export interface LinearState {
  readonly keyHeads: number;
  readonly valueHeads: number;
  readonly keyDim: number;
  readonly valueDim: number;
  readonly conv: number;

  /** Bytes of a number of the state: 4 where the config states float32, else 2. */
  readonly stateBytes: number;
}

/** The state of a Mamba-2 layer. */
export interface MambaState {
  readonly heads: number;
  readonly headDim: number;
  readonly state: number;
  readonly groups: number;
  readonly conv: number;
  readonly stateBytes: number;
}

/** Layers of which some keep a state of constant size instead of keys and values: linear attention. */
export interface HybridLinearAttention {
  readonly kind: 'hybrid-linear';
  readonly attentionLayers: number;
  readonly linearLayers: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly linear: LinearState;
}

/** The same with Mamba-2 layers. */
export interface HybridMambaAttention {
  readonly kind: 'hybrid-mamba';
  readonly attentionLayers: number;
  readonly mambaLayers: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly mamba: MambaState;
}

/** An encoder, which keeps no cache. */
export interface NoCache {
  readonly kind: 'none';
}

/** Attention whose cache no formula of ours gives. `note` says what it is. */
export interface UnknownAttention {
  readonly kind: 'unknown';
  readonly note: string;
}

/** What a model keeps of a token, which decides the size of its KV cache. */
export type Attention =
  | GroupedAttention
  | LatentAttention
  | IndexedAttention
  | SlidingAttention
  | HybridLinearAttention
  | HybridMambaAttention
  | NoCache
  | UnknownAttention;

/** How weights are stored. */
export type Quantization = 'bf16' | 'fp8' | 'mxfp8' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4';

/** The experts of a mixture-of-experts model. */
export interface Experts {
  readonly routed: number;
  readonly perToken: number;

  /** Experts that every token uses. Default: 0. */
  readonly shared?: number | undefined;

  /** The width of an expert. Default: unknown. */
  readonly intermediate?: number | undefined;
}

/** What is known of a model: its shape, as its `config.json` states it, and its size. */
export interface ModelRow extends SourcedRow {
  /** The repository on Hugging Face: `Qwen/Qwen3-32B`. */
  readonly repository: string;

  /** The commit of the repository. Default: not stated. */
  readonly revision?: string | undefined;

  /** Parameters in billions: all of them, and those that a token uses. Default: unknown. */
  readonly parameters?: { readonly total: number; readonly active: number } | undefined;
  readonly layers: number;
  readonly hidden?: number | undefined;

  /** Query heads. Tensor parallelism must divide them. Default: unknown. */
  readonly heads?: number | undefined;
  readonly attention: Attention;
  readonly vocabulary?: number | undefined;

  /** Whether input and output embeddings are one tensor. Default: no. */
  readonly tied?: boolean | undefined;
  readonly experts?: Experts | undefined;

  /** The width of layers without experts. Default: unknown, or no such layer. */
  readonly intermediate?: number | undefined;

  /** The side of blocks of weights that share a scale. A GPU holds whole blocks. Default: no blocks. */
  readonly weightBlock?: number | undefined;

  /** The longest context. */
  readonly positions: number;
  readonly quantization: Quantization;

  /** Weights as an engine loads them, or the sum of its tensors, in GiB. Default: computed from the parameters. */
  readonly weightsGiB?: number | undefined;
}
