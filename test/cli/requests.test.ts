import { SMALL, Workspace } from './cli';
import { FakeApi, GOOD, Page } from './fake-api';

const COMMANDS: Record<string, string> = {
  status: 'status ./fleet --cluster us --context us=us --kubeconfig ./kubeconfig',
  'status that records a snapshot':
    'status ./fleet --cluster us --context us=us --kubeconfig ./kubeconfig --snapshot ./fleet/snapshots',
  doctor: 'doctor us ./fleet --kubeconfig ./kubeconfig',
  'doctor that drafts a cluster': 'doctor new ./fleet --context us --write ./drafted.yaml --kubeconfig ./kubeconfig',
};

let work: Workspace;
const started: FakeApi[] = [];
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
  expect(work.run('lock ./fleet')).toMatchObject({ code: 0 });
});
afterEach(() => {
  for (const api of started.splice(0)) api.stop();
  work.remove();
});

async function start(answers: Parameters<typeof FakeApi.start>[0]): Promise<FakeApi> {
  const api = await FakeApi.start(answers);
  started.push(api);
  work.write({ kubeconfig: api.kubeconfig({ token: 'SECRET' }) });
  return api;
}

/** The only request with a body: an API server answers it and stores nothing. */
const REVIEW = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

describe.each(Object.entries(COMMANDS))('%s', (_, command) => {
  test('sends requests that change nothing', async () => {
    const api = await start(GOOD);
    await work.runLive(command);
    expect(api.asked.length).toBeGreaterThan(2);
    const writes = api.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    expect(writes.filter((one) => one !== REVIEW)).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])(
    'sends no request, and so no credential, to where a %s leads',
    async (status) => {
      const other = await start(GOOD);
      const api = await start({ ...GOOD, '/version': new Page(status), '/api/v1/nodes': new Page(status) });
      api.headers = { location: `${other.url}/version` };
      const { out, err } = await work.runLive(command);
      expect(api.asked.length).toBeGreaterThan(0);
      expect(other.asked).toEqual([]);
      expect(`${out}${err}`).not.toContain('SECRET');
    },
  );
});
