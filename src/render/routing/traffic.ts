import { PICKED_HEADER } from '../../catalog/engines/endpoint-picker';
import type { Picker, Timeouts } from '../../routing/policy';
import type { JsonObject } from '../manifest';
import { durationText } from './duration-text';

/**
 * Times of a policy. Without the first Envoy cuts every answer after 15 seconds, and without the second after some
 * minutes of silence.
 */
export function timeoutsOf({ request = 0, idle, connect }: Timeouts): JsonObject {
  return {
    tcp: { connectTimeout: durationText(connect) },
    http: { requestTimeout: durationText(request), streamIdleTimeout: durationText(idle) },
  };
}

/** More than any proxy has: Envoy's own bound is 1024, and streams of language models are many and long. */
const UNBOUNDED = 1_000_000;

/** No bounds: of fronts, since the edges have some, and before endpoint pickers, which have each request for moments. */
export const UNBOUNDED_BREAKER: JsonObject = {
  maxConnections: UNBOUNDED,
  maxPendingRequests: UNBOUNDED,
  maxParallelRequests: UNBOUNDED,
};

/**
 * Requests that one proxy of an edge has open at a pod: it speaks HTTP/1.1 with engines, so each is a connection. What
 * comes beyond waits, and beyond that is refused, and a front takes it to another cluster. Bounded by pod, so that
 * those that are left of a cluster get no more than before.
 */
const AT_A_POD = 128;

/** Requests that wait for a free pod, in one proxy of an edge. */
const WAITING = 128;

/** What an edge bounds before the pods of a deployment. */
export const EDGE_BREAKER: JsonObject = {
  ...UNBOUNDED_BREAKER,
  maxPendingRequests: WAITING,
  perEndpoint: { maxConnections: AT_A_POD },
  // Each thread of a proxy keeps connections of its own. Those that one keeps idle would count against the others,
  // whose requests would wait one behind the other for minutes.
  maxRequestsPerConnection: 1,
};

/** Too many requests: what an edge answers when it has nobody who can take one. */
const OVERLOADED = 429;

/**
 * What an edge answers in place of Envoy's own 503. Fronts put out whoever fails several times in a row: an edge that
 * refuses what is too much would be put out with all that it still serves, and the next one would follow, overrun by
 * what it left.
 */
export const EDGE_ANSWERS: readonly JsonObject[] = [
  {
    match: { statusCodes: [{ type: 'Value', value: 503 }] },
    source: 'Local',
    response: {
      statusCode: OVERLOADED,
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
    httpStatusCodes: [OVERLOADED, 503],
  },
};

/** What an edge sends again: what has certainly reached no engine. */
export const EDGE_RETRY: JsonObject = { numRetries: 1, retryOn: { triggers: ['connect-failure'] } };

/** How an edge chooses between pods: as its endpoint picker says, and where it says nothing the one with the fewest. */
export function podBalancer(picker: Picker): JsonObject {
  if (picker.kind === 'PrefixCache') {
    return { ...balancer(undefined), endpointOverride: { extractFrom: [{ header: PICKED_HEADER }] } };
  }
  return balancer(picker.kind === 'ConsistentHash' ? picker.header : undefined);
}

/** How a gateway chooses among members of equal weight. */
export function balancer(affinity: string | undefined): JsonObject {
  if (affinity === undefined) return { type: 'LeastRequest' };
  return {
    type: 'ConsistentHash',
    consistentHash: { type: 'Headers', headers: [{ name: affinity }] },
  };
}
