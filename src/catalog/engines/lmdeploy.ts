import type { EngineProfile } from './engine-profile';

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
  metrics: { path: '/metrics', switches: [] },
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
};
