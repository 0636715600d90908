// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { ObjectReference } from '../object-reference';

/** Used in `FleetDefaults.tolerations` and `ModelDeploymentProps.tolerations`. */
export interface Toleration {
  /** The key of the taint. None with operator Exists: every taint.
   * @default - none */
  readonly key?: string | undefined;
  /** Equal: key and value match. Exists: the key does.
   * @default Equal */
  readonly operator?: 'Equal' | 'Exists' | undefined;
  /** The value of the taint, for operator Equal.
   * @default - none */
  readonly value?: string | undefined;
  /** The effect of the taint.
   * @default every effect */
  readonly effect?: 'NoSchedule' | 'NoExecute' | undefined;
}

/** The zone that the record of hostname belongs to. */
export interface Dns {
  /** The name of the zone: example.com. */
  readonly zone: string;
  /** Who holds the zone: a Pulumi stack then writes the record there.
   * @default - nothing writes it, and plan lists it */
  readonly provider?: 'CloudDNS' | 'Route53' | undefined;
  /** With provider: the name of the managed zone (CloudDNS), or the ID of the hosted zone (Route53).
   * @default - none */
  readonly id?: string | undefined;
}

/** The certificates by which fronts and edges know each other. */
export interface ClusterGatewayTls {
  /** The certificate of the edge, with the host name of this cluster.
   * @default - none */
  readonly certificateRef?: SecretReference | undefined;
  /** An issuer of cert-manager that makes all certificates of this cluster.
   * @default - none */
  readonly issuer?: CertificateIssuer | undefined;
  /** What a front on this cluster shows to edges.
   * @default made by the issuer */
  readonly clientCertificateRef?: SecretReference | undefined;
  /** The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with a front in the namespace of each service. */
  readonly caRef: GatewayCaReference;
}

/** Used in `ClusterGatewayTls.certificateRef`, `ClusterGatewayTls.clientCertificateRef`, `GatewayTls.certificateRef` and 5 more. */
export interface SecretReference {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
}

/** Used in `ClusterGatewayTls.issuer` and `GatewayTls.issuer`. */
export interface CertificateIssuer {
  /** The name of the issuer. */
  readonly name: string;
  /** Issuer: one in namespace fleetwright-system.
   * @default ClusterIssuer */
  readonly kind?: 'ClusterIssuer' | 'Issuer' | undefined;
}

/** The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with a front in the namespace of each service. */
export interface GatewayCaReference {
  /** The name of the ConfigMap: ca.crt. */
  readonly name: string;
}

/** The certificate of the gateway. */
export interface GatewayTls {
  /** The certificate of its host name.
   * @default - none */
  readonly certificateRef?: SecretReference | undefined;
  /** An issuer of cert-manager that makes it.
   * @default - none */
  readonly issuer?: CertificateIssuer | undefined;
}

/** Used in `GatewayAddition.auth`, `InferenceGatewayProps.auth` and `ModelServiceProps.auth`. */
export interface Auth {
  /** Whether requests must be authenticated.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** Keys that clients send.
   * @default none */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Tokens that clients send instead.
   * @default - none */
  readonly jwt?: Jwt | undefined;
}

/** Used in `Auth.apiKeys`. */
export interface ApiKey {
  /** The name of the API key in logs and limits, and its key in the Secret. */
  readonly name: string;
  /** The Secret, on the clusters of the gateway. Every entry of it is a key. */
  readonly secretRef: SecretReference;
}

/** Tokens that clients send instead. */
export interface Jwt {
  /** Who issues the tokens: https://accounts.example.com. */
  readonly issuer: string;
  /** The accepted audiences of the tokens.
   * @default all */
  readonly audiences?: readonly string[] | undefined;
  /** Where the public keys of the issuer are. */
  readonly jwksUri: string;
  /** The claim that names the client, for limits.
   * @default sub */
  readonly clientClaim?: string | undefined;
}

/** Used in `InferenceGatewayProps.rateLimits` and `ModelServiceProps.rateLimits`. */
export interface RateLimit {
  /** The most requests. */
  readonly requests: number;
  /** In which time.
   * @default Minute */
  readonly per?: 'Second' | 'Minute' | 'Hour' | undefined;
  /** Key: counted for each client. Service: for all of them together.
   * @default Key */
  readonly by?: 'Key' | 'Service' | undefined;
}

/** Used in `InferenceGatewayProps.timeouts`, `ModelServiceProps.timeouts` and `ModelEndpointProps.timeouts`. */
export interface Timeouts {
  /** From the request to the end of the answer.
   * @default no limit, for long answers */
  readonly request?: string | undefined;
  /** Without a byte in either direction.
   * @default 1h */
  readonly idle?: string | undefined;
  /** Until a connection is established.
   * @default 5s */
  readonly connect?: string | undefined;
}

/** Used in `Placement.preferred` and `ServiceEndpoint.selector`. */
export interface ExactLabels {
  /** Labels that must be there with these values. */
  readonly matchLabels: Readonly<Record<string, string>>;
}
