import type { Engine } from '../../api/engine';
import type { EngineHealth, EngineServing } from '../../engine/ports-and-probe-defaults';
import { startupSecondsOf } from '../../engine/startup-and-shutdown';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME } from '../../manifest/kubernetes/object-names';

/** The name of the port of an engine behind a sidecar. */
const ENGINE_PORT_NAME = 'engine';

/** Returns the port of the engine itself, with its name in the pod. */
export function enginePortOf({ port, enginePort, portName }: EngineServing) {
  const name = portName ?? (port === enginePort ? HTTP_PORT_NAME : ENGINE_PORT_NAME);
  return { name, containerPort: enginePort };
}

/**
 * Renders the probes of a serving engine. Returns none if the engine has no health settings. There is no liveness
 * probe: a busy engine that misses one would lose its loaded weights.
 */
export function renderEngineProbes(engine: Engine, serving: EngineServing, cacheGiB: number | undefined): JsonObject {
  const { health } = serving;
  if (!health) return {};
  const port = health.port ?? enginePortOf(serving).name;
  const { initialDelay, interval } = health;
  return {
    startupProbe: {
      ...renderCheck(health, health.startupPath, port),
      ...(initialDelay > 0 && { initialDelaySeconds: initialDelay }),
      failureThreshold: Math.ceil(startupSecondsOf(engine, cacheGiB) / interval),
    },
    readinessProbe: renderReadinessProbe(health, port),
  };
}

/** Renders the readiness probe of an engine, or of the sidecar in front of it. */
export function renderReadinessProbe(health: EngineHealth, port: string | number): JsonObject {
  const { healthyThreshold, unhealthyThreshold } = health;
  return {
    ...renderCheck(health, health.readinessPath, port),
    ...(healthyThreshold > 1 && { successThreshold: healthyThreshold }),
    failureThreshold: unhealthyThreshold,
  };
}

function renderCheck({ interval, timeout }: EngineHealth, path: string, port: string | number): JsonObject {
  return { httpGet: { path, port }, periodSeconds: interval, timeoutSeconds: timeout };
}
