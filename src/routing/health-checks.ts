import type { Engine } from '../api/engine';
import type { ModelDeployment } from '../api/model-deployment';
import { servingOf } from '../engine/ports-and-probe-defaults';
import type { EdgeBackend, EngineCheck } from './gateways';
import type { HealthCheck } from './traffic-policy';

/** How a member is asked of which nobody says anything. Times in seconds. */
const DEFAULT_CHECK: HealthCheck = {
  interval: 10,
  timeout: 5,
  healthyThreshold: 1,
  unhealthyThreshold: 3,
  expectedStatuses: [200],
};

/** The engine of a deployment that answers requests: of a pair the one that decodes. */
export function findAnsweringEngine({ spec }: ModelDeployment): Engine {
  const { engines } = spec.template.spec;
  const found = engines.find(({ phase }) => phase === 'Decode') ?? engines[0];
  if (!found) throw new Error('bug: a deployment without engines');
  return found;
}

/** How an edge asks the engines of a deployment, and where they answer. */
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

/**
 * How fronts ask all members of a service, which have one policy: as often as the most impatient of them wants, and
 * as patiently as the slowest. The edge passes the answers of engines on, and egresses say 200.
 */
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
