import type { EngineProfile } from './engine-profile';
import { VLLM_METRICS } from './vllm';

/**
 * NVIDIA NIM for language models, 2.x: a proxy in front of vLLM. Facts: docs.nvidia.com/nim/large-language-models. Its
 * images contain a model, or take `NIM_MODEL_PATH`.
 */
export const NIM: EngineProfile = {
  runtime: 'NIM',
  title: 'NVIDIA NIM',
  images: [/(^|\/)nim\//],
  programs: [],
  entrypoint: true,
  switches: [],
  configFile: { flags: ['--config'] },
  port: { flags: [], env: 'NIM_SERVER_PORT', default: 8000 },
  healthPort: { flags: [], env: 'NIM_HEALTH_PORT' },
  host: { flags: [], default: '0.0.0.0' },
  health: { startup: '/v1/health/ready', readiness: '/v1/health/ready', liveness: '/v1/health/live' },
  healthTimeout: 5,
  // Those of vLLM (docs.nvidia.com/nim/large-language-models, observability).
  metrics: { ...VLLM_METRICS, path: '/v1/metrics' },
  model: { flags: [], env: 'NIM_MODEL_PATH', positional: true, directory: true },
  servedName: { flags: [], env: 'NIM_SERVED_MODEL_NAME' },
  precision: {},
  cacheDirectories: { NIM_CACHE_PATH: '/opt/nim/.cache' },
  parallelism: {
    automatic: true,
    tensor: { flags: ['--tensor-parallel-size'], env: 'NIM_TENSOR_PARALLEL_SIZE' },
    pipeline: { flags: ['--pipeline-parallel-size'], env: 'NIM_PIPELINE_PARALLEL_SIZE' },
  },
  blockSize: { flags: ['--block-size'], default: 16 },
  prefixCache: { on: { flags: [], env: 'NIM_ENABLE_KV_CACHE_REUSE' } },
  user: { id: 1000, anyUser: true, capabilities: [] },
  adapters: { flags: [], env: 'NIM_PEFT_SOURCE', switches: [], form: 'Directory', named: false },
};
