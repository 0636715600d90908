import type { Attention } from '../catalog/models/model-row';
import type { ConfigFields } from './model-config-fields';

interface Parameters {
  readonly total: number;
  readonly active: number;
}

/**
 * The parameters of a model in billions, from its shape: norms, biases and draft layers are left out. Undefined for
 * shapes that no formula is for.
 */
export function countParameters(config: ConfigFields, attention: Attention): Parameters | undefined {
  const [hidden, layers] = [config.optional('hidden_size'), config.optional('num_hidden_layers')];
  const ofAttention = hidden && attentionParameters(config, attention, hidden);
  if (!hidden || !layers || !ofAttention) return undefined;
  const mlp = feedForward(config, hidden, layers);
  if (!mlp) return undefined;
  const vocabulary = config.optional('vocab_size') ?? 0;
  const embeddings = vocabulary * hidden * (config.flag('tie_word_embeddings') ? 1 : 2);
  const shared = embeddings + layers * ofAttention;
  return { total: billions(shared + mlp.total), active: billions(shared + mlp.active) };
}

function billions(count: number): number {
  return Math.round(count / 1e7) / 100;
}

/** Parameters of the attention of a layer. */
function attentionParameters(config: ConfigFields, attention: Attention, hidden: number): number | undefined {
  const heads = config.optional('num_attention_heads');
  if (heads === undefined) return undefined;
  if (attention.kind === 'gqa') return 2 * hidden * attention.headDim * (heads + attention.kvHeads);
  if (attention.kind !== 'mla') return undefined;
  return latentParameters(config, attention, { hidden, heads });
}

function latentParameters(
  config: ConfigFields,
  { kvLoraRank, qkRopeHeadDim }: Extract<Attention, { kind: 'mla' }>,
  { hidden, heads }: { readonly hidden: number; readonly heads: number },
): number | undefined {
  const [nope, value] = [config.optional('qk_nope_head_dim'), config.optional('v_head_dim')];
  if (nope === undefined || value === undefined) return undefined;
  const queryRank = config.optional('q_lora_rank');
  const queries = heads * (nope + qkRopeHeadDim);
  const query = queryRank === undefined ? hidden * queries : queryRank * (hidden + queries);
  return query + hidden * (kvLoraRank + qkRopeHeadDim) + kvLoraRank * heads * (nope + value) + heads * value * hidden;
}

/** Parameters of all feed-forward layers: gate, up and down. */
function feedForward(config: ConfigFields, hidden: number, layers: number): Parameters | undefined {
  const dense = config.optional('intermediate_size');
  const routed = config.optional('num_experts', 'num_local_experts', 'n_routed_experts');
  if (routed === undefined)
    return dense === undefined
      ? undefined
      : { total: layers * 3 * hidden * dense, active: layers * 3 * hidden * dense };
  const width = config.optional('moe_intermediate_size') ?? dense;
  const perToken = config.optional('num_experts_per_tok');
  if (width === undefined || perToken === undefined) return undefined;
  const sharedExperts = config.optional('n_shared_experts') ?? 0;
  const denseLayers = config.optional('first_k_dense_replace') ?? 0;
  const ofDense = denseLayers * 3 * hidden * (dense ?? 0);
  const ofExperts = (count: number): number =>
    (layers - denseLayers) * ((count + sharedExperts) * 3 * width + routed) * hidden;
  return { total: ofDense + ofExperts(routed), active: ofDense + ofExperts(perToken) };
}
