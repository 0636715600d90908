import * as pulumi from '@pulumi/pulumi';
import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelService } from '../../constructs/index';
import { compareText } from '../../src/base/order';
import { registerCloudDnsRecord } from '../../stacks/dns/cloud-dns';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { cluster, deployment, EIGHT_GPUS, engine } from '../constructs/build';
import { refusal } from './build';
import { record, type Registered } from './record';

let warned: jest.SpyInstance;
beforeEach(() => void (warned = jest.spyOn(console, 'warn').mockImplementation()));
afterEach(() => jest.restoreAllMocks());

const CLOUD_DNS = { zone: 'example.com', provider: 'CloudDNS', id: 'example-com' } as const;
const ROUTE53 = { zone: 'example.com', provider: 'Route53', id: 'Z1' } as const;
const AZURE_DNS = {
  zone: 'example.com',
  provider: 'AzureDNS',
  id: '/subscriptions/s/resourceGroups/names/providers/Microsoft.Network/dnszones/example.com',
} as const;

/** A service behind a front door on two clusters, and what becomes of its records. */
async function registered(
  dns: typeof CLOUD_DNS | typeof ROUTE53 | typeof AZURE_DNS,
  args: Partial<FleetStackArgs> = {},
): Promise<{ all: Registered[]; said: string[] }> {
  let said: string[] = [];
  const all = await record(() => {
    const fleet = new Fleet(new App(), 'main');
    const h100 = new InferenceClass(fleet, 'h100', EIGHT_GPUS);
    const tls = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
    for (const site of ['eu', 'us']) {
      const gateway = { tls, hostname: `${site}.example.com`, ...(site === 'us' && { dns }) };
      new InferenceCluster(fleet, site, { ...cluster(h100), gateway });
    }
    deployment(fleet, 'q', { replicas: 2, engines: [engine(1)] });
    new InferenceGateway(fleet, 'default', { clusters: ['eu', 'us'], hostname: 'models.example.com', dns });
    const selector = { matchLabels: { 'fleetwright.dev/deployment': 'q' } };
    new ModelService(fleet, 'chat', { namespace: 'ml', endpoints: [{ selector }] });
    const kubeconfigs = { us: 'token: abc', eu: 'token: abc' };
    said = refusal(() => new FleetStack('models', { fleet, kubeconfigs, lockMode: 'ephemeral', ...args }));
  });
  return { all, said };
}

function recordsOf(all: readonly Registered[]): unknown[] {
  return all
    .filter(({ type }) => /RecordSet|route53/.test(type))
    .map(({ inputs }) => inputs)
    .sort((a, b) => compareText(String(a['name']), String(b['name'])));
}

const A = { type: 'A', ttl: 60 };
const NUMBER = '203.0.113.8';

test('Cloud DNS has one record a name, with the addresses of all its gateways', async () => {
  const { all } = await registered(CLOUD_DNS);
  expect(recordsOf(all)).toEqual([
    { name: 'models.example.com.', managedZone: 'example-com', rrdatas: [NUMBER, NUMBER], ...A },
    { name: 'us.example.com.', managedZone: 'example-com', rrdatas: [NUMBER], ...A },
  ]);
});

test('Azure DNS has one record a name, relative to its zone, with the addresses of all its gateways', async () => {
  const { all } = await registered(AZURE_DNS);
  const records = all.filter(({ type }) => type === 'azure-native:dns:RecordSet');
  const inZone = { resourceGroupName: 'names', zoneName: 'example.com', recordType: 'A', ttl: 60 };
  const address = { ipv4Address: NUMBER };
  expect(Object.fromEntries(records.map(({ name, inputs }) => [name, inputs]))).toMatchObject({
    'models.example.com': { ...inZone, relativeRecordSetName: 'models', aRecords: [address, address] },
    'us.example.com': { ...inZone, relativeRecordSetName: 'us', aRecords: [address] },
  });
});

test('a stack of one cluster does not write a record of several in Azure DNS', async () => {
  const { said } = await registered(AZURE_DNS, { cluster: 'eu' });
  expect(said).toEqual([expect.stringContaining('the record in Azure DNS has the addresses of eu, us')]);
});

