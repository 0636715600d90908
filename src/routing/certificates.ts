import type { ClusterGateway } from '../api/cluster-gateway';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import { frontName } from '../render/names';
import { clientName, EDGE, EGRESS, inCluster } from './addresses';
import type { Certificate } from './policy';

type Tls = NonNullable<ClusterGateway['tls']>;

/** Where a certificate comes from: a Secret that is there, or one that an issuer fills. */
interface Origin {
  readonly certificateRef?: { readonly name: string } | undefined;
  readonly issuer?: Certificate['issuer'] | undefined;
}

/** The certificate of the edge of a cluster, with the names that fronts ask for. */
export function edgeCertificate(tls: Tls, serverNames: readonly string[]): Certificate {
  return certificate(tls, `${EDGE}-tls`, serverNames);
}

/** The certificate of the egress of a cluster: of the issuer, or that of the edge, which then has its name too. */
export function egressCertificate(tls: Tls): Certificate {
  return certificate(tls, `${EGRESS}-tls`, [inCluster(EGRESS)]);
}

/** What the fronts on a cluster show to edges. Nothing where nobody makes it and none is named. */
export function clientCertificate({ spec, metadata }: InferenceCluster): Certificate | undefined {
  const { tls } = spec.gateway;
  const origin = { certificateRef: tls?.clientCertificateRef, issuer: tls?.issuer };
  if (!origin.certificateRef && !origin.issuer) return undefined;
  return certificate(origin, 'fleetwright-front-client', [clientName(metadata.name)]);
}

/** The certificate of a gateway for its clients. */
export function frontCertificate({ metadata, spec }: InferenceGateway): Certificate | undefined {
  if (!spec.tls || spec.hostname === undefined) return undefined;
  return certificate(spec.tls, `${frontName(metadata.name)}-tls`, [spec.hostname]);
}

function certificate(
  { certificateRef, issuer }: Origin,
  secret: string,
  dnsNames: readonly string[],
): Certificate {
  if (certificateRef) return { secret: certificateRef.name, dnsNames };
  return { secret, dnsNames, ...(issuer && { issuer }) };
}
