import { ClusterWorkloads, ExistingCluster, type ExistingClusterArgs, ServingStack } from '../../stacks/index';
import { type Doc, refusal } from './build';
import { record, type Registered } from './record';

/** A cluster with a namespace and a release on it. */
function program(args: ExistingClusterArgs, opts = {}): () => void {
  return () => {
    const cluster = new ExistingCluster('lab', args, opts);
    const release = { name: 'lws', namespace: 'lws-system', chart: 'oci://a/lws', version: '1', values: {} };
    const stack = new ServingStack('lab', { cluster, releases: [{ ...release, needs: [] }] });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ml', labels: {} } };
    new ClusterWorkloads('lab', { cluster, manifests: [namespace], after: [stack] });
  };
}

const rotations: Record<string, { before: ExistingClusterArgs; after: ExistingClusterArgs }> = {
  'a rotated token': {
    before: { kubeconfig: '{"users": [{"token": "one"}]}' },
    after: { kubeconfig: '{"users": [{"token": "two"}]}' },
  },
  'a new address': {
    before: { kubeconfig: 'server: https://10.0.0.1' },
    after: { kubeconfig: 'server: https://lab.example.com' },
  },
  'a proxy': {
    before: { kubeconfig: '{"clusters": [{"cluster": {"server": "https://a"}}]}' },
    after: { kubeconfig: '{"clusters": [{"cluster": {"server": "https://a", "proxy-url": "http://p"}}]}' },
  },
  'another context': { before: { context: 'lab' }, after: { context: 'lab-admin' } },
};

describe('an existing cluster', () => {
  test.each(Object.entries(rotations))(
    'stays the same with %s: only the provider is updated, and nothing is replaced',
    async (_, { before, after }) => {
      const [first, second] = [await record(program(before)), await record(program(after))];
      const changed = differences(first, second);
      expect(changed.map(({ type }) => type)).toEqual(['pulumi:providers:kubernetes']);
      expect(identifiers(first)).toEqual(['lab']);
      expect(identifiers(second)).toEqual(['lab']);
    },
  );

  test('that was built again has another identity', async () => {
    expect(identifiers(await record(program({ context: 'lab', identity: 'lab-2' })))).toEqual(['lab-2']);
  });

  test('keeps its kubeconfig secret, however it comes', async () => {
    const [provider] = await providers({ kubeconfig: 'token: abc' });
    expect(provider?.inputs['kubeconfig']).toEqual({ secret: 'token: abc' });
    const others = (await record(program({ kubeconfig: 'token: abc' }))).filter(({ type }) => !isProvider(type));
    expect(JSON.stringify(others)).not.toContain('abc');
  });

  test('adopts what is there, applies on the server, and lets go of a cluster that is gone', async () => {
    const [provider] = await providers({ context: 'lab' });
    expect(provider?.inputs).toMatchObject({
      context: 'lab',
      enableServerSideApply: 'true',
      upsertExistingObjects: 'true',
      deleteUnreachable: 'true',
    });
  });

  test.each([
    ['without kubeconfig and context', {}],
    ['with the name of no context', { context: '' }],
    ['with an empty kubeconfig', { kubeconfig: '' }],
    ['with an empty kubeconfig, whatever its context', { kubeconfig: '\n', context: 'lab' }],
  ])('%s is refused before anything is registered', async (_, args: ExistingClusterArgs) => {
    let said: string[] = [];
    const all = await record(() => {
      said = refusal(program(args));
    });
    expect(said).toEqual([
      'lab: the cluster has neither a kubeconfig nor a context. Pass a kubeconfig or the name of a context.',
    ]);
    expect(all.map(({ type }) => type)).toEqual(['pulumi:pulumi:Stack']);
  });
});

function isProvider(type: string): boolean {
  return type.startsWith('pulumi:providers:');
}

async function providers(args: ExistingClusterArgs): Promise<Registered[]> {
  return (await record(program(args))).filter(({ type }) => isProvider(type));
}

function identifiers(all: readonly Registered[]): unknown[] {
  return all.filter(({ type }) => isProvider(type)).map(({ inputs }) => (inputs as Doc)['clusterIdentifier']);
}

/** What differs between two runs, each resource found by type and name. */
function differences(first: readonly Registered[], second: readonly Registered[]): readonly Registered[] {
  const earlier = byId(first);
  expect([...byId(second).keys()].toSorted()).toEqual([...earlier.keys()].toSorted());
  return second.filter((one) => JSON.stringify(one) !== JSON.stringify(earlier.get(`${one.type} ${one.name}`)));
}

function byId(all: readonly Registered[]): ReadonlyMap<string, Registered> {
  return new Map(all.map((one) => [`${one.type} ${one.name}`, one]));
}
