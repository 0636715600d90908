import type { ClusterGateway } from '../api/cluster-network';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { frontNameOf } from '../manifest/kubernetes/object-names';
import { clientNameOf, clusterHostOf, EDGE_NAME, EGRESS_NAME } from './addresses';
import type { Certificate } from './traffic-policy';

type DeclaredTls = NonNullable<ClusterGateway['tls']>;

/** Where a certificate comes from: a Secret that is there, or one that an issuer fills. */
interface CertificateOrigin {
  readonly certificateRef?: { readonly name: string } | undefined;
  readonly issuer?: Certificate['issuer'] | undefined;
}

/** The certificate of the edge of a cluster, with the names that fronts ask for. */
export function edgeCertificateOf(tls: DeclaredTls, serverNames: readonly string[]): Certificate {
  return toCertificate(tls, `${EDGE_NAME}-tls`, serverNames);
}

/** The certificate of the egress of a cluster: of the issuer, or that of the edge, which then has its name too. */
export function egressCertificateOf(tls: DeclaredTls): Certificate {
  return toCertificate(tls, `${EGRESS_NAME}-tls`, [clusterHostOf(EGRESS_NAME)]);
}

/** What the fronts on a cluster show to edges. Nothing where nobody makes it and none is named. */
export function clientCertificateOf({ spec, metadata }: InferenceCluster): Certificate | undefined {
  const { tls } = spec.gateway;
  const origin = { certificateRef: tls?.clientCertificateRef, issuer: tls?.issuer };
  if (!origin.certificateRef && !origin.issuer) return undefined;
  return toCertificate(origin, 'fleetwright-front-client', [clientNameOf(metadata.name)]);
}

/** The certificate of a gateway for its clients. */
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
