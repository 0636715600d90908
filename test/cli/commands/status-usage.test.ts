import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
  work.run('lock ./fleet');
});
afterEach(() => work.remove());

const wrong: Record<string, { args: string; code: number; want: string }> = {
  'a lock that is not there': {
    args: 'status ./fleet --lock ./other.yaml',
    code: 1,
    want: 'other.yaml: the lock file does not exist. Check the path.\n',
  },
  'a cluster that the fleet does not have': {
    args: 'status ./fleet --cluster uss',
    code: 1,
    want: "uss: the fleet has no cluster of this name. Did you mean 'us'?\n",
  },
  'a context of no cluster': {
    args: 'status ./fleet --context gke',
    code: 1,
    want: "--context: 'gke' has no cluster. Write CLUSTER=CONTEXT.\n",
  },
};

test.each(Object.entries(wrong))('%s is refused', async (_, { args, code, want }) => {
  expect(await work.runLive(args)).toEqual({ code, out: '', err: want });
});

test('status shows clusters by a lock file that is out of date, with the replicas that it has, and says so', async () => {
  work.write({ 'fleet/fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
  const { code, out, err } = await work.runLive('status ./fleet');
  expect(out).toContain('0 of 1 replica serving, 1 unknown; 1 of 1 cluster not reached.');
  expect(err).toContain('the lock file is out of date');
  expect(code).toBe(5);
});

test('a cluster that is declared lost need not answer', async () => {
  const lost = SMALL.replace('  nodePools:', '  taints:\n    - { key: lost, effect: NoExecute }\n  nodePools:');
  work.write({ 'fleet/fleet.yaml': lost });
  work.run('lock ./fleet --accept-unplaced');
  const { code, out } = await work.runLive('status ./fleet');
  expect(out).toContain('us   not reached, declared lost: ');
  expect(out).toContain('\n0 of 0 replicas serving; without 1 lost cluster.\n');
  expect(code).toBe(0);
});
