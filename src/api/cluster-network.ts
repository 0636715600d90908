import { z } from 'zod';
import { IN_CLUSTER_GATEWAY, IN_TLS } from './kubernetes-spellings';
import { certificateRef, dns, issuer, nameInZone } from './routing/dns-and-tls';
import { allowKeyword, fields, withDefault } from './schema/fields';
import { requireExactlyOne, rules } from './schema/rules';
import { cidr, hostName, referencedName } from './schema/string-formats';

export const clusterNetwork = fields({
  cidr: cidr
    .optional()
    .describe(
      'The address range of nodes, and on GKE of pods and services too. Default: 10.0.0.0/14 on GKE, 10.0.0.0/16 on EKS and AKS.',
    ),
  private: withDefault(
    z.boolean(),
    false,
    'On GKE, whether nodes have private addresses only and reach the internet through NAT. Nodes on EKS and AKS always have private addresses. On AKS, whether the Kubernetes API has a private address only: Pulumi must then run in that network or a connected one.',
  ),
  authorizedNetworks: z
    .array(cidr)
    .max(50)
    .default([])
    .describe(
      'The address ranges that may reach the Kubernetes API from outside. Default: all; callers must authenticate.',
    ),
});

/** The schema of a network that accepts any text as an address range. */
export const looseNetwork = clusterNetwork.extend({
  cidr: z.string().optional(),
  authorizedNetworks: z.array(z.string()).default([]),
});

/** The tiers of Filestore, from its CSI driver (gcp-filestore-csi-driver v1.13). */
export const FILESTORE_TIERS = ['BasicHDD', 'BasicSSD', 'Zonal', 'Regional', 'Enterprise'] as const;

export type FilestoreTier = (typeof FILESTORE_TIERS)[number];

const tls = fields(
  {
    certificateRef: certificateRef
      .optional()
      .describe('The certificate of the cluster gateway, for the host name of this cluster.'),
    issuer: issuer.optional().describe('The cert-manager issuer of all certificates of this cluster.'),
    clientCertificateRef: certificateRef
      .optional()
      .describe(
        'The client certificate that an ingress gateway on this cluster presents to cluster gateways. Default: made by the issuer.',
      ),
    caRef: fields({ name: referencedName.describe('The name of the ConfigMap: ca.crt.') }).describe(
      'The authority that signed the certificates of all clusters: in namespace fleetwright-system, and on clusters with an ingress gateway also in the namespace of each service.',
    ),
  },
  IN_TLS,
).check(rules(requireExactlyOne('the certificate', ['certificateRef', 'issuer'])));

const hostname = hostName
  .optional()
  .describe('The host name of the cluster gateway, for ingress gateways on other clusters: edge.us-east.example.com.');

const REACHES = z.enum(['Public', 'Private', 'Cluster']);

const shared = {
  dns: dns.optional().describe('The zone that the record of hostname belongs to. Default: unknown.'),
  tls: tls
    .optional()
    .describe('The certificates with which ingress gateways and cluster gateways authenticate each other.'),
};

const declared = fields(
  {
    enabled: withDefault(z.boolean(), true, 'Whether services send requests to replicas on this cluster.'),
    hostname,
    reach: withDefault(
      REACHES,
      'Public',
      'Where the cluster gateway can be reached from. Private: connected networks, which have the same label fleetwright.dev/network. Cluster: this cluster only.',
    ),
    ...shared,
  },
  IN_CLUSTER_GATEWAY,
).check(rules(nameInZone));

/** The schema of what the fleet adds to `spec.gateway` of a cluster that is declared without it. */
export const addedClusterGateway = fields({
  hostname,
  reach: REACHES.optional().describe('Where the cluster gateway can be reached from. Default: Public.'),
  ...shared,
}).check(rules(nameInZone));

/** The schema of how requests reach replicas on a cluster. With `None`, they do not. */
export const clusterGateway = allowKeyword('None', { enabled: false }, declared);

export type ClusterGateway = z.output<typeof declared>;
