import type { EngineProfile } from './engine-profile';
import { TGI_IMAGES } from './published-images';

/** Text Generation Inference, in maintenance mode. Facts: its repository. The port is the port of its image. */
export const TGI: EngineProfile = {
  runtime: 'TGI',
  title: 'Text Generation Inference',
  images: [/(^|\/)text-generation-inference$/],
  published: TGI_IMAGES,
  programs: ['text-generation-launcher'],
  entrypoint: true,
  switches: ['--trust-remote-code'],
  port: { flags: ['--port', '-p'], env: 'PORT', default: 80 },
  host: { flags: ['--hostname'], env: 'HOSTNAME', default: '0.0.0.0' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: {
    path: '/metrics',
    switches: [],
    // The bounds of its histograms are powers of 1.5, so that no bound of users is one of them.
    names: {
      waiting: { name: 'tgi_queue_size' },
      running: { name: 'tgi_batch_current_size' },
      interTokenLatency: { name: 'tgi_request_mean_time_per_token_duration' },
      endToEndLatency: { name: 'tgi_request_duration' },
      requests: { name: 'tgi_request_count' },
      errors: { name: 'tgi_request_failure' },
      tokensIn: { name: 'tgi_request_input_length_sum' },
      tokensOut: { name: 'tgi_request_generated_tokens_sum' },
    },
    source: 'github.com/huggingface/text-generation-inference, docs/source/reference/metrics.md',
    version: 'v3.3',
  },
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
  apiKey: { flags: ['--api-key'], env: 'API_KEY' },
};
