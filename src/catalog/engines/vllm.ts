import type { EngineMetrics } from './engine-metrics';
import type { Disaggregation, EngineProfile } from './engine-profile';
import { VLLM_VALUES } from './flag-values';
import { VLLM_IMAGES } from './published-images';
import { VLLM_FLAGS } from './vllm-flags';

const TRANSFER = ['--kv-transfer-config', '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'] as const;

/** Transfer with NIXL, which the image must contain. Facts: docs.vllm.ai, NixlConnector usage guide. */
export const NIXL: Disaggregation = {
  connector: 'nixlv2',
  flags: { Prefill: [TRANSFER], Decode: [TRANSFER] },
  env: { VLLM_NIXL_SIDE_CHANNEL_PORT: '5557' },
  podFields: { VLLM_NIXL_SIDE_CHANNEL_HOST: 'status.podIP' },
};

/** The bounds of latencies of requests, which other engines took over from vLLM. */
export const REQUEST_LATENCY_BUCKETS = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];

/** The bounds of times to first token, which other engines took over from vLLM. */
export const TTFT_BUCKETS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];

/** The bounds of times between tokens, which other engines took over from vLLM. */
export const TOKEN_LATENCY_BUCKETS = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];

/** Requests that a client aborts are no errors. */
export const VLLM_METRICS: EngineMetrics = {
  path: '/metrics',
  switches: [],
  names: {
    waiting: { name: 'vllm:num_requests_waiting' },
    running: { name: 'vllm:num_requests_running' },
    kvUse: { name: 'vllm:kv_cache_usage_perc' },
    ttft: { name: 'vllm:time_to_first_token_seconds', buckets: TTFT_BUCKETS },
    interTokenLatency: { name: 'vllm:inter_token_latency_seconds', buckets: TOKEN_LATENCY_BUCKETS },
    endToEndLatency: { name: 'vllm:e2e_request_latency_seconds', buckets: REQUEST_LATENCY_BUCKETS },
    requests: { name: 'vllm:request_success_total' },
    errors: { name: 'vllm:request_success_total', matchers: 'finished_reason="error"' },
    tokensIn: { name: 'vllm:prompt_tokens_total' },
    tokensOut: { name: 'vllm:generation_tokens_total' },
  },
  source: 'github.com/vllm-project/vllm, vllm/v1/metrics/loggers.py and buckets.py',
  version: '139b1c3f',
};

