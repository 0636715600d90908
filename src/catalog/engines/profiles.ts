import type { EngineProfile } from './engine-profile';
import { LLAMA_CPP } from './llama-cpp';
import { LMDEPLOY } from './lmdeploy';
import { NIM } from './nim';
import { OLLAMA } from './ollama';
import type { Runtime } from './runtimes';
import { SGLANG } from './sglang';
import { TENSORRT_LLM } from './tensorrt-llm';
import { TGI } from './tgi';
import { NIXL, VLLM } from './vllm';

/** Anything else, of which nothing is known but where it should listen. */
export const CUSTOM: EngineProfile = {
  runtime: 'Custom',
  title: 'Custom',
  images: [],
  programs: [],
  entrypoint: true,
  switches: [],
  port: { flags: [], default: 8000 },
  host: { flags: [], default: '0.0.0.0' },
  healthTimeout: 5,
  model: { flags: [], positional: false, directory: false },
  precision: {},
  cacheDirectories: {},
  parallelism: {},
};

/**
 * What is taken for granted of an engine that nothing tells apart, under the alias group: its contract with every
 * engine. It listens on 8000, answers `/health`, takes its model as
 * `--model`, and hands prompts over by NIXL.
 */
export const MODELPLANE_CUSTOM: EngineProfile = {
  ...CUSTOM,
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  model: { flags: ['--model'], positional: false, directory: true },
  disaggregation: { ...NIXL, flags: { Prefill: [], Decode: [] } },
};

/** What is known of each runtime. Recognised in this order: images of NIM are named after what runs in them. */
export const ENGINE_PROFILES: Readonly<Record<Runtime, EngineProfile>> = {
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
