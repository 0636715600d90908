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
