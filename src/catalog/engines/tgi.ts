import type { EngineProfile } from './engine-profile';

/** Text Generation Inference, in maintenance mode. Facts: its repository. The port is the port of its image. */
export const TGI: EngineProfile = {
  runtime: 'TGI',
  title: 'Text Generation Inference',
  images: [/(^|\/)text-generation-inference$/],
  programs: ['text-generation-launcher'],
  entrypoint: true,
  switches: ['--trust-remote-code'],
  port: { flags: ['--port', '-p'], env: 'PORT', default: 80 },
  host: { flags: ['--hostname'], env: 'HOSTNAME', default: '0.0.0.0' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: { path: '/metrics', switches: [] },
  model: {
    flags: ['--model-id'],
    env: 'MODEL_ID',
    positional: false,
    directory: true,
    without: 'would serve its default, bigscience/bloom-560m',
  },
  servedName: { flags: ['--served-model-name'] },
  precision: { dtype: { flags: ['--dtype'], env: 'DTYPE' }, quantization: { flags: ['--quantize'], env: 'QUANTIZE' } },
  cacheDirectories: { HF_HOME: '/data' },
  parallelism: { automatic: true, tensor: { flags: ['--num-shard'], env: 'NUM_SHARD' } },
  user: { id: 0, anyUser: false, capabilities: [] },
  adapters: { flags: ['--lora-adapters'], env: 'LORA_ADAPTERS', switches: [], form: 'Commas', named: true },
};
