import type { JsonObject } from './manifest';

/** The port on which engines answer requests, and its name in pods and Services. */
export const HTTP_PORT = { name: 'http', port: 8000 } as const;

const PERIOD_SECONDS = 10;

/** How long an engine may load before its pod is restarted: large weights on slow storage take most of it. */
export const STARTUP_SECONDS = 3600;

/** The default of one second is too short for engines that answer a health check between two batches. */
const CHECK: JsonObject = {
  httpGet: { path: '/health', port: HTTP_PORT.name },
  periodSeconds: PERIOD_SECONDS,
  timeoutSeconds: 5,
};

/** The probes of a pod that serves. No liveness probe: a busy engine that misses one would lose its loaded weights. */
export const SERVING_PROBES: JsonObject = {
  startupProbe: { ...CHECK, failureThreshold: STARTUP_SECONDS / PERIOD_SECONDS },
  readinessProbe: { ...CHECK, failureThreshold: 3 },
};
