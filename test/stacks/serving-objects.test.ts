import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap';
import { App } from 'cdk8s';
import { Fleet, InferenceCluster } from '../../constructs/index';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { servingObjects } from '../../src/provision/releases/objects-without-chart';
import { ExistingCluster, FleetStack, ServingStack, type ServingStackArgs } from '../../stacks/index';
import { aCluster } from '../api/build';
import { anObject } from './build';
import { record, type Registered } from './record';

const install = { install: true };
const servingStack = { aiGateway: install, inferenceCrds: install };

const POOLS = 'lab/CustomResourceDefinition.inferencepools.inference.networking.k8s.io';
const RBAC = 'kubernetes:rbac.authorization.k8s.io/v1';
const OBJECTS = [
  `kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition ${POOLS}`,
  `${RBAC}:ClusterRole lab/ClusterRole.fleetwright-inference-pools`,
  `${RBAC}:ClusterRoleBinding lab/ClusterRoleBinding.fleetwright-inference-pools`,
];

/** What is registered for a cluster with the AI gateway and InferencePools. */
function withPools(more: Partial<ServingStackArgs> = {}): Promise<Registered[]> {
  return record(() => {
    const lab = aCluster('lab', { servingStack });
    const releases = releasesOf(lab, { classes: [], clusters: [lab], gateways: [] });
    const cluster = new ExistingCluster('lab', { context: 'lab' });
    new ServingStack('lab', { cluster, releases, objects: servingObjects(lab), ...more });
  });
}

/** The same by a whole stack, as files or as resources. */
function inFleet(more: { keepData?: boolean; workloads?: 'files' }): Promise<Registered[]> {
  return record(
    () => {
      const fleet = new Fleet(new App(), 'main');
      new InferenceCluster(fleet, 'lab', {
        cluster: { source: 'Existing', existing: { context: 'lab' } },
        servingStack,
      });
      new FleetStack('models', { fleet, lockMode: 'ephemeral', ...more });
    },
    'models',
    true,
  );
}

function release(name: string): string {
  return `kubernetes:helm.sh/v3:Release lab/${name}`;
}

function keptOf(all: readonly Registered[]): string[] {
  return all.filter(({ retainOnDelete }) => retainOnDelete).map(({ name }) => name);
}

describe('what no chart brings', () => {
  test('is in the stack of its cluster, before the releases that need it', async () => {
    const on = (await withPools()).filter(({ name }) => name.startsWith('lab/'));
    expect(new Set(on.map(({ parent }) => parent))).toEqual(new Set(['fleetwright:index:ServingStack lab']));
    expect(new Set(on.map(({ provider }) => provider))).toEqual(new Set(['pulumi:providers:kubernetes lab']));
    expect(Object.fromEntries(on.map((one) => [`${one.type} ${one.name}`, one.dependsOn]))).toEqual({
      ...Object.fromEntries(OBJECTS.map((id) => [id, []])),
      [release('cert-manager')]: [],
      [release('envoy-gateway')]: OBJECTS,
      [release('ai-gateway-crds')]: [],
      [release('ai-gateway')]: [
        OBJECTS[0],
        ...['ai-gateway-crds', 'cert-manager', 'envoy-gateway'].map(release),
        ...OBJECTS.slice(1),
      ],
    });
  });

  test('is waited for where it is a definition', async () => {
    const definition = (await withPools()).find(({ name }) => name === POOLS);
    expect(definition?.inputs).toMatchObject({
      metadata: {
        name: 'inferencepools.inference.networking.k8s.io',
        annotations: {
          'api-approved.kubernetes.io': expect.stringContaining('gateway-api-inference-extension'),
          'pulumi.com/waitFor': 'condition=Established',
        },
      },
      spec: { group: 'inference.networking.k8s.io', scope: 'Namespaced' },
    });
  });

  test('stays where it is a definition, with the pools of others, unless nothing is to', async () => {
    expect(keptOf(await withPools())).toEqual([POOLS]);
    expect(keptOf(await withPools({ keepData: false }))).toEqual([]);
  });

  test('comes after what the stack comes after, and is changed as all objects are', async () => {
    const all = await record(() => {
      const existing = new ExistingCluster('lab', { context: 'lab' });
      const { name, provider, kubeconfig } = existing;
      const map = (one: string) => new ConfigMap(one, {}, { parent: existing, provider });
      const cluster = { name, provider, kubeconfig, dependencies: [map('pool')] };
      const objects = servingObjects(aCluster('lab', { servingStack: { inferenceCrds: install } }));
      const object = ({ metadata, ...rest }: (typeof objects)[number]) => {
        return { ...rest, metadata: { ...metadata, finalizers: ['ours'] } };
      };
      new ServingStack('lab', {
        cluster,
        releases: [],
        objects,
        after: [map('hook')],
        transform: { object },
      });
    });
    const definition = all.find(({ name }) => name === POOLS);
    const maps = ['hook', 'pool'].map((name) => `kubernetes:core/v1:ConfigMap ${name}`);
    expect(definition?.dependsOn).toEqual(maps);
    expect(definition?.inputs).toMatchObject({ metadata: { finalizers: ['ours'] } });
  });

  test('comes after what it needs itself', async () => {
    const all = await record(() => {
      const cluster = new ExistingCluster('lab', { context: 'lab' });
      const objects = [anObject('Namespace', 'ours'), anObject('ConfigMap', 'ours/settings')];
      new ServingStack('lab', { cluster, releases: [], objects: objects.toReversed() });
    });
    const settings = all.find(({ name }) => name === 'lab/ConfigMap.ours.settings');
    expect(settings?.dependsOn).toEqual(['kubernetes:core/v1:Namespace lab/Namespace.ours']);
    expect(keptOf(all)).toEqual([]);
  });

  test.each([{}, { workloads: 'files' as const }])('is in a whole stack with %o', async (more) => {
    const all = await inFleet(more);
    const ids = all.map(({ type, name }) => `${type} ${name}`);
    expect(ids).toEqual(expect.arrayContaining(OBJECTS));
    expect(keptOf(all)).toContain(POOLS);
    expect(keptOf(await inFleet({ ...more, keepData: false }))).toEqual([]);
  });
});
