import { aGateway, parsed } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const bad: Record<string, BadRow> = {
  'a gateway is on at most 64 clusters': {
    change: { 'spec.clusters': Array.from({ length: 65 }, (_, index) => `us-${index}`) },
    want: ['spec.clusters: a list of 65 items is greater than the maximum of 64. List at most 64 items.'],
  },
  "the load balancer's block is required": {
    change: { 'spec.traefik.metallb': undefined },
    want: ["spec.traefik.metallb: the field 'metallb' is missing. A gateway with loadBalancer MetalLB needs it."],
  },
  "the backend's block is required": {
    change: { 'spec.traefik': undefined },
    want: ["spec.traefik: the field 'traefik' is missing. A gateway with backend Traefik needs it."],
  },
  'a backend is one that we know': {
    change: { 'spec.backend': 'Envoy' },
    want: ["spec.backend: unknown value 'Envoy'. Use 'Traefik'."],
  },
  'the alias group requires a backend': {
    change: { apiVersion: 'modelplane.ai/v1alpha1', spec: {} },
    want: [
      "spec.backend: the field 'backend' is missing. Set it to Traefik, or declare the gateway under fleetwright.dev/v1alpha1.",
    ],
  },
  'a gateway is on a cluster once': {
    change: { 'spec.clusters': ['eu-west', 'us-east', 'us-east'] },
    want: ["spec.clusters.2: the cluster 'us-east' is listed twice, first as item 2. Rename or remove one of the two."],
  },
  'a host name is no IP address': {
    change: { 'spec.hostname': '10.0.0.3', 'spec.dns': undefined },
    want: [
      "spec.hostname: '10.0.0.3' is an IP address, not a DNS name. Use a name whose DNS record leads to the address: certificates and routes need one.",
    ],
  },
  'a certificate has the name of a reference': {
    change: { 'spec.tls': { secretName: 'models' } },
    want: [
      "spec.tls.secretName: the field 'secretName' is not allowed here. Use 'certificateRef', as in 'certificateRef: { name: NAME }'.",
    ],
  },
  'an API key is in a Secret that is a reference too': {
    change: { 'spec.auth.apiKeys': [{ name: 'ops', secretName: 'keys' }] },
    want: [
      "spec.auth.apiKeys.0.secretName: the field 'secretName' is not allowed here. Use 'secretRef', as in 'secretRef: { name: NAME }'.",
    ],
  },
  'a limit has a number of requests and a period': {
    change: { 'spec.rateLimits': [{ rpm: 100 }] },
    want: [
      "spec.rateLimits.0.rpm: the field 'rpm' is not allowed here. Use 'requests', as in 'requests: 100, per: Minute'.",
    ],
  },
  'a public gateway without authentication is one for services with their own': {
    change: { 'spec.auth': undefined },
    want: [],
  },
  'a public gateway without encryption says what is exposed': {
    change: { 'spec.tls': undefined },
    want: [
      "spec.public: a public gateway without tls receives keys and requests without encryption. Set 'tls', or set 'public: insecure' to allow that.",
    ],
  },
  'a gateway that is public in another way is none': {
    change: { 'spec.public': 'yes' },
    want: ["spec.public: unknown value 'yes'. Use one of false, true, insecure."],
  },
  'a certificate is for a host name': {
    change: { 'spec.hostname': undefined, 'spec.dns': undefined },
    want: ["spec.hostname: the field 'hostname' is missing. A certificate needs a host name."],
  },
  'a host name is in its zone': {
    change: { 'spec.dns': { zone: 'example.net' } },
    want: ["spec.dns.zone: 'models.example.com' is not in the zone 'example.net'. Correct one of the two."],
  },
  'a record is of a host name': {
    change: {
      'spec.hostname': undefined,
      'spec.tls': undefined,
      'spec.public': false,
      'spec.dns': { zone: 'example.com' },
    },
    want: ["spec.hostname: the field 'hostname' is missing. A DNS record needs a host name."],
  },
  'a zone that a stack writes to is known by its provider': {
    change: { 'spec.dns': { zone: 'example.com', provider: 'Route53' } },
    want: ["spec.dns.id: the field 'id' is missing. The provider of the zone needs it to write the record."],
  },
  'a zone in Azure DNS is known by its resource ID': {
    change: { 'spec.dns': { zone: 'example.com', provider: 'AzureDNS', id: 'example-com' } },
    want: [
      "spec.dns.id: 'example-com' is not the resource ID of the zone 'example.com' in Azure DNS. Write it as in '/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/dnszones/example.com'.",
    ],
  },
  'and says who that is': {
    change: { 'spec.dns': { zone: 'example.com', id: 'Z1' } },
    want: ["spec.dns.provider: the field 'provider' is missing. Set it to the provider of the zone."],
  },
  'a certificate comes from one place': {
    change: { 'spec.tls.certificateRef': { name: 'models' } },
    want: ['spec.tls: the certificate has both certificateRef and issuer. Set exactly one of certificateRef, issuer.'],
  },
  'keys have names of their own': {
    change: { 'spec.auth.apiKeys.1.name': 'alice' },
    want: [
      "spec.auth.apiKeys.1.name: the name 'alice' is listed twice, first as item 1. Rename or remove one of the two.",
    ],
  },
  'a limit is of at least one request': {
    change: { 'spec.rateLimits.0.requests': 0 },
    want: ['spec.rateLimits.0.requests: 0 is less than the minimum of 1. Use at least 1.'],
  },
  'the size of a body is a whole number of bytes': {
    change: { 'spec.maxRequestBody': '500m' },
    want: ["spec.maxRequestBody: '500m' is not a size. Use a whole number with a unit, as in '32Mi'."],
  },
  'the size of a body has a unit': {
    change: { 'spec.maxRequestBody': '32' },
    want: ["spec.maxRequestBody: '32' means 32 bytes. Did you mean '32Mi'?"],
  },
  'what is no quantity is reported once': {
    change: { 'spec.maxRequestBody': '32 MB' },
    want: ["spec.maxRequestBody: '32 MB' is not a Kubernetes quantity. Did you mean '32Mi'?"],
  },
  'the keys of an issuer have an address': {
    change: { 'spec.auth': { jwt: { issuer: 'house', jwksUri: 'keys.json' } } },
    want: ["spec.auth.jwt.jwksUri: this is not an HTTPS address. Begin it with https://, and write spaces as '%20'."],
  },
  'a host name is not a web address': {
    change: { 'spec.hostname': 'https://models.example.com:443/v1' },
    want: ["spec.hostname: 'https://models.example.com:443/v1' is not a DNS name. Use 'models.example.com'."],
  },
  "a cluster's name is a DNS name": {
    change: { 'spec.clusters': ['US'] },
    want: ["spec.clusters.0: 'US' is not a DNS name. Use 'us'."],
  },
};

/** What a gateway has that says nothing. */
const PLAIN = { clusters: [], public: false, rateLimits: [], maxRequestBody: '32Mi', timeouts: {} };

describe('InferenceGateway', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceGateway'), change))).toEqual(want);
  });

  test('a public gateway may do without TLS and keys where that is meant', () => {
    const change = { 'spec.public': 'insecure', 'spec.tls': undefined, 'spec.auth': undefined };
    expect(reported(changed(fullDocument('InferenceGateway'), change))).toEqual([]);
  });

  test('a gateway of ours needs no backend', () => {
    expect(aGateway('default', 'us').spec).toEqual({ ...PLAIN, clusters: ['us'] });
  });

  test('a gateway of the alias group needs no clusters', () => {
    const spec = { backend: 'Traefik', traefik: { version: '40.2.0' } };
    const want = { ...PLAIN, ...spec };
    expect(parsed('InferenceGateway', 'default', spec, { group: 'modelplane.ai' }).spec).toEqual(want);
  });
});
