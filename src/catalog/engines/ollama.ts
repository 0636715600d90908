import type { EngineProfile } from './engine-profile';

/**
 * Ollama. Facts: its repository and image, which sets `OLLAMA_HOST`. Ollama pulls models through its API and loads them
 * at the first request, so its port answers before a model is ready.
 */
export const OLLAMA: EngineProfile = {
  runtime: 'Ollama',
  title: 'Ollama',
  images: [/(^|\/)ollama$/],
  programs: ['ollama serve'],
  entrypoint: true,
  switches: [],
  port: { flags: [], env: 'OLLAMA_HOST', default: 11434 },
  host: { flags: [], env: 'OLLAMA_HOST', default: '0.0.0.0' },
  health: { startup: '/api/version', readiness: '/api/version', liveness: '/api/version' },
  healthTimeout: 5,
  model: { flags: [], positional: false, directory: false },
  precision: {},
  cacheDirectories: { OLLAMA_MODELS: '/root/.ollama/models' },
  parallelism: {},
  user: { id: 0, anyUser: true, capabilities: [] },
};
