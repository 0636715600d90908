// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { InferenceCluster } from '../inference-cluster';
import type { Auth, Dns, GatewayTls, RateLimit, Timeouts } from './shared';

/** Properties of an `InferenceGateway`. The address at which users reach the services of the fleet. */
export interface InferenceGatewayProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The clusters that run the gateway.
   * @default - none */
  readonly clusters?: readonly (InferenceCluster | string)[] | undefined;
  /** The host name of the gateway: models.example.com.
   * @default - its Service within the cluster */
  readonly hostname?: string | undefined;
  /** The zone that the record of hostname belongs to.
   * @default unknown */
  readonly dns?: Dns | undefined;
  /** Whether it is reachable from the internet. true requires tls, and auth here or in each service; insecure does not.
   * @default false */
  readonly public?: false | true | 'insecure' | undefined;
  /** The certificate of the gateway.
   * @default - none, and HTTP without TLS */
  readonly tls?: GatewayTls | undefined;
  /** The clients that may send requests. None: all clients.
   * @default None */
  readonly auth?: 'None' | Auth | undefined;
  /** The rate limit. Each proxy counts alone, and a gateway has two on each of its clusters.
   * @default no limit */
  readonly rateLimits?: readonly RateLimit[] | undefined;
  /** The largest request.
   * @default 32Mi */
  readonly maxRequestBody?: string | undefined;
  /** Timeouts of requests.
   * @default - none */
  readonly timeouts?: Timeouts | undefined;
  /** Accepted but ignored: Envoy Gateway serves. Required by modelplane.ai.
   * @default - none */
  readonly backend?: 'Traefik' | undefined;
  /** Accepted but ignored.
   * @default - none */
  readonly traefik?: Traefik | undefined;
}

/** Accepted but ignored. */
export interface Traefik {
  /** The version of the chart. */
  readonly version: string;
  /** The load balancer that gives the gateway its address.
   * @default - none */
  readonly loadBalancer?: 'MetalLB' | undefined;
  /** For load balancer MetalLB.
   * @default - none */
  readonly metallb?: Metallb | undefined;
}

/** For load balancer MetalLB. */
export interface Metallb {
  /** The addresses to assign: 172.18.255.200-172.18.255.250. */
  readonly addressPool: string;
}
