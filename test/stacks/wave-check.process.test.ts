import { output } from '@pulumi/pulumi';
import { loadManifests } from '../../src/manifest/load-manifests';
import { ClusterWorkloads, ExistingCluster, FleetStack, type FleetStackArgs } from '../../stacks/index';
import { SMALL as ONE_REPLICA } from '../cli/cli';
import type { Answers } from '../cli/fake-api';
import { plan } from '../kubernetes/promises/plan';
import { AskedCluster } from './asked-cluster';
import { record, type Registered } from './record';
import { runMain } from './run-main';

/** Two replicas, each of which takes a node of the pool. */
const SMALL = ONE_REPLICA.replace('replicas: 1', 'replicas: 2');

/** Replicas that take half of a node, and others that take the other half. */
const HALF = SMALL.replace(/( +)count: 8\n( +)selectors/, '$1count: 4\n$2selectors').replace('-tp=8', '-tp=4');
const BEFORE = `${HALF}---${HALF.split('---').at(-1)?.replace('name: q', 'name: old')}`;

const cluster = new AskedCluster(SMALL);

function planned(text: string) {
  const { clusters, fleet } = plan(loadManifests([{ path: 'fleet.yaml', text }]).resources);
  return { fleet, ...clusters[0]! };
}

/** A cluster that runs what a fleet declares. */
function running(text: string): Answers {
  const { manifests } = planned(text);
  const of = (kind: string) => ({ items: manifests.filter((one) => one.kind === kind) });
  return {
    '/version': { gitVersion: 'v1.36.0' },
    '/apis/apps/v1/deployments': of('Deployment'),
    '/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets': 404,
    '/apis/resource.k8s.io/v1/resourceclaimtemplates': of('ResourceClaimTemplate'),
  };
}

/** What a stack registers on its cluster. */
async function applied(args: Partial<FleetStackArgs>, preview = false, project = 'fleetwright'): Promise<Registered[]> {
  const all = {
    fleet: cluster.work.path('fleet'),
    lockMode: 'ephemeral',
    out: cluster.work.path('out'),
    ...args,
  } as const;
  const registered = await record(() => new FleetStack('models', all), project, preview);
  return registered.filter(({ name }) => name.startsWith('us/'));
}

const LISTS = [
  '/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright&limit=500',
  '/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright&limit=500',
  '/apis/nvidia.com/v1beta1/dynamographdeployments?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright&limit=500',
  '/apis/resource.k8s.io/v1/resourceclaimtemplates?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright&limit=500',
  '/apis/serving.kserve.io/v1alpha2/llminferenceservices?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright&limit=500',
  '/version',
];

/** What waves ask for before anything is applied. */
const OF_CLUSTER = [
  'apps/v1/deployments',
  'leaderworkerset.x-k8s.io/v1/leaderworkersets',
  'nvidia.com/v1beta1/dynamographdeployments',
  'serving.kserve.io/v1alpha2/llminferenceservices',
].map(
  (one) =>
    `/apis/${one}?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfleetwright%2Cfleetwright.dev%2Fcluster%3Dus&limit=500`,
);

test('a change for which there is room gets all that it would have got, once the cluster has answered what runs', async () => {
  const us = await cluster.serve(running(SMALL));
  const all = await applied({ kubeconfigs: { us } });
  expect(new Set(cluster.api.asked.map(({ path }) => path))).toEqual(new Set([...LISTS, ...OF_CLUSTER]));
  const first = all.filter(({ dependsOn }) => !dependsOn.some((one) => one.startsWith('kubernetes:')));
  expect(first.map(({ name, dependsOn }) => `${name} ${dependsOn.join()}`)).toEqual([
    'us/lws pulumi:providers:kubernetes us',
    'us/node-feature-discovery pulumi:providers:kubernetes us',
  ]);
  expect(all.map(({ type }) => type)).toContain('kubernetes:apps/v1:Deployment');
  expect(cluster.warnings()).toBe('');
});

test.each<[string, Partial<FleetStackArgs>, string]>([
  ['without waves', { waves: false }, SMALL],
  ['without workloads of its own', { workloads: 'files' }, SMALL],
  ['whose deployments have one replica each', {}, ONE_REPLICA],
])('an update of a stack %s asks nothing', async (_, args, fleet) => {
  cluster.work.write({ 'fleet/fleet.yaml': fleet });
  await applied({ kubeconfigs: { us: await cluster.serve(running(BEFORE)) }, ...args });
  expect(cluster.api.asked).toEqual([]);
});

test('a new deployment may need devices that the change frees: waves wait for what runs alone', async () => {
  const us = await cluster.serve(running(SMALL.replace('name: q', 'name: old')));
  expect((await applied({ kubeconfigs: { us } })).length).toBeGreaterThan(3);
});

const UNKNOWN = 'us: whether waves would block is unknown, because what runs there cannot be read: ';
const WITHOUT_WAVES = 'us: replicas are not replaced in waves, as the cluster cannot be asked whether they are ready: ';