/** vLLM. Facts: docs.vllm.ai (CLI reference, parallelism and scaling, Docker) and its source. */
export const VLLM: EngineProfile = {
  runtime: 'vLLM',
  flagValues: VLLM_VALUES,
  title: 'vLLM',
  images: [/(^|\/)vllm(-[a-z0-9]+)*$/, /(^|\/)llm-d(-[a-z0-9]+)*$/],
  published: VLLM_IMAGES,
  programs: ['vllm serve', 'vllm.entrypoints.openai.api_server', 'vllm.entrypoints.api_server'],
  entrypoint: true,
  // gke-ai-labs, "Dynamic Resource Allocation of TPUs", and the docker commands of others set a command (2026-11-24).
  idleImages: [/(^|\/)vllm-tpu$/],
  derived: {
    image: 'vllm/vllm-openai:v0.23.0',
    revision: '--revision',
    requests: { flag: '--max-num-seqs', default: 256 },
    expertParallel: '--enable-expert-parallel',
    converts: ['fp8'],
  },
  switches: ['--headless', '--trust-remote-code', '--enforce-eager', '--async-scheduling'],
  configFile: { flags: ['--config'] },
  port: { flags: ['--port'], default: 8000 },
  host: { flags: ['--host'], default: '0.0.0.0' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: VLLM_METRICS,
  inFlight: '^vllm:num_requests_(running|waiting)[{].* [1-9]',
  model: {
    flags: ['--model'],
    positional: true,
    directory: true,
    without: 'would serve its default, facebook/opt-125m',
  },
  servedName: { flags: ['--served-model-name'] },
  pathIsName: true,
  precision: {
    dtype: {
      flags: ['--dtype'],
      // `_resolve_auto_dtype` in vllm/config falls back; before it, `_check_if_gpu_supports_dtype` raised an error.
      ofModel: {
        value: 'auto',
        half: 'half',
        without: 'older releases refuse to start, newer ones compute in float16',
      },
    },
    quantization: { flags: ['--quantization', '-q'] },
  },
  // The API server and the core of the engine.
  processes: 2,
  cacheDirectories: { HF_HOME: '/root/.cache/huggingface', VLLM_CACHE_ROOT: '/root/.cache/vllm' },
  parallelism: {
    tensor: { flags: ['--tensor-parallel-size', '-tp'] },
    pipeline: { flags: ['--pipeline-parallel-size', '-pp'] },
    data: { flags: ['--data-parallel-size', '-dp'] },
    dataLocal: { flags: ['--data-parallel-size-local', '-dpl'] },
    other: {
      flags: [
        '--data-parallel-rank',
        '-dpn',
        '--data-parallel-external-lb',
        '--data-parallel-hybrid-lb',
        '--prefill-context-parallel-size',
        '-pcp',
      ],
    },
  },
  // `_check_enough_kv_cache_memory` in vllm/v1/core/kv_cache_utils.py refuses what does not fit.
  memory: {
    engine: 'vllm',
    versions: /(?:^|\/)vllm(?:-openai)?:v?(0\.\d{1,3})(?:\.|$)/,
    context: { flags: ['--max-model-len'], fitting: ['auto', '-1'] },
    refusesLongContext: true,
    utilization: { flags: ['--gpu-memory-utilization'] },
    batchedTokens: { flags: ['--max-num-batched-tokens'] },
    kvDtype: { flags: ['--kv-cache-dtype'] },
    sharesExperts: true,
    expertParallel: { flags: ['--enable-expert-parallel', '-ep'] },
    unsized: {
      flags: [
        '--cpu-offload-gb',
        '--num-gpu-blocks-override',
        '--kv-cache-memory-bytes',
        '--kv-cache-memory',
        '--decode-context-parallel-size',
        '-dcp',
        '--device',
      ],
    },
    lean: {
      flags: ['--enforce-eager', '--compilation-config', '-O', '-cc', '--limit-mm-per-prompt', '--language-model-only'],
    },
    stretched: { flags: ['--hf-overrides', '--rope-scaling', '--rope-theta', '--hf-config-path'] },
    // `_get_and_verify_max_len` in vllm/config/model.py.
    overlong: { flags: [], env: 'VLLM_ALLOW_LONG_MAX_MODEL_LEN' },
  },
  bootstrap: {
    // vLLM derives data ranks from the rank of the node, as it does for tensor and pipeline parallelism.
    flags: [
      ['--distributed-executor-backend', 'mp'],
      ['--nnodes', '{nodes}'],
      ['--node-rank', '$(FLEETWRIGHT_RANK)'],
      ['--master-addr', '$(FLEETWRIGHT_LEADER_ADDRESS)'],
    ],
    workerSwitches: ['--headless'],
    // Without it, vLLM picks any network card of the node.
    podFields: { VLLM_HOST_IP: 'status.podIP' },
    ray: { setting: { flags: ['--distributed-executor-backend'] }, value: 'ray', port: 6379 },
  },
  disaggregation: NIXL,
  blockSize: { flags: ['--block-size'], default: 16 },
  prefixCache: { off: { flags: ['--no-enable-prefix-caching'] } },
  user: { id: 0, anyUser: false, capabilities: [] },
  adapters: { flags: ['--lora-modules'], switches: ['--enable-lora'], form: 'Words', named: true },
  apiKey: { flags: ['--api-key'], env: 'VLLM_API_KEY' },
  otherFlags: VLLM_FLAGS,
  flagsOf: '0.23.0',
};
