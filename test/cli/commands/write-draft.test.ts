import { node, slice } from '../../snapshot/build';
import { type Ran, SMALL, Workspace } from '../cli';
import { type Answers, FakeApi, GOOD } from '../fake-api';

let work: Workspace;
let api: FakeApi | undefined;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => {
  api?.stop();
  api = undefined;
  work.remove();
});

async function write(answers: Answers = {}, flags = ''): Promise<Ran> {
  api = await FakeApi.start({ ...GOOD, ...answers });
  work.write({ kubeconfig: api.kubeconfig({ token: 'SECRET' }, 'lab') });
  return work.runLive(`doctor us --context lab --write ./fleet/us.yaml --kubeconfig ./kubeconfig${flags}`);
}

beforeEach(() => work.write({ 'fleet/model.yaml': SMALL.slice(SMALL.lastIndexOf('---') + 4) }));

test('what is drafted is valid, and places what the cluster has room for', async () => {
  const { code, out, err } = await write();
  expect(out).toContain('Wrote a cluster with 1 pool of 1 class to fleet/us.yaml. Review it.\n');
  expect([code, err]).toEqual([0, '']);
  expect(work.run('validate ./fleet').out).toContain('3 resources in fleet: all valid.');
  expect(work.run('lock ./fleet').code).toBe(0);
  expect(work.read('fleet/fleet.lock.yaml')).toContain('{cluster: us, index: 0, pools: {main: h100}');
});

test('the doctor finds nothing amiss with what was drafted', async () => {
  await write();
  const { code, out } = await work.runLive('doctor us ./fleet --kubeconfig ./kubeconfig --quiet');
  expect(out).toContain('0 failures, 0 warnings, 0 unknown');
  expect(code).toBe(0);
});

test('--json says what was written', async () => {
  const { out } = await write({}, ' --json');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Draft',
    classes: ['gpu-nvidia-com-8x'],
    pools: ['h100'],
    notes: expect.arrayContaining([expect.stringContaining('gateway: none is declared')]),
  });
});

test.each([403, 404])('claims that answer %d are none that the draft needs', async (status) => {
  const { code, out } = await write({ '/apis/resource.k8s.io/v1/resourceclaims': status });
  expect([code, out]).toEqual([0, expect.stringContaining('Wrote a cluster with 1 pool')]);
});

test('services of KServe become deployments of a valid fleet', async () => {
  const spec = { model: { uri: 'hf://Qwen/Qwen3-8B', name: 'qwen' }, replicas: 1 };
  const items = [{ metadata: { name: 'chat', namespace: 'ml' }, spec }];
  const { code, out } = await write({
    '/apis/serving.kserve.io/v1alpha2/llminferenceservices': { kind: 'LLMInferenceServiceList', items },
  });
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('Wrote a cluster with 1 pool of 1 class and 1 deployment to fleet/us.yaml. Review it.\n'),
  ]);
  expect(work.run('plan ./fleet').out).toContain('ml/chat');
});

test('a file that is there is not written over', async () => {
  work.write({ 'fleet/us.yaml': 'mine' });
  expect(await write()).toEqual({
    code: 1,
    out: '',
    err: 'fleet/us.yaml: the file exists already. Use another file, or move this one.\n',
  });
  expect(work.read('fleet/us.yaml')).toBe('mine');
});

const refused: Record<string, { answers: Answers; flags?: string; want: string; code?: number }> = {
  'slices may not be listed': {
    answers: { '/apis/resource.k8s.io/v1/resourceslices': 403 },
    want: 'us: its ResourceSlice objects cannot be listed. Request the permission: the server says 403.',
  },
  'pods may not be listed, so that what they need is not known': {
    answers: { '/api/v1/pods': 403 },
    want: 'us: its Pod objects cannot be listed. Request the permission: the server says 403.',
  },
  'nothing publishes devices': {
    answers: { '/apis/resource.k8s.io/v1/resourceslices': { items: [] } },
    want: 'us: no node publishes devices. Install the DRA drivers of its devices first, or declare it by hand.',
  },
  'no answer comes': {
    answers: { '/version': 'nothing' },
    flags: ' --timeout 0.2',
    want: 'no answer within 0.2 s. Check the network, the kubeconfig and your credentials.',
  },
  'a fact that no class can say': {
    answers: {
      '/api/v1/nodes': {
        items: [node('n0', { labels: { 'fleetwright.dev/pool': 'h100', 'topology.kubernetes.io/region': 'x' } })],
      },
      '/apis/resource.k8s.io/v1/resourceslices': {
        items: [slice('n0', { device: { attributes: { a: { version: 'x.y' } } } })],
      },
    },
    want: "'x.y' is not a semantic version",
    code: 1,
  },
};

test.each(Object.entries(refused))(
  'nothing is written when %s',
  async (_, { answers, flags, want, code: exit = 6 }) => {
    const { code, err } = await write(answers, flags);
    expect(err).toContain(want);
    expect(code).toBe(exit);
    expect(Object.keys(work.files())).not.toContain('fleet/us.yaml');
  },
);
