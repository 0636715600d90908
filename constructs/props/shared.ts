// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { ObjectReference } from '../object-reference';

/** Used in `FleetDefaults.tolerations` and `ModelDeploymentProps.tolerations`. */
export interface Toleration {
  /** The key of the taint. Without a key, operator Exists matches all taints.
   * @default - none */
  readonly key?: string | undefined;
  /** Equal: key and value must match. Exists: the key must match.
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
  /** The provider of the zone, in which a Pulumi stack then writes the record.
   * @default - you write the record, and plan lists it */
  readonly provider?: 'CloudDNS' | 'Route53' | 'AzureDNS' | undefined;
  /** With provider: the name of the managed zone (CloudDNS), the ID of the hosted zone (Route53), or the resource ID of the zone (AzureDNS).
   * @default - none */
  readonly id?: string | undefined;
}

/** The certificates with which ingress gateways and cluster gateways authenticate each other. */
export interface ClusterGatewayTls {
  /** The certificate of the cluster gateway, for the host name of this cluster.
   * @default - none */
  readonly certificateRef?: SecretReference | undefined;
  /** The cert-manager issuer of all certificates of this cluster.
   * @default - none */
  readonly issuer?: CertificateIssuer | undefined;
  /** The client certificate that an ingress gateway on this cluster presents to cluster gateways.
   * @default made by the issuer */
  readonly clientCertificateRef?: SecretReference | undefined;
  /** The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with an ingress gateway also in the namespace of each service. */
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
  /** Issuer: an Issuer in namespace fleetwright-system.
   * @default ClusterIssuer */
  readonly kind?: 'ClusterIssuer' | 'Issuer' | undefined;
}

/** The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with an ingress gateway also in the namespace of each service. */
export interface GatewayCaReference {
  /** The name of the ConfigMap: ca.crt. */
  readonly name: ObjectReference | string;
}

/** The certificate of the gateway. */
export interface GatewayTls {
  /** The certificate of its host name.
   * @default - none */
  readonly certificateRef?: SecretReference | undefined;
  /** A cert-manager issuer that makes it.
   * @default - none */
  readonly issuer?: CertificateIssuer | undefined;
}

/** Used in `GatewayAddition.auth`, `InferenceGatewayProps.auth` and `ModelServiceProps.auth`. */
export interface Auth {
  /** Whether requests must be authenticated.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** API keys of clients.
   * @default none */
  readonly apiKeys?: readonly ApiKey[] | undefined;
  /** Tokens of clients, instead of API keys.
   * @default - none */
  readonly jwt?: Jwt | undefined;
}

/** Used in `Auth.apiKeys`. */
export interface ApiKey {
  /** The name of the API key in logs and limits, and its key in the Secret. */
  readonly name: string;
  /** The Secret, on the clusters of the gateway. Each of its entries is an API key. */
  readonly secretRef: SecretReference;
}

/** Tokens of clients, instead of API keys. */
export interface Jwt {
  /** The issuer of the tokens: https://accounts.example.com. */
  readonly issuer: string;
  /** The accepted audiences of the tokens.
   * @default all */
  readonly audiences?: readonly string[] | undefined;
  /** The address of the public keys of the issuer. */
  readonly jwksUri: string;
  /** The claim that identifies the client, for limits.
   * @default sub */
  readonly clientClaim?: string | undefined;
}

/** Used in `InferenceGatewayProps.rateLimits` and `ModelServiceProps.rateLimits`. */
export interface RateLimit {
  /** The number of requests. */
  readonly requests: number;
  /** The period.
   * @default Minute */
  readonly per?: 'Second' | 'Minute' | 'Hour' | undefined;
  /** Key: for each client. Service: for all clients together.
   * @default Key */
  readonly by?: 'Key' | 'Service' | undefined;
}

/** Used in `InferenceGatewayProps.timeouts`, `ModelServiceProps.timeouts` and `ModelEndpointProps.timeouts`. */
export interface Timeouts {
  /** The time from the request to the end of the answer.
   * @default no limit, because answers can take long */
  readonly request?: string | undefined;
  /** The time without a byte in either direction.
   * @default 1h */
  readonly idle?: string | undefined;
  /** The time to establish a connection.
   * @default 5s */
  readonly connect?: string | undefined;
}

/** Used in `Placement.preferred` and `ServiceEndpoint.selector`. */
export interface ExactLabels {
  /** Labels that must exist with these values. */
  readonly matchLabels: Readonly<Record<string, string>>;
}
