import type { EngineProfile } from './engine-profile';

/**
 * The server of llama.cpp. Facts: `tools/server/README.md` and its images, which set `LLAMA_ARG_HOST`. It serves one
 * file, so a directory of weights cannot be its model. It cuts responses off when it is asked to end (`server.cpp`), and
 * refuses `--flag=value` (`common/arg.cpp`).
 */
export const LLAMA_CPP: EngineProfile = {
  runtime: 'LlamaCpp',
  title: 'llama.cpp',
  images: [/(^|\/)llama\.cpp$/],
  programs: ['llama-server'],
  entrypoint: true,
  separateValues: true,
  switches: ['--metrics', '--jinja', '-cb', '--cont-batching', '--embedding', '--embeddings', '--reranking'],
  port: { flags: ['--port'], env: 'LLAMA_ARG_PORT', default: 8080 },
  host: { flags: ['--host'], env: 'LLAMA_ARG_HOST', default: '0.0.0.0' },
  health: { startup: '/health', readiness: '/health', liveness: '/health' },
  healthTimeout: 5,
  metrics: {
    path: '/metrics',
    switches: ['--metrics'],
    names: {
      waiting: { name: 'llamacpp:requests_deferred' },
      running: { name: 'llamacpp:requests_processing' },
      tokensIn: { name: 'llamacpp:prompt_tokens_total' },
      tokensOut: { name: 'llamacpp:tokens_predicted_total' },
    },
    source: 'github.com/ggml-org/llama.cpp, tools/server/README.md',
    version: '11434',
  },
  inFlight: '^llamacpp:requests_(processing|deferred) [1-9]',
  model: {
    flags: ['--model', '-m', '--hf-repo', '-hf', '-hfr', '--model-url', '-mu', '--docker-repo', '-dr', '--models-dir'],
    env: 'LLAMA_ARG_MODEL',
    positional: false,
    directory: false,
  },
  servedName: { flags: ['--alias', '-a'], env: 'LLAMA_ARG_ALIAS' },
  precision: {},
  cacheDirectories: { LLAMA_CACHE: '/root/.cache/llama.cpp' },
  parallelism: {},
  user: { id: 0, anyUser: true, capabilities: [] },
  adapters: { flags: ['--lora'], switches: [], form: 'Repeated', named: false },
  apiKey: { flags: ['--api-key', '--api-key-file'], env: 'LLAMA_API_KEY' },
};
