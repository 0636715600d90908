import { DEEPSEEK_MODELS } from './deepseek';
import { GEMMA_GPT_OSS_MODELS } from './gemma-gpt-oss';
import { GLM_KIMI_MINIMAX_MODELS } from './glm-kimi-minimax';
import { LLAMA_MODELS } from './llama';
import { MISTRAL_MODELS } from './mistral';
import type { ModelRow } from './model-row';
import { NEMOTRON_MODELS } from './nemotron';
import { OTHER_MODELS } from './other-models';
import { QWEN_3_MODELS } from './qwen-3';
import { QWEN_2_MODELS } from './qwen-2';
import { QWEN_HYBRID_MODELS } from './qwen-hybrid';

/** The models that come with Fleetwright. */
export const MODELS: readonly ModelRow[] = [
  ...DEEPSEEK_MODELS,
  ...GEMMA_GPT_OSS_MODELS,
  ...GLM_KIMI_MINIMAX_MODELS,
  ...LLAMA_MODELS,
  ...MISTRAL_MODELS,
  ...NEMOTRON_MODELS,
  ...OTHER_MODELS,
  ...QWEN_3_MODELS,
  ...QWEN_2_MODELS,
  ...QWEN_HYBRID_MODELS,
];
