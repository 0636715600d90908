/** Who may send requests through an ingress gateway. */
export type Auth =
  | { readonly kind: 'None' }
  | { readonly kind: 'ApiKeys'; readonly keys: readonly ApiKey[] }
  | {
      readonly kind: 'Jwt';
      readonly issuer: string;
      /** Empty: anybody. */
      readonly audiences: readonly string[];
      readonly jwksUri: string;
      /** The claim that names the client. */
      readonly clientClaim: string;
    };

/** A key of a client, and the Secret that has it on every cluster of the gateway. */
export interface ApiKey {
  /** What limits and logs call the client: the key in the Secret. */
  readonly name: string;
  readonly secret: SecretKey;
}

/** One entry of a Secret that has to be on a cluster. Its value is never read here. */
export interface SecretKey {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** The most requests of a client, or of all together, as each replica of the gateway counts them. */
export interface RateLimit {
  readonly requests: number;
  readonly per: 'Second' | 'Minute' | 'Hour';
  readonly by: 'Key' | 'Service';
}

/** Times of requests, in seconds. */
export interface Timeouts {
  /** From request to end of answer. Absent: no limit. */
  readonly request?: number;
  readonly idle: number;
  readonly connect: number;
}

/** How often something is asked whether it serves, and when it is believed. Times in seconds. */
export interface HealthCheck {
  readonly interval: number;
  readonly timeout: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;

  /** Answers that count as good, sorted. */
  readonly expectedStatuses: readonly number[];
}

/** How an edge selects the pod for a request. */
export type Picker =
  | { readonly kind: 'LeastRequest' }
  | { readonly kind: 'ConsistentHash'; readonly header: string }
  | {
      /** An endpoint picker in front of the pods. If it is down, requests bypass it. */
      readonly kind: 'PrefixCache';
      readonly mode: 'Unified' | 'PrefillDecode';
      /** The block size of the prefix cache of the engine, in tokens. */
      readonly blockSize: number;
      /** Set if an InferencePool is next to the picker, which is then in the namespace of the deployment. */
      readonly pool?: true;
    };

/** A certificate with its key, in namespace `fleetwright-system` of its cluster. */
export interface Certificate {
  /** The Secret (`tls.crt`, `tls.key`). */
  readonly secret: string;

  /** The required DNS names, sorted. */
  readonly dnsNames: readonly string[];

  /** The issuer of the certificate. Absent: the user provides the Secret. */
  readonly issuer?: { readonly name: string; readonly kind: 'ClusterIssuer' | 'Issuer' };
}
