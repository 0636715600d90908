import type { Disaggregation, EngineProfile } from './engine-profile';

const TRANSFER = ['--kv-transfer-config', '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'] as const;

/** Transfer with NIXL, which the image must contain. Facts: docs.vllm.ai, NixlConnector usage guide. */
export const NIXL: Disaggregation = {
  connector: 'nixlv2',
  flags: { Prefill: [TRANSFER], Decode: [TRANSFER] },
  env: { VLLM_NIXL_SIDE_CHANNEL_PORT: '5557' },
  podFields: { VLLM_NIXL_SIDE_CHANNEL_HOST: 'status.podIP' },
};

/** vLLM. Facts: docs.vllm.ai (CLI reference, parallelism and scaling, Docker) and its source. */
export const VLLM: EngineProfile = {
  runtime: 'vLLM',
  title: 'vLLM',
  images: [/(^|\/)vllm(-[a-z0-9]+)*$/, /(^|\/)llm-d(-[a-z0-9]+)*$/],
  programs: ['vllm serve', 'vllm.entrypoints.openai.api_server', 'vllm.entrypoints.api_server'],
  entrypoint: true,
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
  metrics: { path: '/metrics', switches: [] },
  inFlight: '^vllm:num_requests_(running|waiting)[{].* [1-9]',
  model: {
    flags: ['--model'],
    positional: true,
    directory: true,
    without: 'would serve its default, facebook/opt-125m',
  },
  servedName: { flags: ['--served-model-name'] },
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
};
