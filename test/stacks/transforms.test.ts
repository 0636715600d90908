import { output } from '@pulumi/pulumi';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { ClusterWorkloads, ExistingCluster, FleetStack, type FleetTransform, ServingStack } from '../../stacks/index';
import { anObject, type Doc } from './build';
import { ignoreUnaskedClusters, record, type Registered } from './record';

ignoreUnaskedClusters();

const release = { namespace: 'a', chart: 'oci://a', version: '1', values: {}, needs: [] };

/** Releases, objects and a Gateway with an address on a cluster whose parts are changed. */
function onLab(changes: FleetTransform): Promise<Registered[]> {
  return record(() => {
    const cluster = new ExistingCluster('lab', { context: 'lab', transform: changes });
    const releases = [
      { ...release, name: 'lws' },
      { ...release, name: 'driver' },
    ];
    new ServingStack('lab', { cluster, releases, transform: changes });
    const manifests = [
      anObject('Deployment', 'ml/q', { spec: { replicas: 1 } }),
      anObject('Service', 'ml/q'),
      anObject('LeaderWorkerSet', 'ml/gang'),
      anObject('Gateway', 'fleetwright-system/edge', { apiVersion: 'gateway.networking.k8s.io/v1' }),
    ];
    new ClusterWorkloads('lab', { cluster, manifests, addressed: new Set(['edge']), transform: changes });
  });
}

function inputsOf(all: readonly Registered[], name: string): Doc | undefined {
  return all.find((one) => one.name === name && one.custom)?.inputs;
}

function annotationsOf(all: readonly Registered[], name: string): unknown {
  return (inputsOf(all, name) as Manifest | undefined)?.metadata.annotations;
}

/** The annotations of an object, and one more. */
function noted({ metadata }: Manifest): Record<string, string> {
  return { ...metadata.annotations, note: 'ours' };
}

const KUBECONFIGS = { berlin: 'token: abc' };

/** Changes berlin alone. */
function transform(cluster: string): FleetTransform {
  if (cluster !== 'berlin') return {};
  return {
    provider: (args) => ({ ...args, namespace: 'ours' }),
    release: (args) => ({ ...args, timeout: 60 }),
    object: (manifest) => ({ ...manifest, spec: { finalizers: ['ours'] } }),
  };
}

describe('a transform changes', () => {
  test('a release by its name, also in what no field of ours says', async () => {
    const all = await onLab({
      release: (args, name) => (name === 'lws' ? { ...args, atomic: true, timeout: 60 } : args),
    });
    expect(inputsOf(all, 'lab/lws')).toMatchObject({ atomic: true, timeout: 60, namespace: 'a' });
    expect(inputsOf(all, 'lab/driver')).toMatchObject({ timeout: 600 });
    expect(inputsOf(all, 'lab/driver')).not.toHaveProperty('atomic');
  });

  test('an object, whatever class it goes through, and sees whether it is waited for', async () => {
    const all = await onLab({
      object: (manifest) => {
        if (manifest.kind === 'Service') return manifest;
        return { ...manifest, metadata: { ...manifest.metadata, annotations: noted(manifest) } };
      },
    });
    const skip = { 'pulumi.com/skipAwait': 'true' };
    const names = ['Deployment.ml.q', 'LeaderWorkerSet.ml.gang', 'Gateway.fleetwright-system.edge', 'Service.ml.q'];
    expect(names.map((name) => annotationsOf(all, `lab/${name}`))).toEqual([
      { ...skip, note: 'ours' },
      { note: 'ours' },
      { 'pulumi.com/waitFor': expect.any(String), note: 'ours' },
      skip,
    ]);
    expect(inputsOf(all, 'lab/Deployment.ml.q')).toMatchObject({ spec: { replicas: 1 } });
  });

  test('an object to what is known only later', async () => {
    const all = await onLab({
      object: (manifest) => ({ ...manifest, spec: { loadBalancerIP: output('203.0.113.9') } }),
    });
    expect(inputsOf(all, 'lab/Service.ml.q')).toMatchObject({ spec: { loadBalancerIP: '203.0.113.9' } });
  });

  test('the provider of a cluster that exists', async () => {
    const all = await onLab({ provider: (args) => ({ ...args, kubeClientSettings: { qps: 50 } }) });
    expect(inputsOf(all, 'lab')).toMatchObject({
      context: 'lab',
      deleteUnreachable: 'true',
      kubeClientSettings: expect.stringContaining('50'),
    });
  });
});

describe('a transform of a stack', () => {
  test('changes what is on the cluster that it is for', async () => {
    const all = await record(
      () => new FleetStack('models', { fleet: 'examples/existing', kubeconfigs: KUBECONFIGS, transform }),
    );
    const changed = (cluster: string) => [
      inputsOf(all, cluster)?.['namespace'],
      inputsOf(all, `${cluster}/lws`)?.['timeout'],
      inputsOf(all, `${cluster}/Namespace.ml`)?.['spec'],
    ];
    expect(changed('berlin')).toEqual(['ours', 60, { finalizers: ['ours'] }]);
    expect(changed('munich')).toEqual([undefined, 600, undefined]);
  });

  test('warns where objects are files, which it does not change', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation();
    const args = { fleet: 'examples/existing', kubeconfigs: KUBECONFIGS, transform };
    await record(() => new FleetStack('models', { ...args, workloads: 'files' }), 'models', true);
    const said = warned.mock.calls.join();
    warned.mockRestore();
    expect(said).toContain("berlin: 'object' of their transform does not change files.");
    expect(said).not.toContain('munich');
  });
});
