import { assemble } from '../../src/fleet/fleet';
import { loadManifests } from '../../src/manifest/load-manifests';
import { ExistingCluster, FleetStack, ServingStack } from '../../stacks/index';
import { SMALL } from '../cli/cli';
import { type Answers, GOOD } from '../cli/fake-api';
import { AskedCluster } from './asked-cluster';
import { record, type Registered } from './record';
import { runMain } from './run-main';

const cluster = new AskedCluster(SMALL);

function serve(answers: Answers = {}): Promise<string> {
  return cluster.serve({ ...GOOD, ...answers });
}

interface Options {
  kubeconfig: string;
  preview?: boolean;
  precheck?: boolean;
}

/** What a stack of one cluster registers on it. */
async function applied({ kubeconfig, preview = false, precheck = true }: Options): Promise<Registered[]> {
  const args = { fleet: cluster.work.path('fleet'), lockMode: 'ephemeral', precheck } as const;
  const all = await record(
    () => new FleetStack('models', { ...args, kubeconfigs: { us: kubeconfig } }),
    'fleetwright',
    preview,
  );
  return all.filter(({ name }) => name.startsWith('us/'));
}

test('a cluster that has what it declares, but for what the stack installs, gets all that it would have got', async () => {
  const kubeconfig = await serve({
    '/apis/leaderworkerset.x-k8s.io/v1': 404,
    '/apis/resource.k8s.io/v1/deviceclasses': { items: [] },
  });
  const unchecked = await applied({ kubeconfig, precheck: false });
  expect(cluster.api.asked).toEqual([]);
  const checked = await applied({ kubeconfig });
  expect(cluster.api.asked.length).toBeGreaterThan(10);
  expect(new Set(cluster.api.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer SECRET']));
  expect(checked.map(({ inputs }) => inputs)).toEqual(unchecked.map(({ inputs }) => inputs));
  expect(cluster.warnings()).toBe('');
});

test('a kind that the stack installs is not missed', async () => {
  const install = '  servingStack: { inferenceCrds: { install: true } }\n';
  const fleet = SMALL.replace('  nodePools:\n', `${install}  nodePools:\n`);
  cluster.work.write({ 'fleet/fleet.yaml': fleet });
  const checked = await applied({ kubeconfig: await serve() });
  const definition = checked.find(({ type }) => type.endsWith(':CustomResourceDefinition'));
  expect(definition?.dependsOn).toEqual(['pulumi:providers:kubernetes us']);
});

test('everything on a cluster waits until it was looked at', async () => {
  const checked = await applied({ kubeconfig: await serve() });
  const first = checked.filter(({ dependsOn }) => !dependsOn.some((one) => one.startsWith('kubernetes:')));
  expect(first.map(({ name }) => name)).toEqual(['us/lws', 'us/node-feature-discovery']);
  expect(first.map(({ dependsOn }) => dependsOn)).toEqual(first.map(() => ['pulumi:providers:kubernetes us']));
});

test('what a user should look at, and what may not be seen, is reported and stops nothing', async () => {
  const checked = await applied({ kubeconfig: await serve({ '/api/v1/pods': 403 }) });
  expect(checked.length).toBeGreaterThan(3);
  expect(cluster.warnings()).toBe(
    'warning: [runtime] us: nodes: pods of other workloads on the nodes are unknown. Request permission to list pods: the server says 403.',
  );
});

const unasked: Record<string, { of: (good: string) => string; want: string }> = {
  'gives no answer': {
    of: (good) => {
      cluster.api.stop();
      return good;
    },
    want: 'us: api-server: 127.0.0.1',
  },
  'has a kubeconfig that is none': {
    of: () => 'users: SECRET',
    want: 'kubeconfig of us: this is not a kubeconfig: see users, and it cannot be compared',
  },
  'has no context': {
    of: (good) => good.replace('current-context', 'other'),
    want: 'us: the kubeconfig has no current context, and it cannot be compared',
  },
};

test.each(Object.entries(unasked))(
  'a preview warns of a cluster that %s, and shows everything',
  async (_, { of, want }) => {
    const all = await applied({ kubeconfig: of(await serve()), preview: true });
    expect(all.length).toBeGreaterThan(3);
    expect(cluster.warnings()).toContain(want);
    expect(cluster.warnings()).toContain('it cannot be compared with its declaration');
  },
);

test('a cluster of its own is looked at before its releases', async () => {
  const { resources } = loadManifests([{ path: 'fleet.yaml', text: SMALL }]);
  const fleet = assemble(resources);
  const [declared] = fleet.clusters;
  const args = { kubeconfig: await serve(), context: 'us', precheck: { cluster: declared!, fleet } };
  const all = await record(() => {
    const us = new ExistingCluster('us', args);
    const release = { name: 'lws', namespace: 'lws', chart: 'oci://a/lws', version: '1', values: {} };
    return new ServingStack('us', { cluster: us, releases: [{ ...release, needs: [] }] });
  });
  const release = all.find(({ type }) => type.endsWith('Release'));
  expect(release?.dependsOn).toEqual(['pulumi:providers:kubernetes us']);
  expect(cluster.api.asked.length).toBeGreaterThan(10);
});

test('an update reports what would not work on all clusters at once, and registers nothing there', async () => {
  cluster.work.write({ 'fleet/fleet.yaml': `${SMALL}---\n${SECOND}` });
  const us = await serve({ '/apis/resource.k8s.io/v1': 404, '/version': { gitVersion: 'v1.33.0' } });
  const { code, said, registered } = await runMain({
    preview: false,
    config: {
      'fleetwright:fleet': cluster.work.path('fleet'),
      'fleetwright:lockMode': 'ephemeral',
      'fleetwright:precheck': 'true',
      'fleetwright:kubeconfigs': JSON.stringify({ us, eu: cluster.unreachable() }),
    },
    secrets: ['fleetwright:kubeconfigs'],
  });
  expect(said).toEqual([
    [
      'eu: api-server: 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check the network, the kubeconfig and your credentials.',
      'us: dra: resource.k8s.io/v1 is not served. Upgrade Kubernetes, or enable the API.',
      'us: version: Kubernetes v1.33.0 does not serve DRA, which requires 1.34. Upgrade it, or set dra: false on the cluster to use a device plugin.',
    ].join('\n'),
  ]);
  expect(code).not.toBe(0);
  expect(registered.filter(({ name }) => name.includes('/'))).toEqual([]);
}, 120_000);

const SECOND = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: eu } } }
  nodePools: [{ name: h100, className: h100, nodeCount: 1 }]
`;
