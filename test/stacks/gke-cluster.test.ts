import type { ClusterArgs } from '@pulumi/gcp/container/cluster';
import { output } from '@pulumi/pulumi';
import { gkePlan } from '../../src/provision/gke/plan';
import { gke, GkeCluster, type GkeClusterArgs } from '../../stacks/gke';
import { FleetStack } from '../../stacks/index';
import { aFleet, type Declared } from '../provision/build';
import { ignoreUnaskedClusters, record, type Registered } from './record';

ignoreUnaskedClusters();

function planned(declared: Declared = {}) {
  const { cluster, fleet } = aFleet('GKE', declared);
  return gkePlan(cluster, fleet, 'models');
}

function made(declared: Declared = {}, args: Partial<GkeClusterArgs> = {}): Promise<Registered[]> {
  return record(() => new GkeCluster('us', { plan: planned(declared), ...args }));
}

function inputsOf(all: readonly Registered[], type: string, name: string): Registered['inputs'] | undefined {
  return all.find((one) => one.type.endsWith(`:${type}`) && one.name === name)?.inputs;
}

const PRIVATE = { cluster: { network: { private: true } } };

test('every resource of the plan is registered with its arguments as they are', async () => {
  const plan = planned(PRIVATE);
  const all = await made(PRIVATE);
  const want = [
    ...plan.services.map(({ name, args }) => ['Service', `us_${name}`, args] as const),
    ['Network', 'us', plan.network.args] as const,
    ['Subnetwork', 'us', plan.subnet.args] as const,
    ['Router', 'us', plan.router?.args] as const,
    ['RouterNat', 'us', plan.nat?.args] as const,
    ['Account', 'us_nodes', plan.account.args] as const,
    ...plan.roles.map(({ name, args }) => ['IAMMember', `us_${name}`, args] as const),
    ['Cluster', 'us', plan.cluster.args] as const,
    ...[plan.systemPool, ...plan.pools].map(({ name, args }) => ['NodePool', `us_${name}`, args] as const),
  ];
  expect(want.map(([type, name]) => [type, name, inputsOf(all, type, name)])).toEqual(want);
  expect(all.filter(({ type }) => type.startsWith('gcp:')).length).toBe(want.length);
});

test('the address of the API is in the provider alone, in a kubeconfig without a token', async () => {
  const all = await made();
  const reported = all.filter(({ inputs }) => JSON.stringify(inputs).includes('203.0.113.7'));
  expect(reported.map(({ type }) => type)).toEqual(['pulumi:providers:kubernetes']);
  const { kubeconfig, clusterIdentifier } = reported[0]!.inputs as { kubeconfig: { secret: string } } & Record<
    string,
    unknown
  >;
  expect(JSON.parse(kubeconfig.secret)).toMatchObject({
    clusters: [{ cluster: { server: 'https://203.0.113.7', 'certificate-authority-data': 'Q0E=' } }],
    users: [{ user: { exec: { command: 'gke-gcloud-auth-plugin' } } }],
  });
  // What the provider is reported of the cluster stays the same, whatever its address.
  expect(clusterIdentifier).toBe('gke/models/us-central1/us');
});

test('a cluster that was built again has another identity', async () => {
  const all = await made({}, { identity: 'second' });
  expect(inputsOf(all, 'kubernetes', 'us')?.['clusterIdentifier']).toBe('second');
});

test('nodes with GPUs come after the pool without and after what installs their driver', async () => {
  const all = await made();
  expect(all.find(({ name }) => name === 'us_l4')?.dependsOn).toEqual([
    'gcp:container/nodePool:NodePool us_system',
    'kubernetes:apps/v1:DaemonSet us/DaemonSet.kube-system.nvidia-driver-installer',
    'kubernetes:storage.k8s.io/v1:StorageClass us/StorageClass.fleetwright-shared',
  ]);
});

test('nothing is installed where GKE does it, and no class is made where the cluster names one', async () => {
  const all = await made({
    machine: { driver: 'GKEManaged' },
    cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } },
  });
  expect(all.filter(({ type }) => type.startsWith('kubernetes:'))).toEqual([]);
});

