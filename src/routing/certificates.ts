import type { ClusterGateway } from '../api/cluster-network';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { frontNameOf } from '../manifest/kubernetes/object-names';
import { clientNameOf, clusterHostOf, EDGE_NAME, EGRESS_NAME } from './addresses';
import type { Certificate } from './traffic-policy';

type DeclaredTls = NonNullable<ClusterGateway['tls']>;

/** The origin of a certificate: an existing Secret, or an issuer that fills a Secret. */
interface CertificateOrigin {
  readonly certificateRef?: { readonly name: string } | undefined;
  readonly issuer?: Certificate['issuer'] | undefined;
}

/** Returns the certificate of the edge of a cluster, with the server names that fronts require. */
export function edgeCertificateOf(tls: DeclaredTls, serverNames: readonly string[]): Certificate {
  return toCertificate(tls, `${EDGE_NAME}-tls`, serverNames);
}

/**
 * Returns the certificate of the egress of a cluster: from the issuer, or the Secret of the edge, whose certificate
 * must then include the name of the egress.
 */
export function egressCertificateOf(tls: DeclaredTls): Certificate {
  return toCertificate(tls, `${EGRESS_NAME}-tls`, [clusterHostOf(EGRESS_NAME)]);
}

/** Returns the client certificate of the fronts on a cluster. Returns undefined without a Secret or an issuer. */
export function clientCertificateOf({ spec, metadata }: InferenceCluster): Certificate | undefined {
  const { tls } = spec.gateway;
  const origin = { certificateRef: tls?.clientCertificateRef, issuer: tls?.issuer };
  if (!origin.certificateRef && !origin.issuer) return undefined;
  return toCertificate(origin, 'fleetwright-front-client', [clientNameOf(metadata.name)]);
}

/** Returns the certificate of a gateway for its clients. */
export function frontCertificateOf({ metadata, spec }: InferenceGateway): Certificate | undefined {
  if (!spec.tls || spec.hostname === undefined) return undefined;
  return toCertificate(spec.tls, `${frontNameOf(metadata.name)}-tls`, [spec.hostname]);
}

function toCertificate(
  { certificateRef, issuer }: CertificateOrigin,
  secret: string,
  dnsNames: readonly string[],
): Certificate {
  if (certificateRef) return { secret: certificateRef.name, dnsNames };
  return { secret, dnsNames, ...(issuer && { issuer }) };
}
