import type { Engine } from '../api/engine';
import type { Health, Serving } from '../engine/serving';
import { type CacheSize, startupSeconds } from '../engine/startup';
import type { JsonObject } from './manifest';

/** The name of the port on which pods answer requests, in pods and Services. */
export const HTTP = 'http';

/** The name of the port of an engine that has a sidecar before it. */
const BEHIND_SIDECAR = 'engine';

/** The port on which an engine itself listens, as its pod names it. */
export function enginePort({ port, enginePort }: Serving): {
  readonly name: string;
  readonly containerPort: number;
} {
  return { name: port === enginePort ? HTTP : BEHIND_SIDECAR, containerPort: enginePort };
}

/**
 * The probes of an engine that serves; none where nobody asks. No liveness probe: a busy engine that misses one
 * would lose its loaded weights.
 */
export function engineProbes(engine: Engine, serving: Serving, cache: CacheSize | undefined): JsonObject {
  const { health } = serving;
  if (!health) return {};
  const port = health.port ?? enginePort(serving).name;
  const { initialDelay, interval } = health;
  return {
    startupProbe: {
      ...check(health, health.startupPath, port),
      ...(initialDelay > 0 && { initialDelaySeconds: initialDelay }),
      failureThreshold: Math.ceil(startupSeconds(engine, cache) / interval),
    },
    readinessProbe: readiness(health, port),
  };
}

/** The probe of a sidecar that stands before an engine: it answers as the engine does. */
export function sidecarProbe({ health }: Serving): JsonObject {
  return health ? { readinessProbe: readiness(health, HTTP) } : {};
}

function readiness(health: Health, port: string | number): JsonObject {
  const { healthyThreshold, unhealthyThreshold } = health;
  return {
    ...check(health, health.readinessPath, port),
    ...(healthyThreshold > 1 && { successThreshold: healthyThreshold }),
    failureThreshold: unhealthyThreshold,
  };
}

function check({ interval, timeout }: Health, path: string, port: string | number): JsonObject {
  return { httpGet: { path, port }, periodSeconds: interval, timeoutSeconds: timeout };
}
