import type { EngineProfile } from './engine-profile';
import { REQUEST_LATENCY_BUCKETS, TOKEN_LATENCY_BUCKETS, TTFT_BUCKETS } from './vllm';
import { TENSORRT_LLM_IMAGES } from './published-images';

/**
 * TensorRT-LLM as `trtllm-serve` runs it. Facts: nvidia.github.io/TensorRT-LLM (trtllm-serve). `/metrics` serves
 * statistics in JSON. `/prometheus/metrics` requires `return_perf_metrics` in the configuration file. Several nodes
 * require MPI, which arguments cannot set up.
 */
export const TENSORRT_LLM: EngineProfile = {
  runtime: 'TensorRTLLM',
  title: 'TensorRT-LLM',
  images: [/(^|\/)tensorrt-llm(\/|$)/],
  published: TENSORRT_LLM_IMAGES,
  programs: ['trtllm-serve serve', 'trtllm-serve'],
  entrypoint: false,
  switches: ['--trust_remote_code'],
  configFile: { flags: ['--extra_llm_api_options', '--config'] },
  port: { flags: ['--port'], default: 8000 },
  host: { flags: ['--host'], default: 'localhost' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: {
    path: '/prometheus/metrics',
    switches: [],
    names: {
      waiting: { name: 'trtllm_num_requests_waiting' },
      running: { name: 'trtllm_num_requests_running' },
      kvUse: { name: 'trtllm_kv_cache_utilization' },
      ttft: { name: 'trtllm_time_to_first_token_seconds', buckets: TTFT_BUCKETS },
      interTokenLatency: { name: 'trtllm_time_per_output_token_seconds', buckets: TOKEN_LATENCY_BUCKETS },
      endToEndLatency: { name: 'trtllm_e2e_request_latency_seconds', buckets: REQUEST_LATENCY_BUCKETS },
      requests: { name: 'trtllm_request_success_total' },
      errors: { name: 'trtllm_request_error_total' },
      tokensIn: { name: 'trtllm_prompt_tokens_total' },
      tokensOut: { name: 'trtllm_generation_tokens_total' },
    },
    source: 'github.com/NVIDIA/TensorRT-LLM, tensorrt_llm/metrics/collector.py',
    version: '050f80de',
  },
  model: { flags: [], positional: true, directory: true, without: 'would fail at start' },
  servedName: { flags: ['--served_model_name'] },
  precision: {},
  cacheDirectories: { HF_HOME: '/root/.cache/huggingface' },
  parallelism: { tensor: { flags: ['--tp_size'] }, pipeline: { flags: ['--pp_size'] } },
  blockSize: { flags: [], default: 32 },
  prefixCache: {},
  user: { id: 0, anyUser: false, capabilities: [] },
};
