import type { Attention } from './model-row';

/** The fields that each kind of attention needs, and those that it may have in addition. */
export const ATTENTION_FIELDS: Readonly<Record<Attention['kind'], readonly string[]>> = {
  gqa: ['kvHeads', 'headDim'],
  mla: ['kvLoraRank', 'qkRopeHeadDim'],
  'mla+indexer': ['kvLoraRank', 'qkRopeHeadDim', 'indexHeadDim'],
  sliding: ['fullLayers', 'slidingLayers', 'slidingWindow', 'kvHeads', 'headDim'],
  'hybrid-linear': ['attentionLayers', 'linearLayers', 'kvHeads', 'headDim', 'linear'],
  'hybrid-mamba': ['attentionLayers', 'mambaLayers', 'kvHeads', 'headDim', 'mamba'],
  none: [],
  unknown: ['note'],
};

export const ATTENTION_KINDS = Object.keys(ATTENTION_FIELDS) as readonly Attention['kind'][];

/** Fields that a kind may have in addition. */
export const OPTIONAL_ATTENTION_FIELDS: Readonly<Partial<Record<Attention['kind'], readonly string[]>>> = {
  sliding: ['globalKvHeads', 'globalHeadDim'],
};
