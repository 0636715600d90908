import { DYNAMO_WORKER } from './dynamo';
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

/** The profile of any other program. Only the port and the host are assumed. */
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
 * The assumptions about an engine with an unknown runtime. The API of the alias group promises that each engine listens
 * on 8000, answers `/health`, takes its model as `--model`, and transfers prompts with NIXL.
 */
export const MODELPLANE_CUSTOM: EngineProfile = {
  ...CUSTOM,
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  model: { flags: ['--model'], positional: false, directory: true },
  disaggregation: { ...NIXL, flags: { Prefill: [], Decode: [] } },
};

/** The profile of each runtime, in the order of detection: NIM images are named after the runtime inside. */
export const ENGINE_PROFILES: Readonly<Record<Runtime, EngineProfile>> = {
  NIM,
  vLLM: VLLM,
  SGLang: SGLANG,
  TensorRTLLM: TENSORRT_LLM,
  TGI,
  LlamaCpp: LLAMA_CPP,
  Ollama: OLLAMA,
  LMDeploy: LMDEPLOY,
  Dynamo: DYNAMO_WORKER,
  Custom: CUSTOM,
};
