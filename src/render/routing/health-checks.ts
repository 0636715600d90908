import type { HealthCheck } from '../../routing/policy';
import type { JsonObject } from '../manifest';
import { durationText } from './duration-text';

/** How members are asked, and where. */
export interface Asked {
  readonly check: HealthCheck;
  readonly path: string;

  /** Where it is not the port that serves. */
  readonly port?: number;
}

/**
 * What takes members out that fail while they say that they serve: five failures in a row, for 10 seconds the first
 * time, 20 the second, and so on up to 5 minutes. A good answer to a check ends that early, unless `frontPatches`
 * forbids it: the rule then has an external endpoint, and all members beside it stay out for the whole time as well,
 * edges too. So it is no longer than it takes to spare a provider that fails most of its failures.
 */
const PASSIVE = {
  consecutive5XxErrors: 5,
  consecutiveGatewayErrors: 5,
  interval: '2s',
  baseEjectionTime: '10s',
  maxEjectionPercent: 100,
} as const;

/**
 * The health checks of a policy. Nobody sends to members that do not serve, not even when none does: by default Envoy
 * takes half of them down for a mistake of the check, and spreads requests over all.
 *
 * @param asked absent: nobody asks, and only failures count
 */
export function healthChecks(asked: Asked | undefined): JsonObject {
  return { panicThreshold: 0, ...(asked && { active: active(asked) }), passive: PASSIVE };
}

/**
 * What takes out addresses of a provider that fail, of several that its name has: never more than half of them. Nobody
 * asks a provider, and of one with a single address the front judges.
 */
export const ADDRESS_CHECKS: JsonObject = { passive: { ...PASSIVE, maxEjectionPercent: 50 } };

function active({ check, path, port }: Asked): JsonObject {
  const { interval, timeout, healthyThreshold, unhealthyThreshold, expectedStatuses } = check;
  return {
    type: 'HTTP',
    interval: durationText(interval),
    timeout: durationText(timeout),
    healthyThreshold,
    unhealthyThreshold,
    // No host name: each endpoint is then asked by its own.
    http: { path, expectedStatuses },
    ...(port !== undefined && { overrides: { port } }),
  };
}
