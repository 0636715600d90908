import type { EngineProfile } from './engine-profile';
import { SGLANG } from './sglang';
import { TENSORRT_LLM } from './tensorrt-llm';
import { VLLM } from './vllm';

/** The frameworks that workers of Dynamo run, as its API calls them. */
export const DYNAMO_FRAMEWORKS = ['vllm', 'sglang', 'trtllm'] as const;

export type DynamoFramework = (typeof DYNAMO_FRAMEWORKS)[number];

/** The ends of the names of images that contain a framework. */
export const FRAMEWORK_IMAGES: Readonly<Record<DynamoFramework, string>> = {
  vllm: 'vllm-runtime',
  sglang: 'sglang-runtime',
  trtllm: 'tensorrtllm-runtime',
};

/**
 * What the parts of Dynamo have in common. Facts: docs/kubernetes of ai-dynamo/dynamo (dgd-reference, dcd-reference,
 * multinode-deployment, rolling-update). Its images run as user 1000.
 */
const COMMON = {
  runtime: 'Dynamo',
  images: [/(^|\/)ai-dynamo\//],
  entrypoint: false,
  operated: true,
  switches: [],
  host: { flags: [], default: '0.0.0.0' },
  healthTimeout: 5,
  cacheDirectories: { HF_HOME: '/home/dynamo/.cache/huggingface' },
  user: { id: 1000, anyUser: false, capabilities: [] },
} as const satisfies Partial<EngineProfile>;

/** What accepts requests for the workers, in the API of OpenAI. */
export const DYNAMO_FRONTEND: EngineProfile = {
  ...COMMON,
  title: 'the frontend of NVIDIA Dynamo',
  programs: ['dynamo.frontend'],
  port: { flags: ['--http-port'], env: 'DYN_HTTP_PORT', default: 8000 },
  health: { startup: '/health', readiness: '/health', liveness: '/live' },
  metrics: {
    path: '/metrics',
    switches: [],
    names: {
      waiting: { name: 'dynamo_frontend_queued_requests' },
      running: { name: 'dynamo_frontend_inflight_requests' },
      ttft: { name: 'dynamo_frontend_time_to_first_token_seconds' },
      interTokenLatency: { name: 'dynamo_frontend_inter_token_latency_seconds' },
      endToEndLatency: { name: 'dynamo_frontend_request_duration_seconds' },
      requests: { name: 'dynamo_frontend_requests_total' },
    },
    source: 'github.com/ai-dynamo/dynamo, docs/kubernetes/observability/metrics.md',
    version: '1.3.0',
  },
  model: { flags: [], positional: false, directory: false },
  precision: {},
  parallelism: {},
};

/**
 * A worker of a framework that is not known. It answers no requests of clients: its port, which probes of the operator
 * refer to by name, has its health and the metrics of its engine.
 */
export const DYNAMO_WORKER: EngineProfile = {
  ...COMMON,
  title: 'a worker of NVIDIA Dynamo',
  programs: ['dynamo.vllm', 'dynamo.sglang', 'dynamo.trtllm'],
  port: { flags: [], env: 'DYN_SYSTEM_PORT', default: 9090 },
  portName: 'system',
  health: { startup: '/live', readiness: '/health', liveness: '/live' },
  metrics: { path: '/metrics', switches: [] },
  model: { flags: ['--model', '--model-path'], positional: false, directory: true },
  precision: {},
  parallelism: {},
};

/** A worker takes the arguments of its engine. */
function workerOf(framework: DynamoFramework, engine: EngineProfile): EngineProfile & { framework: DynamoFramework } {
  const { model, servedName, precision, parallelism, switches, blockSize, metrics } = engine;
  return {
    ...DYNAMO_WORKER,
    framework,
    programs: [`dynamo.${framework}`],
    switches,
    model: { flags: model.flags, positional: false, directory: true },
    ...(servedName && { servedName }),
    precision,
    parallelism,
    ...(blockSize && { blockSize }),
    metrics: { ...metrics, path: '/metrics', switches: [] },
  };
}

/** The workers of each framework. */
export const DYNAMO_WORKERS = [
  workerOf('vllm', { ...VLLM, model: { ...VLLM.model, flags: ['--model'] } }),
  workerOf('sglang', SGLANG),
  workerOf('trtllm', {
    ...TENSORRT_LLM,
    model: { ...TENSORRT_LLM.model, flags: ['--model-path'] },
    servedName: { flags: ['--served-model-name'] },
    parallelism: {
      tensor: { flags: ['--tensor-parallel-size'] },
      pipeline: { flags: ['--pipeline-parallel-size'] },
    },
    blockSize: { flags: ['--kv-block-size'], default: 32 },
  }),
];
