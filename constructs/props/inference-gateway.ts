// Written by `npm run props` from the schemas in src/api. Changes made here are lost.
import type { InferenceCluster } from '../inference-cluster';

/** Properties of an `InferenceGateway`. The address at which users reach the services of the fleet. */
export interface InferenceGatewayProps {
  /**
   * The name, unique among resources of this kind and namespace.
   *
   * @default the id of the construct
   */
  readonly name?: string | undefined;

  /**
   * Labels, for selectors.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;

  /**
   * Annotations. Nothing is decided by them.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined;

  /**
   * The clusters that the front door stands on.
   *
   * @default - none
   */
  readonly clusters?: readonly (InferenceCluster | string)[] | undefined;

  /**
   * The host name of the gateway: models.example.com.
   *
   * @default - its Service within the cluster
   */
  readonly hostname?: string | undefined;

  /**
   * The zone that the record of hostname belongs to.
   *
   * @default unknown
   */
  readonly dns?:
    | {
        /** The name of the zone: example.com. */
        readonly zone: string;

        /**
         * Who holds the zone: a Pulumi stack then writes the record there.
         *
         * @default - nothing writes it, and plan lists it
         */
        readonly provider?: 'CloudDNS' | 'Route53' | undefined;

        /**
         * With provider: the name of the managed zone (CloudDNS), or the ID of the hosted zone (Route53).
         *
         * @default - none
         */
        readonly id?: string | undefined;
      }
    | undefined;

  /**
   * Whether everybody can reach it: true asks for tls and auth, insecure does without.
   *
   * @default false
   */
  readonly public?: false | true | 'insecure' | undefined;

  /**
   * The certificate of the gateway.
   *
   * @default - none, and HTTP without TLS
   */
  readonly tls?:
    | {
        /**
         * The certificate of its host name.
         *
         * @default - none
         */
        readonly certificateRef?:
          | {
              /** The name of the Secret. */
              readonly name: string;
            }
          | undefined;

        /**
         * An issuer of cert-manager that makes it.
         *
         * @default - none
         */
        readonly issuer?:
          | {
              /** The name of the issuer. */
              readonly name: string;

              /**
               * Issuer: one in namespace fleetwright-system.
               *
               * @default ClusterIssuer
               */
              readonly kind?: 'ClusterIssuer' | 'Issuer' | undefined;
            }
          | undefined;
      }
    | undefined;

  /**
   * Who may send requests; None: everybody.
   *
   * @default None
   */
  readonly auth?:
    | 'None'
    | {
        /**
         * Whether requests are asked who sends them.
         *
         * @default true
         */
        readonly enabled?: boolean | undefined;

        /**
         * Keys that clients send.
         *
         * @default none
         */
        readonly apiKeys?:
          | readonly {
              /** What the key is called in logs and limits, and the key in the Secret that holds it. */
              readonly name: string;

              /** The Secret, on the clusters of the gateway. Every entry of it is a key. */
              readonly secretRef: {
                /** The name of the Secret. */
                readonly name: string;
              };
            }[]
          | undefined;

        /**
         * Tokens that clients send instead.
         *
         * @default - none
         */
        readonly jwt?:
          | {
              /** Who issues the tokens: https://accounts.example.com. */
              readonly issuer: string;

              /**
               * For whom they are issued.
               *
               * @default anybody
               */
              readonly audiences?: readonly string[] | undefined;

              /** Where the public keys of the issuer are. */
              readonly jwksUri: string;

              /**
               * The claim that names the client, for limits.
               *
               * @default sub
               */
              readonly clientClaim?: string | undefined;
            }
          | undefined;
      }
    | undefined;

  /**
   * The most requests, of each replica of the gateway.
   *
   * @default no limit
   */
  readonly rateLimits?:
    | readonly {
        /** The most requests. */
        readonly requests: number;

        /**
         * In which time.
         *
         * @default Minute
         */
        readonly per?: 'Second' | 'Minute' | 'Hour' | undefined;

        /**
         * Key: counted for each client. Service: for all of them together.
         *
         * @default Key
         */
        readonly by?: 'Key' | 'Service' | undefined;
      }[]
    | undefined;

  /**
   * The largest request.
   *
   * @default 32Mi
   */
  readonly maxRequestBody?: string | undefined;

  /**
   * Times of requests.
   *
   * @default - none
   */
  readonly timeouts?:
    | {
        /**
         * From the request to the end of the answer.
         *
         * @default no limit, for long answers
         */
        readonly request?: string | undefined;

        /**
         * Without a byte in either direction.
         *
         * @default 1h
         */
        readonly idle?: string | undefined;

        /**
         * Until a connection stands.
         *
         * @default 5s
         */
        readonly connect?: string | undefined;
      }
    | undefined;

  /**
   * Read and not used: Envoy Gateway serves. Required by modelplane.ai.
   *
   * @default - none
   */
  readonly backend?: 'Traefik' | undefined;

  /**
   * Read and not used.
   *
   * @default - none
   */
  readonly traefik?:
    | {
        /** The version of the chart. */
        readonly version: string;

        /**
         * What gives the gateway its address.
         *
         * @default - none
         */
        readonly loadBalancer?: 'MetalLB' | undefined;

        /**
         * For load balancer MetalLB.
         *
         * @default - none
         */
        readonly metallb?:
          | {
              /** Addresses to give out: 172.18.255.200-172.18.255.250. */
              readonly addressPool: string;
            }
          | undefined;
      }
    | undefined;
}
