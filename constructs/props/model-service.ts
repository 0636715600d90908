// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

/** Properties of a `ModelService`. One address for a model, over endpoints that serve it. */
export interface ModelServiceProps {
  /**
   * The name, unique among resources of this kind and namespace.
   *
   * @default the id of the construct
   */
  readonly name?: string | undefined;

  /**
   * The namespace.
   *
   * @default default
   */
  readonly namespace?: string | undefined;

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

  /** Where requests go, by weight. */
  readonly endpoints: readonly {
    /**
     * The share of requests, relative to other entries of its tier.
     *
     * @default 1
     */
    readonly weight?: number | undefined;

    /** The endpoints of this entry. An endpoint belongs to the first entry that selects it. */
    readonly selector: {
      /** Labels that must be there with these values. */
      readonly matchLabels: Readonly<Record<string, string>>;
    };

    /**
     * 1: gets requests only while nothing of tier 0 serves.
     *
     * @default 0
     */
    readonly tier?: 0 | 1 | undefined;

    /**
     * Requests for this entry alone, as for a canary; it gets no others.
     *
     * @default - all requests
     */
    readonly match?:
      | {
          /** Headers that a request carries, with their values. */
          readonly headers: Readonly<Record<string, string>>;
        }
      | undefined;
  }[];

  /**
   * Which pod of a cluster gets a request. PrefixCache: the one that has its beginning cached, by an endpoint picker.
   *
   * @default PrefixCache for prefill and decode, ConsistentHash with sessionAffinity, else LeastRequest
   */
  readonly picker?: 'LeastRequest' | 'ConsistentHash' | 'PrefixCache' | undefined;

  /**
   * What keeps the requests of a session together.
   *
   * @default - nothing
   */
  readonly sessionAffinity?:
    | {
        /** Requests with the same value of this header go to the same replica: x-session. */
        readonly header: string;
      }
    | undefined;

  /**
   * Who may send requests; None: everybody.
   *
   * @default as the gateway has it
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
   * The most requests.
   *
   * @default as the gateway has it
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
   * Times of requests.
   *
   * @default as the gateway has them
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
   * The model that requests name.
   *
   * @default what engines and endpoints serve
   */
  readonly servedModelName?: string | undefined;

  /**
   * Over how many failure domains its replicas are spread at least.
   *
   * @default - none
   */
  readonly failureDomains?:
    | {
        /** The fewest regions, or other domains of its deployments. */
        readonly min: number;
      }
    | undefined;

  /**
   * Whether requests may become WebSockets, to replicas alone: what is sent through one is under no limit of the gateway.
   *
   * @default false
   */
  readonly webSocket?: boolean | undefined;

  /**
   * Forbidden: no request leaves the fleet.
   *
   * @default Allowed
   */
  readonly externalEndpoints?: 'Allowed' | 'Forbidden' | undefined;
}