const unseen: Record<string, { answers?: Answers; of?: (good: string) => string; want: string }> = {
  'gives no answer': {
    of: (good) => {
      cluster.api.stop();
      return good;
    },
    want: '127.0.0.1',
  },
  'does not know who asks': { answers: { '/version': 401 }, want: 'it does not accept the credentials' },
  'does not let its workloads be seen': {
    answers: { '/apis/apps/v1/deployments': 403 },
    want: 'the server says 403. Check that the cluster answers',
  },
  'is reached without credentials': {
    of: (good) => good.replace('"users"', '"other"'),
    want: "context us: the kubeconfig has no user 'u'. Compare it with 'kubectl config view'.",
  },
  'has no context': {
    of: (good) => good.replace('current-context', 'other'),
    want: 'the kubeconfig has no current context. Set the context of the cluster.',
  },
};

describe.each([true, false])('in a preview: %s', (preview) => {
  // Where workloads may not be listed, an update looks in the namespace.
  const rows = Object.entries(unseen).filter(([, { answers }]) => preview || !answers || '/version' in answers);

  test.each(rows)('a cluster that %s is one warning', async (_, row) => {
    const { answers = {}, of = (good: string) => good, want } = row;
    const us = of(await cluster.serve({ ...running(BEFORE), ...answers }));
    expect((await applied({ kubeconfigs: { us } }, preview)).length).toBeGreaterThan(3);
    expect(cluster.warnings()).toContain((preview ? UNKNOWN : WITHOUT_WAVES) + want);
    expect(cluster.warned).toHaveBeenCalledTimes(1);
  });
});

test('a user without permission for kinds that the cluster does not serve sees its workloads', async () => {
  const us = await cluster.serve({
    ...running(SMALL),
    '/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets': 403,
    '/apis/nvidia.com/v1beta1/dynamographdeployments': 403,
    '/apis/serving.kserve.io/v1alpha2/llminferenceservices': 403,
  });
  await applied({ kubeconfigs: { us } });
  expect(cluster.warnings()).toBe('');
});

test('a cluster of the program without a connection is not that of the current context', async () => {
  cluster.work.write({ config: await cluster.serve(running(BEFORE)) });
  const { KUBECONFIG } = process.env;
  process.env['KUBECONFIG'] = cluster.work.path('config');
  try {
    await record(() => {
      const { provider } = new ExistingCluster('us', { context: 'us' });
      const us = { name: 'us', provider, kubeconfig: output(undefined), dependencies: [] };
      const args = { fleet: cluster.work.path('fleet'), lockMode: 'ephemeral' } as const;
      new FleetStack('models', { ...args, clusters: { us } });
    });
  } finally {
    Object.assign(process.env, { KUBECONFIG });
  }
  expect(cluster.api.asked).toEqual([]);
  expect(cluster.warnings()).toContain(`${WITHOUT_WAVES}the context of the kubeconfig is not set`);
});

test.each([true, false])('the objects of one cluster ask it where it is declared: %s', async (isDeclared) => {
  const { manifests, ...place } = planned(SMALL);
  const kubeconfig = await cluster.serve(running(SMALL));
  const all = await record(() => {
    const us = new ExistingCluster('us', { kubeconfig });
    const declared = isDeclared ? { declared: { cluster: place.cluster, fleet: place.fleet } } : {};
    new ClusterWorkloads('us', { cluster: us, manifests, ...declared });
  });
  expect(cluster.api.asked.length).toBe(isDeclared ? 11 : 5);
  const first = all.find(({ type }) => type.endsWith('ResourceClaimTemplate'));
  expect(first?.dependsOn).toEqual(isDeclared ? ['pulumi:providers:kubernetes us'] : []);
});

test.each([true, false])(
  'a change that needs devices which it frees itself ends the program before anything is registered there, in a preview too: %s',
  async (preview) => {
    cluster.work.write({ 'fleet/fleet.yaml': `${SMALL}---\n${SECOND}` });
    const us = await cluster.serve(running(BEFORE));
    const { code, said, registered } = await runMain({
      preview,
      config: {
        'fleetwright:fleet': cluster.work.path('fleet'),
        'fleetwright:lockMode': 'ephemeral',
        'fleetwright:kubeconfigs': JSON.stringify({ us, eu: us }),
      },
      secrets: ['fleetwright:kubeconfigs'],
    });
    expect(said).toEqual([
      "us: waves would block in pool 'h100': ml/q (2 pods) would wait for devices of ml/old (2 pods), which is removed last. It has 2 nodes, and both need 2 more. Remove ml/old (2 pods) in one update and add the rest in the next, or turn waves off for this update.",
    ]);
    expect(code).not.toBe(0);
    expect(registered.filter(({ name }) => name.includes('/'))).toEqual([]);
  },
  120_000,
);

const SECOND = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: eu }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: eu } } }
  nodePools: [{ name: h100, className: h100, nodeCount: 0 }]
`;
