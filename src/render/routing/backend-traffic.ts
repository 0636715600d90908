import { PICKED_ENDPOINT_HEADER } from '../../catalog/llm-d/endpoint-picker';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { HealthCheck, Picker, Timeouts } from '../../routing/traffic-policy';

/**
 * Times of a policy. Without the first Envoy cuts every answer after 15 seconds, and without the second after some
 * minutes of silence.
 */
export function renderTimeouts({ request = 0, idle, connect }: Timeouts): JsonObject {
  return {
    tcp: { connectTimeout: formatGatewayDuration(connect) },
    http: { requestTimeout: formatGatewayDuration(request), streamIdleTimeout: formatGatewayDuration(idle) },
  };
}

/** More than any proxy has: Envoy's own bound is 1024, and streams of language models are many and long. */
const NO_LIMIT = 1_000_000;

/** No bounds: of fronts, since the edges have some, and before endpoint pickers, which have each request for moments. */
export const UNBOUNDED_BREAKER: JsonObject = {
  maxConnections: NO_LIMIT,
  maxPendingRequests: NO_LIMIT,
  maxParallelRequests: NO_LIMIT,
};

/**
 * Requests that one proxy of an edge has open at a pod: it speaks HTTP/1.1 with engines, so each is a connection. What
 * comes beyond waits, and beyond that is refused, and a front takes it to another cluster. Bounded by pod, so that
 * those that are left of a cluster get no more than before.
 */
const MAX_CONNECTIONS_PER_POD = 128;

/** Requests that wait for a free pod, in one proxy of an edge. */
const MAX_PENDING_REQUESTS = 128;

/** What an edge bounds before the pods of a deployment. */
export const EDGE_BREAKER: JsonObject = {
  ...UNBOUNDED_BREAKER,
  maxPendingRequests: MAX_PENDING_REQUESTS,
  perEndpoint: { maxConnections: MAX_CONNECTIONS_PER_POD },
  // Each thread of a proxy keeps connections of its own. Those that one keeps idle would count against the others,
  // whose requests would wait one behind the other for minutes.
  maxRequestsPerConnection: 1,
};

/** Too many requests: what an edge answers when it has nobody who can take one. */
const OVERLOADED_STATUS = 429;

/**
 * What an edge answers in place of Envoy's own 503. Fronts put out whoever fails several times in a row: an edge that
 * refuses what is too much would be put out with all that it still serves, and the next one would follow, overrun by
 * what it left.
 */
export const EDGE_RESPONSE_OVERRIDES: readonly JsonObject[] = [
  {
    match: { statusCodes: [{ type: 'Value', value: 503 }] },
    source: 'Local',
    response: {
      statusCode: OVERLOADED_STATUS,
      contentType: 'application/json',
      body: {
        type: 'Inline',
        inline: '{"error":{"type":"overloaded_error","message":"no replica is free"}}',
      },
    },
  },
];

/**
 * What a front sends again, while nothing of the answer has come. No `numAttemptsPerPriority`: with it the first
 * retry goes to tier 1 though tier 0 has others. The code needs its trigger, and `reset` is for members that die.
 */
export const FRONT_RETRY: JsonObject = {
  numRetries: 2,
  retryOn: {
    triggers: ['connect-failure', 'refused-stream', 'reset', 'retriable-status-codes'],
    httpStatusCodes: [OVERLOADED_STATUS, 503],
  },
};

/** What an edge sends again: what has certainly reached no engine. */
export const EDGE_RETRY: JsonObject = { numRetries: 1, retryOn: { triggers: ['connect-failure'] } };

/** How an edge chooses between pods: as its endpoint picker says, and where it says nothing the one with the fewest. */
export function podBalancerOf(picker: Picker): JsonObject {
  if (picker.kind === 'PrefixCache') {
    return {
      ...balancerOf(undefined),
      endpointOverride: { extractFrom: [{ header: PICKED_ENDPOINT_HEADER }] },
    };
  }
  return balancerOf(picker.kind === 'ConsistentHash' ? picker.header : undefined);
}

/** How a gateway chooses among members of equal weight. */
export function balancerOf(affinity: string | undefined): JsonObject {
  if (affinity === undefined) return { type: 'LeastRequest' };
  return {
    type: 'ConsistentHash',
    consistentHash: { type: 'Headers', headers: [{ name: affinity }] },
  };
}

/** How members are asked, and where. */
export interface ActiveCheck {
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
const PASSIVE_CHECKS = {
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
export function renderHealthChecks(asked: ActiveCheck | undefined): JsonObject {
  return { panicThreshold: 0, ...(asked && { active: renderActiveCheck(asked) }), passive: PASSIVE_CHECKS };
}

/**
 * What takes out addresses of a provider that fail, of several that its name has: never more than half of them. Nobody
 * asks a provider, and of one with a single address the front judges.
 */
export const ADDRESS_CHECKS: JsonObject = { passive: { ...PASSIVE_CHECKS, maxEjectionPercent: 50 } };

function renderActiveCheck({ check, path, port }: ActiveCheck): JsonObject {
  const { interval, timeout, healthyThreshold, unhealthyThreshold, expectedStatuses } = check;
  return {
    type: 'HTTP',
    interval: formatGatewayDuration(interval),
    timeout: formatGatewayDuration(timeout),
    healthyThreshold,
    unhealthyThreshold,
    // No host name: each endpoint is then asked by its own.
    http: { path, expectedStatuses },
    ...(port !== undefined && { overrides: { port } }),
  };
}

/** Milliseconds of each unit, largest first. */
const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/**
 * Seconds as Gateway API writes durations: at most five digits of each unit (GEP-2257).
 *
 * @example
 * durationText(5400); // '1h30m'
 */
export function formatGatewayDuration(seconds: number): string {
  let rest = Math.round(seconds * 1000);
  const parts = UNITS.map(([unit, size]) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
