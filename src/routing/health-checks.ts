import { isFrontend, pairPhaseOf } from '../api/engine-phases';
import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { servingOf } from '../engine/ports-and-probe-defaults';
import type { EdgeBackend, EngineCheck } from './gateway-types';
import type { HealthCheck } from './traffic-types';

/** The default health check of a member. Times in seconds. */
const DEFAULT_CHECK: HealthCheck = {
  interval: 10,
  timeout: 5,
  healthyThreshold: 1,
  unhealthyThreshold: 3,
  expectedStatuses: [200],
};

/** Returns the engine of a deployment that answers requests: decode of a prefill/decode pair, the frontend of Dynamo. */
export function findAnsweringEngine({ spec }: ModelDeployment): Engine {
  const { engines } = spec.template.spec;
  const found = engines.find((one) => isFrontend(one) || pairPhaseOf(one) === 'Decode') ?? engines[0];
  if (!found) throw new Error('bug: a deployment without engines');
  return found;
}

/** Returns how an edge checks the engines of a deployment, and on which port they serve. */
export function engineHealthOf(
  deployment: ModelDeployment,
): { readonly containerPort: number } & Pick<EdgeBackend, 'enginePath' | 'health'> {
  const { port: containerPort, health } = servingOf(deployment, findAnsweringEngine(deployment));
  if (!health) return { containerPort };
  const { interval, timeout, healthyThreshold, unhealthyThreshold, port } = health;
  const { expectedStatuses = [200] } = deployment.spec.template.spec.healthCheck;
  const check: EngineCheck = {
    interval,
    timeout,
    healthyThreshold,
    unhealthyThreshold,
    expectedStatuses: [...new Set(expectedStatuses)].sort((a, b) => a - b),
    ...(port !== undefined && port !== containerPort && { port }),
  };
  return { containerPort, enginePath: health.readinessPath, health: check };
}

/** Combines the checks of members that share a policy. Edges forward responses of engines, and egresses answer 200. */
export function combineHealthChecks(checks: readonly HealthCheck[]): HealthCheck {
  if (checks.length === 0) return DEFAULT_CHECK;
  const statuses = new Set([200, ...checks.flatMap(({ expectedStatuses }) => expectedStatuses)]);
  return {
    interval: Math.min(...checks.map(({ interval }) => interval)),
    timeout: Math.max(...checks.map(({ timeout }) => timeout)),
    healthyThreshold: Math.max(...checks.map(({ healthyThreshold }) => healthyThreshold)),
    unhealthyThreshold: Math.min(...checks.map(({ unhealthyThreshold }) => unhealthyThreshold)),
    expectedStatuses: [...statuses].sort((a, b) => a - b),
  };
}