test('Route 53 has one for each gateway of several, of equal weight', async () => {
  const { all } = await registered(ROUTE53);
  const each = { name: 'models.example.com', zoneId: 'Z1', records: [NUMBER], ...A };
  const weightedRoutingPolicies = [{ weight: 1 }];
  expect(recordsOf(all)).toEqual(
    expect.arrayContaining([
      { ...each, name: 'us.example.com' },
      { ...each, setIdentifier: 'eu', weightedRoutingPolicies },
      { ...each, setIdentifier: 'us', weightedRoutingPolicies },
    ]),
  );
  const names = all.filter(({ type }) => type.includes('route53')).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['models.example.com_eu', 'models.example.com_us', 'us.example.com']);
});

test('the stack of one cluster writes those of its own gateways', async () => {
  const { all } = await registered(ROUTE53, { cluster: 'eu' });
  expect(recordsOf(all)).toEqual([expect.objectContaining({ name: 'models.example.com', setIdentifier: 'eu' })]);
});

test('and is refused where a record has those of others too, before anything is registered', async () => {
  const { all, said } = await registered(CLOUD_DNS, { cluster: 'eu' });
  expect(said).toEqual([
    "models.example.com: the record in Cloud DNS has the addresses of eu, us, and this stack has only eu. Remove 'provider' and 'id' from dns and write the record yourself, or use one stack for all of these clusters.",
  ]);
  expect(all.map(({ type }) => type)).toEqual(['pulumi:pulumi:Stack']);
});

test('a record waits for its Gateway, and only such a Gateway is waited for', async () => {
  const { all } = await registered(ROUTE53);
  const edge = 'kubernetes:gateway.networking.k8s.io/v1:Gateway us/Gateway.fleetwright-system.fleetwright-edge';
  const dependencies = Object.fromEntries(all.map((one) => [one.name, one.dependsOn]));
  expect(dependencies['us.example.com']).toEqual([edge]);
  const waited = all
    .filter(({ type }) => type.endsWith(':Gateway'))
    .map(({ name, createTimeout, inputs }) => {
      const { annotations = {} } = inputs['metadata'] as { annotations?: Record<string, string> };
      return [name.replace(/-default-.*/, ''), annotations['pulumi.com/waitFor'], createTimeout];
    });
  const address = 'jsonpath={.status.addresses[0].value}';
  expect(waited.toSorted()).toEqual([
    ['eu/Gateway.fleetwright-system.fleetwright-edge', undefined, ''],
    ['eu/Gateway.fleetwright-system.front', address, '15m'],
    ['us/Gateway.fleetwright-system.fleetwright-edge', address, '15m'],
    ['us/Gateway.fleetwright-system.front', address, '15m'],
  ]);
});

test('names end with a dot in Cloud DNS, and what they point at', async () => {
  const planned = { host: 'a.example.com', provider: 'CloudDNS', zone: 'z', gateways: [] } as const;
  const all = await record(() => {
    const parent = new pulumi.ComponentResource('fleetwright:index:Test', 'test');
    const type = pulumi.output<'CNAME'>('CNAME');
    registerCloudDnsRecord(planned, { type, values: pulumi.output(['lb.example.net']) }, parent);
  });
  expect(recordsOf(all)).toEqual([
    { name: 'a.example.com.', managedZone: 'z', type: 'CNAME', ttl: 60, rrdatas: ['lb.example.net.'] },
  ]);
});

test('without Gateways among its resources a stack says which records it does not write', async () => {
  jest.spyOn(pulumi.runtime, 'isDryRun').mockReturnValue(true);
  const { all } = await registered(ROUTE53, { workloads: 'files' });
  expect(recordsOf(all)).toEqual([]);
  const said = warned.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('DNS'));
  expect(said).toEqual([
    expect.stringContaining(
      'models.example.com, us.example.com: the stack does not create their DNS records, because it has no Gateways',
    ),
  ]);
});
