import type { Group } from '../../api/resource';
import type { EngineProfile } from './profile';
import { NIXL } from './vllm';

/** Anything else, of which nothing is known but where it should listen. */
export const CUSTOM: EngineProfile = {
  runtime: 'Custom',
  title: 'Custom',
  images: [],
  programs: [],
  entrypoint: true,
  switches: [],
  port: { flags: [], default: 8000 },
  host: { flags: [], default: '0.0.0.0' },
  healthTimeout: 5,
  model: { flags: [], positional: false, directory: false },
  precision: {},
  cacheDirectories: {},
  parallelism: {},
};

/**
 * What is taken for granted of an engine that nothing tells apart. Under the alias group its contract with every
 * engine: it listens on 8000, answers `/health`, takes its model as
 * `--model`, and hands prompts over by NIXL.
 */
export const CUSTOM_OF_GROUP: Readonly<Record<Group, EngineProfile>> = {
  'fleetwright.dev': CUSTOM,
  'modelplane.ai': {
    ...CUSTOM,
    health: { startup: '/health', readiness: '/health', liveness: '/health' },
    model: { flags: ['--model'], positional: false, directory: true },
    disaggregation: { ...NIXL, flags: { Prefill: [], Decode: [] } },
  },
};
