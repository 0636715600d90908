// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { Auth, ExactLabels, RateLimit, Timeouts } from './shared';
import type { NonEmpty } from '../non-empty';

/** Properties of a `ModelService`. One address for a model, over endpoints that serve it. */
export interface ModelServiceProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The targets of requests, by weight. */
  readonly endpoints: NonEmpty<ServiceEndpoint>;
  /** How a gateway chooses the pod of a cluster for a request. PrefixCache: an endpoint picker chooses the pod that has the beginning of the prompt cached.
   * @default PrefixCache for prefill and decode, ConsistentHash with sessionAffinity, else that of the Fleet, else LeastRequest */
  readonly picker?: 'LeastRequest' | 'ConsistentHash' | 'PrefixCache' | PodPicker | undefined;
  /** How requests of a session are kept on one replica.
   * @default - nothing */
  readonly sessionAffinity?: SessionAffinity | undefined;
  /** The clients that may send requests. None: all clients.
   * @default that of the gateway */
  readonly auth?: 'None' | Auth | undefined;
  /** The rate limit. Each proxy of a gateway counts alone.
   * @default that of the gateway */
  readonly rateLimits?: readonly RateLimit[] | undefined;
  /** Timeouts of requests.
   * @default those of the gateway */
  readonly timeouts?: Timeouts | undefined;
  /** The model that requests name.
   * @default what engines and endpoints serve */
  readonly servedModelName?: string | undefined;
  /** The fewest failure domains that its replicas must be in.
   * @default - none */
  readonly failureDomains?: FailureDomains | undefined;
  /** Whether clients can open WebSockets to replicas. The limits of the gateway do not apply to data that is sent through them.
   * @default false */
  readonly webSocket?: boolean | undefined;
  /** The most percentage points by which one change may raise or lower the share of an entry. plan --gate refuses more.
   * @default 100 */
  readonly maxShareChange?: number | undefined;
  /** What it guarantees its clients: alerts compare metrics with it.
   * @default - nothing */
  readonly slo?: Slo | undefined;
  /** Forbidden: no request leaves the fleet.
   * @default Allowed */
  readonly externalEndpoints?: 'Allowed' | 'Forbidden' | undefined;
}

/** Used in `ModelServiceProps.endpoints`. */
export interface ServiceEndpoint {
  /** The share of requests, relative to other entries of its tier.
   * @default 1 */
  readonly weight?: number | undefined;
  /** The endpoints of this entry. An endpoint belongs to the first entry that selects it. */
  readonly selector: ExactLabels;
  /** 1: gets requests only while no entry of tier 0 serves.
   * @default 0 */
  readonly tier?: 0 | 1 | undefined;
  /** Routes only matching requests to this entry, and matching requests only to it, as for a canary.
   * @default - all requests */
  readonly match?: RequestMatch | undefined;
}

/** Routes only matching requests to this entry, and matching requests only to it, as for a canary. */
export interface RequestMatch {
  /** Headers of requests, with their values. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Used in `ModelServiceProps.picker`. */
export interface PodPicker {
  /** The same as the short form.
   * @default PrefixCache with pool */
  readonly kind?: 'LeastRequest' | 'ConsistentHash' | 'PrefixCache' | undefined;
  /** Whether to create an InferencePool for the endpoint picker, on clusters with servingStack.inferenceCrds, for tools that look for one.
   * @default false */
  readonly pool?: boolean | undefined;
}

/** How requests of a session are kept on one replica. */
export interface SessionAffinity {
  /** Requests with the same value of this header go to the same replica: x-session. */
  readonly header: string;
}

/** The fewest failure domains that its replicas must be in. */
export interface FailureDomains {
  /** The fewest regions, or other domains of its deployments. */
  readonly min: number;
}

/** What it guarantees its clients: alerts compare metrics with it. */
export interface Slo {
  /** The time to the first token. Each bound has to be one that its engines count at.
   * @default - no bound */
  readonly ttft?: LatencyBounds | undefined;
  /** The time between two tokens. Each bound has to be one that its engines count at.
   * @default - no bound */
  readonly interTokenLatency?: LatencyBounds | undefined;
  /** The time of a request. Each bound has to be one that its engines count at.
   * @default - no bound */
  readonly endToEndLatency?: LatencyBounds | undefined;
  /** The percentage of requests without an error of the server: 99.5.
   * @default - none */
  readonly availability?: number | undefined;
}

/** Used in `Slo.ttft`, `Slo.interTokenLatency` and `Slo.endToEndLatency`. */
export interface LatencyBounds {
  /** The bound that 90 % of requests keep: 500ms.
   * @default - none */
  readonly p90?: string | undefined;
  /** The bound that 95 % of requests keep: 1s.
   * @default - none */
  readonly p95?: string | undefined;
  /** The bound that 99 % of requests keep: 2.5s.
   * @default - none */
  readonly p99?: string | undefined;
}
