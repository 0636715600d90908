import { describeDnsRecords } from '../../src/plan/notes';
import { findRoutingRequirements } from '../../src/plan/routing-requirements';
import { listRequiredObjects } from '../../src/render/external-references';
import { terminalLines } from '../../src/report/document/write-terminal';
import { formatRequiredObjects } from '../../src/report/plan/required-objects-text';
import { aCluster } from '../api/build';
import { aFront, anEdge, anEdgeBackend, aRouting } from '../render/routing/build';

/** What must exist on cluster `us`, as people read it. */
function requirements(routing = aRouting(), namespaces = 'Managed'): string[] {
  const cluster = aCluster('us', { namespaces });
  const objects = listRequiredObjects(findRoutingRequirements(routing, { cluster, settings: undefined }));
  return terminalLines(formatRequiredObjects([{ cluster: 'us', objects }])).map((line) => line.trim());
}

test('what routes need is who signs and makes certificates, names in DNS, and each key of each Secret', () => {
  expect(requirements().slice(2)).toEqual([
    'ClusterIssuer fleet, for InferenceCluster us, InferenceGateway public',
    'DNS record edge.us.example.com, for InferenceCluster us',
    'DNS record models.example.com, for InferenceGateway public',
    'ConfigMap fleetwright-system/fleetwright-ca (ca.crt), for InferenceCluster us',
    'ConfigMap team-a/fleetwright-ca (ca.crt), for ModelService team-a/chat',
    'Secret team-a/keys (alice), for ModelService team-a/chat',
    'Secret team-a/openai-key (credential), for ModelService team-a/chat',
  ]);
});

test('names of a zone that says who holds it are written by a stack, and a note says so', () => {
  const dns = { zone: 'example.com', provider: 'CloudDNS', id: 'example-com' } as const;
  const written = aRouting({ fronts: [aFront({ dns })] });
  expect(requirements(written).filter((line) => line.startsWith('DNS'))).toEqual([
    'DNS record edge.us.example.com, for InferenceCluster us',
  ]);
  expect(describeDnsRecords(written)).toEqual([
    'A Pulumi stack that applies these objects writes the DNS records of models.example.com (CloudDNS example-com). Without a stack, create the records yourself.',
  ]);
  expect(describeDnsRecords(aRouting())).toEqual([]);
});

test('a certificate that the user brings is listed, with the names that it has to have', () => {
  const brought = aRouting({
    fronts: [aFront({ tls: { secret: 'own', dnsNames: ['models.example.com'] } })],
  });
  expect(requirements(brought)).toContain(
    'Secret fleetwright-system/own (tls.crt, tls.key) of models.example.com, for InferenceGateway public',
  );
});

test('keys that a service takes from its gateway are listed as those of the gateway', () => {
  const routing = aRouting();
  const secret = { namespace: 'fleetwright-system', name: 'fleet-keys', key: 'operator' };
  const auth = { kind: 'ApiKeys' as const, keys: [{ name: 'operator', secret }] };
  const services = routing.services.map((service) => ({
    ...service,
    gateways: service.gateways.map((gateway) => ({ ...gateway, auth })),
  }));
  const found = requirements({ ...routing, services }).filter((line) => line.includes('fleet-keys'));
  expect(found).toEqual(['Secret fleetwright-system/fleet-keys (operator), for InferenceGateway public']);
});

test('namespaces that the user makes are listed, also where nothing but routes is in them', () => {
  expect(requirements(aRouting(), 'Existing')).toEqual(
    expect.arrayContaining([
      'Namespace fleetwright-system, for InferenceCluster us, ModelService team-a/chat',
      'Namespace team-a, for ModelService team-a/chat',
    ]),
  );
});

test('what the routes of a cluster do not need is not asked of it', () => {
  const edges = [anEdge({ cluster: 'west', backends: [anEdgeBackend()] })];
  const cluster = aCluster('west', { namespaces: 'Managed' });
  const objects = listRequiredObjects(findRoutingRequirements(aRouting({ edges }), { cluster, settings: undefined }));
  expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'ClusterIssuer fleet',
    'DNS record edge.west.example.com',
    'ConfigMap fleetwright-ca',
  ]);
});
