import type { EngineProfile } from './engine-profile';
import { REQUEST_LATENCY_BUCKETS, TOKEN_LATENCY_BUCKETS, TTFT_BUCKETS } from './vllm';

/** LMDeploy. Facts: lmdeploy.readthedocs.io (api_server) and its repository. Only its PyTorch engine has gangs. */
export const LMDEPLOY: EngineProfile = {
  runtime: 'LMDeploy',
  title: 'LMDeploy',
  images: [/(^|\/)lmdeploy(-[a-z0-9]+)*$/],
  programs: ['lmdeploy serve api_server'],
  entrypoint: false,
  switches: ['--trust-remote-code'],
  port: { flags: ['--server-port'], default: 23333 },
  host: { flags: ['--server-name'], default: '0.0.0.0' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: {
    path: '/metrics',
    switches: [],
    // Without tokensOut: `lmdeploy:generation_tokens_total` counts each token twice.
    names: {
      waiting: { name: 'lmdeploy:num_requests_waiting' },
      running: { name: 'lmdeploy:num_requests_running' },
      kvUse: { name: 'lmdeploy:gpu_cache_usage_perc' },
      ttft: { name: 'lmdeploy:time_to_first_token_seconds', buckets: TTFT_BUCKETS },
      interTokenLatency: { name: 'lmdeploy:time_per_output_token_seconds', buckets: TOKEN_LATENCY_BUCKETS },
      endToEndLatency: { name: 'lmdeploy:e2e_request_latency_seconds', buckets: REQUEST_LATENCY_BUCKETS },
      requests: { name: 'lmdeploy:e2e_request_latency_seconds_count' },
      tokensIn: { name: 'lmdeploy:prompt_tokens_total' },
    },
    source: 'github.com/InternLM/lmdeploy, lmdeploy/metrics/loggers.py',
    version: '0168eeda',
  },
  model: { flags: [], positional: true, directory: true, without: 'would fail at start' },
  servedName: { flags: ['--model-name'] },
  precision: { dtype: { flags: ['--dtype'] }, quantization: { flags: ['--model-format'] } },
  cacheDirectories: { HF_HOME: '/root/.cache/huggingface' },
  parallelism: { tensor: { flags: ['--tp'] }, other: { flags: ['--dp', '--ep'] } },
  bootstrap: {
    flags: [
      ['--nnodes', '{nodes}'],
      ['--node-rank', '$(FLEETWRIGHT_RANK)'],
      ['--dist-init-addr', '$(FLEETWRIGHT_LEADER_ADDRESS):20000'],
    ],
    workerSwitches: [],
    podFields: {},
  },
  blockSize: { flags: ['--cache-block-seq-len'], default: 64 },
  prefixCache: { on: { flags: ['--enable-prefix-caching'] } },
  user: { id: 0, anyUser: false, capabilities: [] },
  adapters: { flags: ['--adapters'], switches: [], form: 'Words', named: true },
  apiKey: { flags: ['--api-keys'] },
};
