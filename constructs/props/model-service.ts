// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { Auth, ExactLabels, RateLimit, Timeouts } from './shared';

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
  /** Annotations. Nothing is decided by them.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Where requests go, by weight. */
  readonly endpoints: readonly ServiceEndpoint[];
  /** Which pod of a cluster gets a request. PrefixCache: the one that has its beginning cached, by an endpoint picker.
   * @default PrefixCache for prefill and decode, ConsistentHash with sessionAffinity, else that of the Fleet, else LeastRequest */
  readonly picker?: 'LeastRequest' | 'ConsistentHash' | 'PrefixCache' | PodPicker | undefined;
  /** What keeps the requests of a session together.
   * @default - nothing */
  readonly sessionAffinity?: SessionAffinity | undefined;
  /** The clients that may send requests. None: all clients.
   * @default that of the gateway */
  readonly auth?: 'None' | Auth | undefined;
  /** The most requests.
   * @default that of the gateway */
  readonly rateLimits?: readonly RateLimit[] | undefined;
  /** Timeouts of requests.
   * @default those of the gateway */
  readonly timeouts?: Timeouts | undefined;
  /** The model that requests name.
   * @default what engines and endpoints serve */
  readonly servedModelName?: string | undefined;
  /** Over how many failure domains its replicas are spread at least.
   * @default - none */
  readonly failureDomains?: FailureDomains | undefined;
  /** Whether clients can open WebSockets to replicas. The limits of the gateway do not apply to data that is sent through them.
   * @default false */
  readonly webSocket?: boolean | undefined;
  /** The most percentage points by which one change may raise or lower the share of an entry. plan --gate refuses more.
   * @default 100 */
  readonly maxShareChange?: number | undefined;
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
  /** 1: gets requests only while nothing of tier 0 serves.
   * @default 0 */
  readonly tier?: 0 | 1 | undefined;
  /** Requests for this entry alone, as for a canary; it gets no others.
   * @default - all requests */
  readonly match?: RequestMatch | undefined;
}

/** Requests for this entry alone, as for a canary; it gets no others. */
export interface RequestMatch {
  /** Headers that a request carries, with their values. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Used in `ModelServiceProps.picker`. */
export interface PodPicker {
  /** As the word alone.
   * @default PrefixCache with pool */
  readonly kind?: 'LeastRequest' | 'ConsistentHash' | 'PrefixCache' | undefined;
  /** Whether an InferencePool stands next to the endpoint picker, on clusters with servingStack.inferenceCrds, for tools that look for one.
   * @default false */
  readonly pool?: boolean | undefined;
}

/** What keeps the requests of a session together. */
export interface SessionAffinity {
  /** Requests with the same value of this header go to the same replica: x-session. */
  readonly header: string;
}

/** Over how many failure domains its replicas are spread at least. */
export interface FailureDomains {
  /** The fewest regions, or other domains of its deployments. */
  readonly min: number;
}