test('a transform changes what is registered, pools by their name', async () => {
  const all = await made(
    {},
    {
      transform: {
        network: (args) => ({ ...args, mtu: 8896 }),
        subnet: (args) => ({ ...args, description: 'ours' }),
        cluster: (args) => ({ ...args, releaseChannel: { channel: 'RAPID' } }),
        pool: (args, name) => (name === 'l4' ? { ...args, version: '1.36' } : args),
        provider: (args) => ({ ...args, namespace: 'ours' }),
        storageClass: (args) => ({ ...args, mountOptions: ['nconnect=4'] }),
      },
    },
  );
  expect(inputsOf(all, 'kubernetes', 'us')).toMatchObject({ namespace: 'ours', deleteUnreachable: 'true' });
  const storageClass = inputsOf(all, 'StorageClass', 'us/StorageClass.fleetwright-shared');
  expect(storageClass).toMatchObject({ mountOptions: ['nconnect=4'], provisioner: expect.any(String) });
  expect(inputsOf(all, 'Network', 'us')).toMatchObject({ mtu: 8896, name: 'us' });
  expect(inputsOf(all, 'Subnetwork', 'us')).toMatchObject({ description: 'ours', name: 'us' });
  expect(inputsOf(all, 'Cluster', 'us')).toMatchObject({ releaseChannel: { channel: 'RAPID' }, name: 'us' });
  expect(inputsOf(all, 'NodePool', 'us_l4')).toMatchObject({ version: '1.36', name: 'l4' });
  expect(inputsOf(all, 'NodePool', 'us_system')).not.toHaveProperty('version');
});

test('Lustre as volumes is switched on by a transform, next to the add-ons that are planned', async () => {
  const lustre = { lustreCsiDriverConfig: { enabled: true } };
  const withLustre = (args: ClusterArgs): ClusterArgs => ({
    ...args,
    addonsConfig: output(args.addonsConfig).apply((planned) => ({ ...planned, ...lustre })),
  });
  const all = await made({}, { transform: { cluster: withLustre } });
  const { addonsConfig } = planned().cluster.args;
  expect(inputsOf(all, 'Cluster', 'us')?.['addonsConfig']).toEqual({ ...addonsConfig, ...lustre });
});

test('what has a fixed name goes before what replaces it, and what others change is left to them', async () => {
  const all = await made(PRIVATE);
  const fixed = all.filter(({ type, inputs }) => type.startsWith('gcp:') && 'name' in inputs);
  expect(fixed.length).toBeGreaterThan(4);
  expect(fixed.filter(({ deleteBeforeReplace }) => !deleteBeforeReplace)).toEqual([]);
  const ignored = all.map(({ name, type, ignoreChanges }) => [type.split(':').at(-1), name, ignoreChanges]);
  expect(ignored.filter(([, , paths]) => paths!.length > 0)).toEqual([
    ['Cluster', 'us', ['initialNodeCount', 'nodeConfig']],
    ['NodePool', 'us_system', ['initialNodeCount']],
    ['NodePool', 'us_l4', ['initialNodeCount']],
  ]);
});

async function apisOf(enableApis: boolean): Promise<number> {
  const all = await record(() => {
    const clouds = [gke({ project: 'models', enableApis })];
    return new FleetStack('models', { fleet: 'examples/gke', clouds });
  });
  return all.filter(({ type }) => type === 'gcp:projects/service:Service').length;
}

test('APIs are left alone where another owner switches them on', async () => {
  expect([await apisOf(true), await apisOf(false)]).toEqual([5, 0]);
});

test('a run names machine type and zones next to a pool with GPUs, and another machine type leaves the pool what it is', async () => {
  const all = await made();
  const pool = all.find(({ name, type }) => name === 'us_l4' && type.endsWith(':NodePool'));
  expect(pool).toMatchObject({
    parent: 'fleetwright:index:PoolRequest us_l4_g2-standard-8_us-central1-a',
    formerParents: ['fleetwright:index:GkeCluster us'],
  });
  expect(all.filter(({ type }) => type.endsWith(':PoolRequest')).map(({ parent }) => parent)).toEqual([
    'fleetwright:index:GkeCluster us',
  ]);
});
