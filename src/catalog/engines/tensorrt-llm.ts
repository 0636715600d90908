import type { EngineProfile } from './engine-profile';

/**
 * TensorRT-LLM as `trtllm-serve` runs it. Facts: nvidia.github.io/TensorRT-LLM (trtllm-serve). `/metrics` serves
 * statistics in JSON. `/prometheus/metrics` requires `return_perf_metrics` in the configuration file. Several nodes
 * require MPI, which arguments cannot set up.
 */
export const TENSORRT_LLM: EngineProfile = {
  runtime: 'TensorRTLLM',
  title: 'TensorRT-LLM',
  images: [/(^|\/)tensorrt-llm(\/|$)/],
  programs: ['trtllm-serve serve', 'trtllm-serve'],
  entrypoint: false,
  switches: ['--trust_remote_code'],
  configFile: { flags: ['--extra_llm_api_options', '--config'] },
  port: { flags: ['--port'], default: 8000 },
  host: { flags: ['--host'], default: 'localhost' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: { path: '/prometheus/metrics', switches: [] },
  model: { flags: [], positional: true, directory: true, without: 'would fail at start' },
  servedName: { flags: ['--served_model_name'] },
  precision: {},
  cacheDirectories: { HF_HOME: '/root/.cache/huggingface' },
  parallelism: { tensor: { flags: ['--tp_size'] }, pipeline: { flags: ['--pp_size'] } },
  blockSize: { flags: [], default: 32 },
  prefixCache: {},
  user: { id: 0, anyUser: false, capabilities: [] },
};
