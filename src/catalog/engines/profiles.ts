import type { Runtime } from '../../api/runtime';
import { CUSTOM } from './custom';
import { LLAMA_CPP } from './llama-cpp';
import { LMDEPLOY } from './lmdeploy';
import { NIM } from './nim';
import { OLLAMA } from './ollama';
import type { EngineProfile } from './profile';
import { SGLANG } from './sglang';
import { TENSORRT_LLM } from './tensorrt-llm';
import { TGI } from './tgi';
import { VLLM } from './vllm';

/** What is known of each runtime. Recognised in this order: images of NIM are named after what runs in them. */
export const PROFILES: Readonly<Record<Runtime, EngineProfile>> = {
  NIM,
  vLLM: VLLM,
  SGLang: SGLANG,
  TensorRTLLM: TENSORRT_LLM,
  TGI,
  LlamaCpp: LLAMA_CPP,
  Ollama: OLLAMA,
  LMDeploy: LMDEPLOY,
  Custom: CUSTOM,
};
