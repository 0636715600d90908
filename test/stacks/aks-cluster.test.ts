import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagedClusterArgs } from '@pulumi/azure-native/containerservice/managedCluster';
import { aksPlan } from '../../src/provision/aks/plan';
import { aks, AksCluster, type AksClusterArgs } from '../../stacks/aks';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { aFleet, type Declared } from '../provision/build';
import { ignoreUnaskedClusters, record, type Registered } from './record';

ignoreUnaskedClusters();

const ADMIN = '00000000-1111-2222-3333-444444444444';

const RESERVED = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/h100';

function planned(declared: Declared = {}) {
  const { cluster, fleet } = aFleet('AKS', declared);
  return aksPlan(cluster, fleet);
}

function made(declared: Declared = {}, args: Partial<AksClusterArgs> = {}): Promise<Registered[]> {
  return record(() => new AksCluster('us', { plan: planned(declared), ...args }));
}

function inputsOf(all: readonly Registered[], type: string, name: string): Registered['inputs'] | undefined {
  return all.find((one) => one.type.endsWith(`:${type}`) && one.name === name)?.inputs;
}

test('every resource of the plan is registered with its arguments, and the IDs of others', async () => {
  const declared = { cloud: { admins: [ADMIN] }, machine: { capacityReservationGroup: RESERVED } };
  const plan = planned(declared);
  const all = await made(declared);
  const vnetSubnetID = 'us_nodes-id';
  const byCluster = { principalId: 'us-principal' };
  const want = [
    ['ResourceGroup', 'us', plan.resourceGroup.args],
    ['VirtualNetwork', 'us', plan.network.args],
    ['Subnet', 'us_nodes', plan.subnet.args],
    ['UserAssignedIdentity', 'us', plan.identity.args],
    ['RoleAssignment', 'us_subnet', { ...plan.roles[0]?.args, ...byCluster, scope: vnetSubnetID }],
    ['RoleAssignment', 'us_reservation-s-g-h100', { ...plan.roles[1]?.args, ...byCluster, scope: RESERVED }],
    [
      'ManagedCluster',
      'us',
      {
        ...plan.cluster.args,
        identity: { type: 'UserAssigned', userAssignedIdentities: ['us-id'] },
        agentPoolProfiles: [{ ...plan.cluster.systemPool, vnetSubnetID }],
      },
    ],
    [
      'RoleAssignment',
      'us_creator',
      { ...plan.access[0]?.args, principalId: '00000000-0000-0000-0000-00000000000c', scope: 'us-id' },
    ],
    [`RoleAssignment`, `us_${ADMIN}`, { ...plan.access[1]?.args, principalId: ADMIN, scope: 'us-id' }],
    ['AgentPool', 'us_l4', { ...plan.pools[0]?.args, vnetSubnetID }],
  ] as const;
  // The package adds defaults of its own to networks.
  expect(want.map(([type, name]) => [type, name, inputsOf(all, type, name)])).toMatchObject(want);
  expect(all.filter(({ type }) => type.startsWith('azure-native:'))).toHaveLength(want.length);
});

test('administrators can be users, groups and service principals', async () => {
  const all = await made({ cloud: { admins: [ADMIN] } });
  const types = ['us_creator', `us_${ADMIN}`].map((name) => inputsOf(all, 'RoleAssignment', name)?.['principalType']);
  expect(types).toEqual([undefined, undefined]);
});

test('the address of the API is in the provider alone, in a kubeconfig without a token', async () => {
  const all = await made();
  const holders = all.filter(({ inputs }) => JSON.stringify(inputs).includes('api.aks.example'));
  expect(holders.map(({ type }) => type)).toEqual(['pulumi:providers:kubernetes']);
  const { kubeconfig, clusterIdentifier } = (holders[0]?.inputs ?? {}) as {
    kubeconfig: { secret: string };
    clusterIdentifier: string;
  };
  expect(JSON.parse(kubeconfig.secret)).toMatchObject({
    clusters: [{ cluster: { server: 'https://api.aks.example:443', 'certificate-authority-data': 'Q0E=' } }],
    users: [{ user: { exec: { command: 'kubelogin', args: expect.arrayContaining(['azurecli']) } } }],
  });
  expect(clusterIdentifier).toBe('aks/fleetwright-us/us');
});

test('the issuer of tokens is an output, for identities of users', async () => {
  const issuers: string[] = [];
  await record(() => new AksCluster('us', { plan: planned() }).oidcIssuer.apply((one) => issuers.push(one)));
  expect(issuers).toEqual(['https://oidc.example']);
});

test('a cluster waits for the roles of its identity, and its storage class for those of administrators', async () => {
  const all = await made();
  const waitsOf = (name: string, type: string) =>
    all.find((one) => one.name === name && one.type.endsWith(type))?.dependsOn;
  expect(waitsOf('us', ':ManagedCluster')).toEqual(
    expect.arrayContaining(['azure-native:authorization:RoleAssignment us_subnet']),
  );
  expect(waitsOf('us/StorageClass.fleetwright-shared', ':StorageClass')).toEqual(
    expect.arrayContaining(['azure-native:authorization:RoleAssignment us_creator']),
  );
});

const onFriday = (args: object) => ({ ...args, maintenanceWindow: { dayOfWeek: 'Friday', timeOfDayUTC: '22:00' } });

