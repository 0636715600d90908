/** A range of addresses that has a meaning of its own, and what is there. */
export interface AddressRange {
  readonly cidr: string;

  /** A noun: `the loopback address`. */
  readonly what: string;
}

/**
 * Addresses that no request of a gateway may reach: those of the machine itself, and those at which clouds give out
 * credentials and settings. IANA Special-Purpose Address Registries; documentation of each cloud, 2026-11.
 */
export const FORBIDDEN_RANGES: readonly AddressRange[] = [
  { cidr: '0.0.0.0/8', what: 'the machine itself' },
  { cidr: '127.0.0.0/8', what: 'the machine itself' },
  { cidr: '169.254.0.0/16', what: 'a link-local address, where clouds give out credentials' },
  { cidr: '100.100.100.200/32', what: 'the metadata service of Alibaba Cloud' },
  { cidr: '168.63.129.16/32', what: 'the wire server of Azure' },
  { cidr: '192.0.0.0/24', what: 'a metadata service' },
  { cidr: '224.0.0.0/4', what: 'a multicast address' },
  { cidr: '240.0.0.0/4', what: 'a reserved address' },
  { cidr: '::/127', what: 'the machine itself' },
  { cidr: 'fe80::/10', what: 'a link-local address, where clouds give out credentials' },
  { cidr: 'fd00:ec2::/32', what: 'the metadata service of AWS' },
  { cidr: 'fd20:ce::/32', what: 'the metadata service of Google Cloud' },
  { cidr: 'ff00::/8', what: 'a multicast address' },
];

/** Addresses within a cluster, a company or a provider network. RFC 1918, RFC 6598, RFC 4193, RFC 2544, RFC 3879. */
export const PRIVATE_RANGES: readonly AddressRange[] = [
  { cidr: '10.0.0.0/8', what: 'a private address' },
  { cidr: '100.64.0.0/10', what: 'a private address' },
  { cidr: '172.16.0.0/12', what: 'a private address' },
  { cidr: '192.168.0.0/16', what: 'a private address' },
  { cidr: '198.18.0.0/15', what: 'a private address' },
  { cidr: 'fc00::/7', what: 'a private address' },
  { cidr: 'fec0::/10', what: 'a private address' },
];

/** Names, with all names below them, that lead to addresses of {@link FORBIDDEN_RANGES} or to an API server. */
export const FORBIDDEN_NAMES: Readonly<Record<string, string>> = {
  localhost: 'the machine itself',
  'localhost.localdomain': 'the machine itself',
  'localhost6.localdomain6': 'the machine itself',
  'ip6-localhost': 'the machine itself',
  'ip6-loopback': 'the machine itself',
  metadata: 'a metadata service',
  'metadata.google.internal': 'the metadata service of Google Cloud',
  'metadata.goog': 'the metadata service of Google Cloud',
  'instance-data': 'the metadata service of AWS',
  'instance-data.ec2.internal': 'the metadata service of AWS',
  'metadata.azure.internal': 'the metadata service of Azure',
  'metadata.tencentyun.com': 'the metadata service of Tencent Cloud',
  'metadata.platformequinix.com': 'the metadata service of Equinix',
  // Their answers are the address in the name, or the loopback address.
  'nip.io': 'the address that is in the name',
  'sslip.io': 'the address that is in the name',
  'xip.io': 'the address that is in the name',
  'localtest.me': 'the machine itself',
  'lvh.me': 'the machine itself',
  kubernetes: 'the API server',
  'kubernetes.default': 'the API server',
  'kubernetes.default.svc': 'the API server',
  'kubernetes.default.svc.cluster.local': 'the API server',
  'eks.amazonaws.com': 'an API server',
  'gke.goog': 'an API server',
  'azmk8s.io': 'an API server',
};
