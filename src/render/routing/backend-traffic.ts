import { PICKED_ENDPOINT_HEADER } from '../../catalog/llm-d/endpoint-picker';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import type { EngineCheck } from '../../routing/gateway-types';
import type { Picker, Timeouts } from '../../routing/traffic-types';

/** Without these, Envoy ends responses after 15 seconds, and streams that are silent for some minutes. */
export function renderTimeouts({ request = 0, idle, connect }: Timeouts): JsonObject {
  return {
    tcp: { connectTimeout: formatGatewayDuration(connect) },
    http: { requestTimeout: formatGatewayDuration(request), streamIdleTimeout: formatGatewayDuration(idle) },
  };
}

/** Larger than the limit of any proxy. The default of Envoy is 1024, but language model streams are many and long. */
const NO_LIMIT = 1_000_000;

/** For fronts, because edges have limits, and for endpoint pickers, because they hold each request only briefly. */
export const UNBOUNDED_BREAKER: JsonObject = {
  maxConnections: NO_LIMIT,
  maxPendingRequests: NO_LIMIT,
  maxParallelRequests: NO_LIMIT,
};

/**
 * The requests that one edge proxy sends to a pod at a time. The edge uses HTTP/1.1 to engines, so each request is a
 * connection. Further requests are queued, then rejected, and a front retries them on another cluster. The limit is per
 * pod, so that the remaining pods of a cluster do not get more requests when others fail.
 */
const MAX_CONNECTIONS_PER_POD = 128;

/** The requests that one edge proxy queues for a free pod. */
const MAX_PENDING_REQUESTS = 128;

/** The limits of an edge for the pods of a deployment. */
export const EDGE_BREAKER: JsonObject = {
  ...UNBOUNDED_BREAKER,
  maxPendingRequests: MAX_PENDING_REQUESTS,
  perEndpoint: { maxConnections: MAX_CONNECTIONS_PER_POD },
  // Each thread of a proxy has its own connection pool. Idle connections of one thread would count against the limit of
  // the others, whose requests would queue behind each other for minutes.
  maxRequestsPerConnection: 1,
};

/** The status (Too Many Requests) of an edge when no pod can take a request. */
const OVERLOADED_STATUS = 429;

/**
 * Replaces the 503 of Envoy in responses of an edge. Fronts eject a member after consecutive 5xx responses. An edge
 * that rejects excess requests would be ejected with all the load that it still serves, and its load would then
 * overload the next edge.
 */
export const EDGE_RESPONSE_OVERRIDES: readonly JsonObject[] = [
  {
    match: { statusCodes: [{ type: 'Value', value: 503 }] },
    source: 'Local',
    response: {
      statusCode: OVERLOADED_STATUS,
      contentType: 'application/json',
      body: { type: 'Inline', inline: '{"error":{"type":"overloaded_error","message":"no replica is free"}}' },
    },
  },
];

/**
 * The retries of a front, before the response starts. `numAttemptsPerPriority` is not set, because it sends the first
 * retry to tier 1 even if tier 0 has other members. Status codes need their trigger, and `reset` covers members that
 * die.
 */
export const FRONT_RETRY: JsonObject = {
  numRetries: 2,
  retryOn: {
    triggers: ['connect-failure', 'refused-stream', 'reset', 'retriable-status-codes'],
    httpStatusCodes: [OVERLOADED_STATUS, 503],
  },
};

/** The retries of an edge: only requests that have certainly not reached an engine. */
export const EDGE_RETRY: JsonObject = { numRetries: 1, retryOn: { triggers: ['connect-failure'] } };

/** An edge balances load by the choice of the endpoint picker, or else to the pod with the fewest requests. */
export function podBalancerOf(picker: Picker): JsonObject {
  if (picker.kind === 'PrefixCache') {
    return { ...balancerOf(undefined), endpointOverride: { extractFrom: [{ header: PICKED_ENDPOINT_HEADER }] } };
  }
  return balancerOf(picker.kind === 'ConsistentHash' ? picker.header : undefined);
}

/** Renders how a gateway balances load over members of equal weight. */
export function balancerOf(affinity: string | undefined): JsonObject {
  if (affinity === undefined) return { type: 'LeastRequest' };
  return {
    type: 'ConsistentHash',
    consistentHash: { type: 'Headers', headers: [{ name: affinity }] },
  };
}

interface ActiveCheck {
  readonly check: EngineCheck;
  readonly path: string;
}

/**
 * Ejects members that fail requests while they pass active checks: after five failures in a row, for 10 seconds the
 * first time, 20 seconds the second time, and so on up to 5 minutes. A passed active check ends the ejection early,
 * unless `renderFrontPatches` disables this for a rule with an external endpoint. All members of that rule, including
 * edges, then stay out for the whole time. The base time is therefore only as long as needed to avoid most failures of
 * a provider.
 */
const PASSIVE_CHECKS = {
  consecutive5XxErrors: 5,
  consecutiveGatewayErrors: 5,
  interval: '2s',
  baseEjectionTime: '10s',
  maxEjectionPercent: 100,
} as const;

/**
 * Renders the health checks of a policy. Members that are down never get requests, even if all are down. By default
 * Envoy assumes that a check is wrong when half of the members are down, and then sends requests to all members.
 *
 * @param active absent: passive checks only
 */
export function renderHealthChecks(active: ActiveCheck | undefined): JsonObject {
  return { panicThreshold: 0, ...(active && { active: renderActiveCheck(active) }), passive: PASSIVE_CHECKS };
}

/**
 * Ejects failing addresses of a provider whose name resolves to several addresses: at most half of them. Providers get
 * no active checks, and for a provider with a single address the front decides.
 */
export const ADDRESS_CHECKS: JsonObject = { passive: { ...PASSIVE_CHECKS, maxEjectionPercent: 50 } };

function renderActiveCheck({ check, path }: ActiveCheck): JsonObject {
  const { interval, timeout, healthyThreshold, unhealthyThreshold, expectedStatuses, port } = check;
  return {
    type: 'HTTP',
    interval: formatGatewayDuration(interval),
    timeout: formatGatewayDuration(timeout),
    healthyThreshold,
    unhealthyThreshold,
    // Without a host name, each endpoint is checked with its own host name.
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
 * Formats seconds as a Gateway API duration: at most five digits per unit (GEP-2257).
 *
 * @example
 * formatGatewayDuration(5400); // '1h30m'
 */
export function formatGatewayDuration(seconds: number): string {
  let milliseconds = Math.round(seconds * 1000);
  const parts = UNITS.map(([unit, size]) => {
    const amount = Math.floor(milliseconds / size);
    milliseconds -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
