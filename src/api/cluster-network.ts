import { z } from 'zod';
import { certificateRef, dns, issuer, nameInZone } from './routing/dns-and-tls';
import { allowKeyword, fields, withDefault } from './schema/fields';
import { requireExactlyOne, rules } from './schema/rules';
import { cidr, dnsSubdomain, referencedName } from './schema/string-formats';

export const clusterNetwork = fields({
  cidr: cidr
    .optional()
    .describe(
      'All addresses of nodes, and on GKE of pods and services too. Default: 10.0.0.0/14 on GKE, 10.0.0.0/16 on EKS.',
    ),
  private: withDefault(
    z.boolean(),
    false,
    'Whether nodes on GKE have no public addresses and reach out through NAT, as those on EKS always do.',
  ),
  authorizedNetworks: z
    .array(cidr)
    .max(50)
    .default([])
    .describe('Who reaches the Kubernetes API from outside. Default: everyone, who then has to log in.'),
});

/** The schema of a network that accepts any text as an address range. */
export const looseNetwork = clusterNetwork.extend({
  cidr: z.string().optional(),
  authorizedNetworks: z.array(z.string()).default([]),
});

/** The tiers of Filestore, from its CSI driver (gcp-filestore-csi-driver v1.13). */
export const FILESTORE_TIERS = ['BasicHDD', 'BasicSSD', 'Zonal', 'Regional', 'Enterprise'] as const;

export type FilestoreTier = (typeof FILESTORE_TIERS)[number];

const tls = fields({
  certificateRef: certificateRef
    .optional()
    .describe('The certificate of the edge, with the host name of this cluster.'),
  issuer: issuer.optional().describe('An issuer of cert-manager that makes all certificates of this cluster.'),
  clientCertificateRef: certificateRef
    .optional()
    .describe('What a front on this cluster shows to edges. Default: made by the issuer.'),
  caRef: fields({ name: referencedName.describe('The name of the ConfigMap: ca.crt.') }).describe(
    'The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with a front in the namespace of each service.',
  ),
}).check(rules(requireExactlyOne('the certificate', ['certificateRef', 'issuer'])));

const hostname = dnsSubdomain
  .optional()
  .describe('The host name of the edge, for fronts on other clusters: edge.us-east.example.com.');

const REACHES = z.enum(['Public', 'Private', 'Cluster']);

const shared = {
  dns: dns.optional().describe('The zone that the record of hostname belongs to. Default: unknown.'),
  tls: tls.optional().describe('The certificates by which fronts and edges know each other.'),
};

const declared = fields({
  enabled: withDefault(z.boolean(), true, 'Whether services send requests to replicas here.'),
  hostname,
  reach: withDefault(
    REACHES,
    'Public',
    'From where the edge is reached. Private: joined networks, which have the same label fleetwright.dev/network. Cluster: this cluster alone.',
  ),
  ...shared,
}).check(rules(nameInZone));

/** The schema of what the fleet adds to `spec.gateway` of a cluster that is declared without it. */
export const addedClusterGateway = fields({
  hostname,
  reach: REACHES.optional().describe('From where the edge is reached. Default: Public.'),
  ...shared,
}).check(rules(nameInZone));

/** The schema of how requests reach replicas on a cluster. With `None`, they do not. */
export const clusterGateway = allowKeyword('None', { enabled: false }, declared);

export type ClusterGateway = z.output<typeof declared>;
