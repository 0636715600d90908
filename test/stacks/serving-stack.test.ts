import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap';
import { Release } from '@pulumi/kubernetes/helm/v3/release';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { ClusterWorkloads, ExistingCluster, InstalledRelease, ServingStack } from '../../stacks/index';
import { aCluster } from '../api/build';
import { anObject } from './build';
import { record, type Registered } from './record';

const release = {
  name: 'lws',
  namespace: 'lws-system',
  version: '1.2.3',
  values: { a: { b: 1 } },
  needs: [],
};

test('a release has a fixed name, its chart where it is, and a time after which it has failed', async () => {
  const all = await record(() => {
    const cluster = new ExistingCluster('lab', { context: 'lab' });
    const releases = [
      { ...release, chart: 'oci://registry.example.com/lws' },
      { ...release, name: 'other', chart: 'other', repository: 'https://charts.example.com' },
    ];
    new ServingStack('lab', { cluster, releases });
  });
  const common = {
    namespace: 'lws-system',
    createNamespace: true,
    version: '1.2.3',
    values: { a: { b: 1 } },
    timeout: 600,
  };
  const inputs = all.filter(({ type }) => type.endsWith(':Release')).map((one) => one.inputs);
  expect(inputs).toMatchObject([
    { name: 'lws', chart: 'oci://registry.example.com/lws', ...common },
    { name: 'other', chart: 'other', repositoryOpts: { repo: 'https://charts.example.com' }, ...common },
  ]);
  expect(inputs[0]).not.toHaveProperty('repositoryOpts');
});

test('everything on a cluster comes after what the cluster is made of', async () => {
  const all = await record(() => {
    const existing = new ExistingCluster('lab', { context: 'lab' });
    const { name, provider, kubeconfig } = existing;
    const pool = new ConfigMap('pool', {}, { parent: existing, provider });
    const cluster = { name, provider, kubeconfig, dependencies: [pool] };
    new ServingStack('lab', { cluster, releases: [{ ...release, chart: 'oci://a' }] });
    new ClusterWorkloads('lab', { cluster, manifests: [anObject('Namespace', 'ml')] });
  });
  const on = all.filter(({ name }) => name.startsWith('lab/'));
  expect(Object.fromEntries(on.map(({ name, dependsOn }) => [name, dependsOn]))).toEqual({
    'lab/lws': ['kubernetes:core/v1:ConfigMap pool'],
    'lab/Namespace.ml': ['kubernetes:core/v1:ConfigMap pool'],
  });
});

test('the AI gateway is installed after what it extends, and as values say', async () => {
  const all = await record(() => {
    const servingStack = { aiGateway: { install: true, values: { controller: { replicaCount: 3 } } } };
    const lab = aCluster('lab', { servingStack });
    const releases = releasesOf(lab, { classes: [], clusters: [lab], gateways: [] });
    new ServingStack('lab', { cluster: new ExistingCluster('lab', { context: 'lab' }), releases });
  });
  const releases = all.filter(({ type }) => type.endsWith(':Release'));
  expect(Object.fromEntries(releases.map(({ name, dependsOn }) => [name, dependsOn]))).toEqual({
    'lab/cert-manager': [],
    'lab/envoy-gateway': [],
    'lab/ai-gateway-crds': [],
    'lab/ai-gateway': ['ai-gateway-crds', 'cert-manager', 'envoy-gateway'].map(
      (name) => `kubernetes:helm.sh/v3:Release lab/${name}`,
    ),
  });
  expect(new Set(releases.map(({ provider }) => provider))).toEqual(new Set(['pulumi:providers:kubernetes lab']));
  expect(releases.at(-1)?.inputs).toMatchObject({
    name: 'ai-gateway',
    namespace: 'envoy-ai-gateway-system',
    values: { controller: { replicaCount: 3, maxRecvMsgSize: '67108864' } },
  });
});

test('a release is to the engine what the class of the provider makes of the same arguments', async () => {
  const args = {
    name: 'lws',
    namespace: 'lws-system',
    createNamespace: true,
    chart: 'lws',
    version: '1.2.3',
    repositoryOpts: { repo: 'https://charts.example.com' },
    values: { a: { b: 1 } },
    timeout: 600,
  };
  const theirs = await onLab((parent) => new Release('lab/lws', args, { parent, provider: parent.provider }));
  const ours = await onLab((parent) => new InstalledRelease('lab/lws', args, { parent, provider: parent.provider }));
  expect(ours.map(({ name }) => name)).toContain('lab/lws');
  expect(ours).toEqual(theirs);
});

function onLab(register: (cluster: ExistingCluster) => unknown): Promise<Registered[]> {
  return record(() => register(new ExistingCluster('lab', { context: 'lab' })));
}
