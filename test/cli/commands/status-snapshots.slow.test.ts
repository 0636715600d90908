import { rmSync } from 'node:fs';
import { type Ran, SMALL, Workspace } from '../cli';
import { type Answers, FakeApi, GOOD, Page } from '../fake-api';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
  work.run('lock ./fleet');
});
afterEach(() => work.remove());

/** Records a snapshot of a cluster without a pod of the fleet. */
async function record(answers: Answers, flags = ''): Promise<Ran> {
  const pods = { items: [{ metadata: { name: 'p' }, spec: { containers: [] } }] };
  const api = await FakeApi.start({ ...GOOD, '/api/v1/pods': pods, ...answers });
  work.write({ kubeconfig: api.kubeconfig({ token: 'SECRET' }) });
  const ran = await work.runLive(`status ./fleet --kubeconfig ./kubeconfig --snapshot ./fleet/snapshots${flags}`);
  api.stop();
  return ran;
}

const kept: Record<string, { answers: Answers; want: string }> = {
  'pods that may not be listed': {
    answers: { '/api/v1/pods': 403 },
    want: 'the snapshot is not written, because the pods cannot be listed: the server says 403.',
  },
  'a login page in place of slices': {
    answers: { '/apis/resource.k8s.io/v1/resourceslices': new Page(200) },
    want: 'the snapshot is not written, because the slices cannot be listed: the answer is something that is not a Kubernetes object',
  },
  'no nodes where the snapshot has some': {
    answers: { '/api/v1/nodes': { items: [] } },
    want: 'the snapshot is not written, because the cluster has no nodes, and the earlier snapshot has 2.',
  },
};

test.each(Object.entries(kept))('a snapshot is not replaced by %s, unless with --force', async (_, row) => {
  await record({});
  const before = work.read('fleet/snapshots/us.yaml');
  const { code, err } = await record(row.answers);
  expect(err).toContain(`fleet/snapshots/us.yaml: ${row.want}`);
  expect(err).toContain('write the snapshot anyway with --force');
  expect([code, work.read('fleet/snapshots/us.yaml')]).toEqual([6, before]);
  expect((await record(row.answers, ' --force')).err).toBe('');
  expect(work.read('fleet/snapshots/us.yaml')).not.toBe(before);
});

test('a snapshot that lacks a kind is not written where there is none either', async () => {
  await record({ '/api/v1/pods': 403 });
  expect(Object.keys(work.files())).not.toContain('fleet/snapshots/us.yaml');
});

function settings(pattern: string): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec: { snapshots: ["${pattern}"] }\n`;
}

describe('where the fleet names snapshots and none exists', () => {
  test('status records the first one, which only plan and lock need', async () => {
    work.write({ 'fleet/settings.yaml': settings('./snapshots/*.yaml') });
    const missing = { code: 1, err: expect.stringContaining("no file matches './snapshots/*.yaml'") as string };
    for (const command of ['plan', 'lock', 'validate']) expect(work.run(`${command} ./fleet`)).toMatchObject(missing);
    const { err } = await record({});
    expect(err).toBe('');
    expect(work.run('plan ./fleet')).toMatchObject({ code: 0, err: '' });
  });

  test.each(['status ./fleet', 'doctor us ./fleet', 'smoke ./fleet', 'smoke ./fleet --models'])(
    '%s asks what runs',
    async (command) => {
      await record({});
      rmSync(work.path('fleet/snapshots'), { recursive: true });
      work.write({ 'fleet/settings.yaml': settings('./snapshots/*.yaml') });
      const access = command.startsWith('smoke') ? '' : ' --kubeconfig ./kubeconfig';
      const { err } = await work.runLive(command + access);
      expect(err).not.toContain('no file matches');
    },
  );

  const unread: Record<string, { pattern: string; want: string }> = {
    'another folder': {
      pattern: './recorded/*.yaml',
      want: "warning: fleet/settings.yaml:4:21: './recorded/*.yaml' means fleet/recorded/*.yaml, so plans do not read fleet/snapshots/us.yaml. Write the snapshots with '--snapshot fleet/recorded', or correct the pattern.\n",
    },
    'other names in the folder': {
      pattern: './snapshots/eu.*',
      want: "warning: fleet/settings.yaml:4:21: './snapshots/eu.*' means fleet/snapshots/eu.*, so plans do not read fleet/snapshots/us.yaml. Correct the pattern: the files have the names of clusters, as in us-east.yaml.\n",
    },
  };
  test.each(Object.entries(unread))(
    'a snapshot that is written where the fleet names %s is a warning',
    async (_, row) => {
      const before = await record({});
      work.write({ 'fleet/settings.yaml': settings(row.pattern) });
      expect(await record({})).toMatchObject({ code: before.code, err: row.want });
    },
  );
});

const KUEUE = '/apis/kueue.x-k8s.io/v1beta2';

describe('on a cluster whose pods wait for a queue of Kueue', () => {
  const quota = {
    resourceGroups: [{ flavors: [{ name: 'a', resources: [{ name: 'gpu.nvidia.com', nominalQuota: '16' }] }] }],
  };
  const total = { flavorsReservation: [{ name: 'a', resources: [{ name: 'gpu.nvidia.com', total: '12' }] }] };
  const queues: Answers = {
    [`${KUEUE}/clusterqueues`]: { items: [{ metadata: { name: 'gpus' }, spec: quota, status: total }] },
    [`${KUEUE}/localqueues`]: { items: [{ metadata: { name: 'q', namespace: 'ml' }, spec: { clusterQueue: 'gpus' } }] },
    [`${KUEUE}/workloads`]: { items: [] },
  };

  beforeEach(() => {
    const scheduler = '  scheduler: { type: Kueue, queue: q }\n  nodePools:';
    work.write({ 'fleet/fleet.yaml': SMALL.replace('  nodePools:', scheduler) });
    work.run('lock ./fleet');
    work.write({
      'fleet/settings.yaml': settings('./snapshots/*.yaml'),
      'fleet/snapshots/us.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
    });
  });

  test('a snapshot records quotas, and the plan counts with what others leave', async () => {
    expect((await record(queues)).err).not.toContain('snapshot');
    const before = work.run('lock ./fleet');
    expect(before.code).toBe(0);
    work.write({ 'fleet/fleet.yaml': work.read('fleet/fleet.yaml').replace('replicas: 1', 'replicas: 2') });
    const { out, code } = work.run('plan ./fleet');
    expect(out).toContain(
      "queue 'q' has quota for 16 of gpu.nvidia.com: others use 12 and replicas 8, and this replica needs 8",
    );
    expect(code).toBe(3);
    expect(work.run('explain ml/q ./fleet')).toMatchObject({
      err: '',
      out: expect.stringContaining("queue 'q' has quota for 16") as string,
    });
  });

  test('a snapshot is not written without the queues that it may not list', async () => {
    const { err } = await record({ ...queues, [`${KUEUE}/workloads`]: 403 });
    expect(err).toContain('the workloads cannot be listed: the server says 403.');
  });
});