test('Lustre is in a subnet that waits for the other, and volumes have its address', async () => {
  const lustre = { sku: 'AMLFS-Durable-Premium-125', capacityTiB: 16, zone: '1' };
  const declared = { cluster: { storage: { sharedFilesystem: { lustre } } } };
  const all = await made(declared, { transform: { fileSystem: onFriday } });
  expect(inputsOf(all, 'AmlFilesystem', 'us')).toMatchObject({
    filesystemSubnet: 'us_lustre-id',
    storageCapacityTiB: 16,
    maintenanceWindow: { dayOfWeek: 'Friday' },
  });
  const subnet = all.find(({ name }) => name === 'us_lustre');
  expect(subnet?.dependsOn).toContain('azure-native:network:Subnet us_nodes');
  expect(inputsOf(all, 'StorageClass', 'us/StorageClass.fleetwright-shared')?.['parameters']).toEqual({
    'sub-dir': '${pvc.metadata.namespace}/${pvc.metadata.name}',
    'mgs-ip-address': '10.0.254.4',
  });
});

test('no class is made where the cluster names one', async () => {
  const all = await made({ cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } } });
  expect(all.filter(({ type }) => type.startsWith('kubernetes:'))).toEqual([]);
});

test('a transform changes what is registered, pools by their name', async () => {
  const all = await made(
    {},
    {
      transform: {
        resourceGroup: (args) => ({ ...args, managedBy: 'ours' }),
        network: (args) => ({ ...args, enableDdosProtection: true }),
        subnet: (args) => ({ ...args, defaultOutboundAccess: false }),
        cluster: (args) => ({
          ...args,
          ...({ azureMonitorProfile: { metrics: { enabled: true } } } satisfies Partial<ManagedClusterArgs>),
        }),
        pool: (args, name) => (name === 'l4' ? { ...args, maxPods: 30 } : args),
        provider: (args) => ({ ...args, namespace: 'ours' }),
        storageClass: (args) => ({ ...args, mountOptions: ['nconnect=8'] }),
      },
    },
  );
  expect(inputsOf(all, 'ResourceGroup', 'us')).toMatchObject({ managedBy: 'ours' });
  expect(inputsOf(all, 'VirtualNetwork', 'us')).toMatchObject({ enableDdosProtection: true });
  expect(inputsOf(all, 'Subnet', 'us_nodes')).toMatchObject({ defaultOutboundAccess: false });
  expect(inputsOf(all, 'ManagedCluster', 'us')).toMatchObject({
    azureMonitorProfile: { metrics: { enabled: true } },
    dnsPrefix: 'us',
  });
  expect(inputsOf(all, 'AgentPool', 'us_l4')).toMatchObject({ maxPods: 30, agentPoolName: 'l4' });
  expect(inputsOf(all, 'kubernetes', 'us')).toMatchObject({ namespace: 'ours' });
  expect(inputsOf(all, 'StorageClass', 'us/StorageClass.fleetwright-shared')).toMatchObject({
    mountOptions: ['nconnect=8'],
  });
});

function blobStack(args: Partial<FleetStackArgs> = {}): FleetStack {
  return new FleetStack('models', { fleet: 'examples/azure-blob', ...args });
}

describe('the identity of a cache on Azure Blob Storage', () => {
  const name = 'eu_qwen3-8b-reader-896b3';

  test('reads its container alone, and belongs to the account of its Job, of which objects have the client ID', async () => {
    const all = await record(() => void blobStack());
    expect(inputsOf(all, 'FederatedIdentityCredential', name)).toMatchObject({
      issuer: 'https://oidc.example',
      subject: 'system:serviceaccount:ml:qwen3-8b-reader-896b3',
      audiences: ['api://AzureADTokenExchange'],
      resourceName: 'eu-qwen3-8b-reader-896b3',
    });
    expect(inputsOf(all, 'RoleAssignment', name)).toMatchObject({
      principalId: `${name}-principal`,
      scope: expect.stringMatching(/\/storageAccounts\/acmemodels\/blobServices\/default\/containers\/models$/),
      roleDefinitionId: expect.stringContaining('2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'),
    });
    expect(inputsOf(all, 'ServiceAccount', 'eu/ServiceAccount.ml.qwen3-8b-reader-896b3')).toMatchObject({
      metadata: { annotations: { 'azure.workload.identity/client-id': `${name}-client` } },
    });
  });

  test.each([
    ['is not to be created by hand', {}, []],
    ['is to be annotated by hand where objects are files', { workloads: 'files' }, ['qwen3-8b-reader-896b3']],
  ] as const)('has an account that %s', async (_, args, want) => {
    const out = mkdtempSync(join(tmpdir(), 'azure-blob-'));
    const warned = jest.spyOn(console, 'warn').mockImplementation();
    let needed: FleetStack['mustExist'] = [];
    const all = await record(() => ({ mustExist: needed } = blobStack({ ...args, out })));
    rmSync(out, { recursive: true });
    const accounts = needed.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'ServiceAccount'));
    expect(accounts.map((one) => one.name)).toEqual(want);
    expect(all.filter(({ type }) => type.endsWith(':ServiceAccount'))).toHaveLength(1 - want.length);
    expect(all.filter(({ type }) => type.endsWith(':FederatedIdentityCredential'))).toHaveLength(1);
    warned.mockRestore();
  });
});

test('a stack creates the clusters on AKS that a fleet declares, with the options of its cloud', async () => {
  const cloud = aks({ transform: () => ({ cluster: (args) => ({ ...args, tags: { owner: 'us' } }) }) });
  const all = await record(() => new FleetStack('models', { fleet: 'examples/aks', clouds: [cloud] }));
  const clusters = all.filter(({ type }) => type.endsWith(':ManagedCluster'));
  expect(clusters.map(({ inputs }) => inputs['tags'])).toEqual([{ owner: 'us' }]);
});
