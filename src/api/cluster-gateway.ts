import { z } from 'zod';
import { fields } from './reading/fields';
import { rules } from './reading/rule';
import { orWord } from './reading/word';
import { dns, nameInZone } from './routing/dns';
import { certificateRef, issuer } from './routing/tls';
import { exactlyOne } from './shared/exactly-one';
import { dnsSubdomain, objectName } from './shared/names';

const tls = fields({
  certificateRef: certificateRef
    .optional()
    .describe('The certificate of the edge, with the host name of this cluster.'),
  issuer: issuer
    .optional()
    .describe('An issuer of cert-manager that makes all certificates of this cluster.'),
  clientCertificateRef: certificateRef
    .optional()
    .describe('What a front on this cluster shows to edges. Default: made by the issuer.'),
  caRef: fields({ name: objectName.describe('The name of the ConfigMap: ca.crt.') }).describe(
    'The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with a front in the namespace of each service.',
  ),
}).check(rules(exactlyOne('the certificate', ['certificateRef', 'issuer'])));

const declared = fields({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether services send requests to replicas here. Default: true.'),
  hostname: dnsSubdomain
    .optional()
    .describe('The host name of the edge, for fronts on other clusters: edge.us-east.example.com.'),
  reach: z
    .enum(['Public', 'Private', 'Cluster'])
    .default('Public')
    .describe(
      'From where the edge is reached. Private: joined networks, which have the same label fleetwright.dev/network. Cluster: this cluster alone. Default: Public.',
    ),
  dns: dns.optional().describe('The zone that the record of hostname belongs to. Default: unknown.'),
  tls: tls.optional().describe('The certificates by which fronts and edges know each other.'),
}).check(rules(nameInZone));

/** How requests reach replicas on a cluster. `None`: they do not. */
export const clusterGateway = orWord('None', { enabled: false }, declared);

/** How requests reach replicas on a cluster. */
export type ClusterGateway = z.output<typeof declared>;
