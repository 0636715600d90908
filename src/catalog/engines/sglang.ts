import type { EngineProfile } from './engine-profile';
import { SGLANG_VALUES } from './flag-values';
import { SGLANG_IMAGES } from './published-images';
import { SGLANG_FLAGS } from './sglang-flags';

/** SGLang. Facts: docs.sglang.ai (server arguments, multi-node) and `srt/entrypoints/http_server.py`. */
export const SGLANG: EngineProfile = {
  runtime: 'SGLang',
  flagValues: SGLANG_VALUES,
  title: 'SGLang',
  images: [/(^|\/)sglang(-[a-z0-9]+)*$/],
  published: SGLANG_IMAGES,
  programs: ['sglang.launch_server', 'sglang serve'],
  entrypoint: false,
  derived: {
    image: 'lmsysorg/sglang:v0.5.9',
    command: ['python3', '-m', 'sglang.launch_server'],
    revision: '--revision',
    converts: ['fp8'],
  },
  switches: ['--trust-remote-code'],
  configFile: { flags: ['--config'] },
  port: { flags: ['--port'], default: 30000 },
  host: { flags: ['--host'], default: '127.0.0.1' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  // /health generates a token. It answers after 1 second at the earliest and 20 seconds at the latest.
  healthTimeout: 20,
  metrics: {
    path: '/metrics',
    switches: ['--enable-metrics'],
    // Without errors: `sglang:num_aborted_requests_total` includes requests that a client aborts.
    names: {
      waiting: { name: 'sglang:num_queue_reqs' },
      running: { name: 'sglang:num_running_reqs' },
      kvUse: { name: 'sglang:token_usage' },
      ttft: {
        name: 'sglang:time_to_first_token_seconds',
        buckets: [0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400],
      },
      interTokenLatency: {
        name: 'sglang:inter_token_latency_seconds',
        buckets: [
          0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6, 0.8,
          1, 2, 4, 6, 8,
        ],
      },
      endToEndLatency: {
        name: 'sglang:e2e_request_latency_seconds',
        buckets: [0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 1200, 1800, 2400],
      },
      requests: { name: 'sglang:num_requests_total' },
      tokensIn: { name: 'sglang:prompt_tokens_total' },
      tokensOut: { name: 'sglang:generation_tokens_total' },
    },
    source: 'github.com/sgl-project/sglang, python/sglang/srt/metrics/collector.py',
    version: '00ae9c15',
  },
  model: { flags: ['--model-path', '--model'], positional: false, directory: true, without: 'would fail at start' },
  servedName: { flags: ['--served-model-name'] },
  precision: { dtype: { flags: ['--dtype'] }, quantization: { flags: ['--quantization'] } },
  // The tokenizer, in the process of the API server, and the detokenizer.
  processes: 2,
  cacheDirectories: { HF_HOME: '/root/.cache/huggingface' },
  parallelism: {
    tensor: { flags: ['--tp-size', '--tensor-parallel-size', '--tp'] },
    pipeline: { flags: ['--pp-size', '--pipeline-parallel-size', '--pp'] },
    data: { flags: ['--dp-size', '--data-parallel-size', '--dp'] },
    dataWithinTensor: { flags: ['--enable-dp-attention'] },
  },
  memory: {
    engine: 'sglang',
    context: { flags: ['--context-length'], fitting: [] },
    refusesLongContext: false,
    utilization: { flags: ['--mem-fraction-static'] },
    kvDtype: { flags: ['--kv-cache-dtype'] },
    sharesExperts: false,
    expertRanks: { flags: ['--ep-size', '--expert-parallel-size', '--ep'] },
    unsized: { flags: ['--cpu-offload-gb', '--max-total-tokens', '--device'] },
    lean: { flags: ['--disable-cuda-graph'] },
    stretched: { flags: ['--json-model-override-args'] },
  },
  bootstrap: {
    flags: [
      ['--nnodes', '{nodes}'],
      ['--node-rank', '$(FLEETWRIGHT_RANK)'],
      ['--dist-init-addr', '$(FLEETWRIGHT_LEADER_ADDRESS):20000'],
    ],
    workerSwitches: [],
    podFields: {},
  },
  disaggregation: {
    connector: 'sglang',
    flags: {
      Prefill: [
        ['--disaggregation-mode', 'prefill'],
        ['--disaggregation-transfer-backend', 'nixl'],
      ],
      Decode: [
        ['--disaggregation-mode', 'decode'],
        ['--disaggregation-transfer-backend', 'nixl'],
      ],
    },
    env: {},
    podFields: {},
  },
  blockSize: { flags: ['--page-size'], default: 1 },
  prefixCache: { off: { flags: ['--disable-radix-cache'] } },
  user: { id: 0, anyUser: false, capabilities: [] },
  adapters: { flags: ['--lora-paths'], switches: ['--enable-lora'], form: 'Words', named: true },
  apiKey: { flags: ['--api-key'] },
  otherFlags: SGLANG_FLAGS,
  flagsOf: '0.5.23',
};
