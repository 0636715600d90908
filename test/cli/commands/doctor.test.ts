import { compileOutputSchema } from '../../output-schema';
import { type Ran, SMALL, Workspace } from '../cli';
import { type Answers, FakeApi, GOOD, Page } from '../fake-api';

let work: Workspace;
let api: FakeApi | undefined;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
});
afterEach(() => {
  api?.stop();
  api = undefined;
  work.remove();
});

const TOKEN = { token: 'SECRET' };

interface Options {
  answers?: Answers;
  user?: object;
  flags?: string;
  env?: Record<string, string>;
}

async function doctor({ answers = {}, user = TOKEN, flags = '', env = {} }: Options = {}): Promise<Ran> {
  api = await FakeApi.start({ ...GOOD, ...answers });
  work.write({ kubeconfig: api.kubeconfig(user) });
  const ran = await work.runLive(`doctor us ./fleet --kubeconfig ./kubeconfig${flags}`, { env });
  expect(`${ran.out}${ran.err}`).not.toContain('SECRET');
  return ran;
}

test('a cluster that has all that it declares is reported line by line', async () => {
  const { code, out, err } = await doctor();
  expect(out).toBe(`us, by context us
  ok       version: Kubernetes v1.36.0.
  ok       dra: resource.k8s.io/v1 is served.
  ok       leader-worker-set: leaderworkerset.x-k8s.io/v1 is served.
  ok       device-classes: DeviceClass 'gpu.nvidia.com' exists.
  ok       nodes: pool 'h100' has 2 of 2 nodes.
  ok       devices: pool 'h100' publishes 16 devices as declared.
  ok       permissions: 12 permissions granted.

0 failures, 0 warnings, 0 unknown, 7 ok.
`);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(api?.asked.map(({ headers }) => headers.authorization)).not.toContain(undefined);
});

test('what fails is reported with what is well, and the exit code says so', async () => {
  const { code, out } = await doctor({
    answers: { '/api/v1/pods': 403, '/apis/resource.k8s.io/v1/deviceclasses': { items: [] } },
    flags: ' --quiet',
  });
  expect(out).toBe(`us, by context us
  FAILURE  device-classes: there is no DeviceClass 'gpu.nvidia.com'. Install the driver gpu.nvidia.com, which creates it.
  unknown  nodes: pods of other workloads on the nodes are unknown. Request permission to list pods: the server says 403.

1 failure, 0 warnings, 1 unknown, 6 ok.
`);
  expect(code).toBe(6);
});

test('--json prints the findings with context and server', async () => {
  const { code, out } = await doctor({ flags: ' --json' });
  const validate = compileOutputSchema('doctor');
  expect([validate(JSON.parse(out)), validate.errors]).toEqual([true, null]);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Doctor',
    version: 1,
    cluster: 'us',
    context: 'us',
    server: api?.url,
    findings: expect.arrayContaining([{ check: 'version', level: 'ok', what: 'Kubernetes v1.36.0' }]),
    totals: { ok: 7, warning: 0, failure: 0, unknown: 0 },
  });
  expect(code).toBe(0);
});

test('permissions that are denied are asked for again in each namespace', async () => {
  const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { out } = await doctor({ answers: { [reviews]: { status: { allowed: false } } }, flags: ' --quiet' });
  expect(out).toContain('FAILURE  permissions: may not create deployments.apps in ml.');
});

const DISCOVERY = '/apis/resource.k8s.io/v1';
const UNKNOWN_DRA = 'unknown  dra: whether resource.k8s.io/v1 is served is not known. Try again: ';

const unseen: Record<string, { answers: Answers; want: string }> = {
  ...Object.fromEntries(
    [302, 401, 403, 429, 500, 200].map((code) => [
      `a page with status ${code} in place of discovery`,
      {
        answers: { [DISCOVERY]: new Page(code) },
        want: `${UNKNOWN_DRA}the answer is ${code === 200 ? '' : `${code} with `}something that is not a Kubernetes object`,
      },
    ]),
  ),
  'discovery that the API server refuses': {
    answers: { [DISCOVERY]: 403 },
    want: `${UNKNOWN_DRA}the server says 403.`,
  },
  'discovery of another version': {
    answers: { [DISCOVERY]: { groupVersion: 'apps/v1', resources: [] } },
    want: `${UNKNOWN_DRA}the answer is a APIResourceList of apps/v1, not a APIResourceList of resource.k8s.io/v1.`,
  },
  'a page that is not found in place of discovery': {
    answers: { [DISCOVERY]: new Page(404) },
    want: `${UNKNOWN_DRA}the answer is 404 with something that is not a Kubernetes object`,
  },
  'a login page in place of nodes': {
    answers: { '/api/v1/nodes': new Page(200) },
    want: 'unknown  nodes: the nodes could not be listed. Try again: the answer is something that is not a Kubernetes object',
  },
  'a list of another kind in place of nodes': {
    answers: { '/api/v1/nodes': { kind: 'PodList', items: [] } },
    want: 'the answer is a PodList of v1, not a NodeList of v1.',
  },
  'a list without items in place of nodes': {
    answers: { '/api/v1/nodes': { kind: 'NodeList', items: 'none' } },
    want: 'unknown  nodes: the nodes could not be listed.',
  },
  'nodes that the core API does not serve': {
    answers: { '/api/v1/nodes': 404 },
    want: 'unknown  nodes: the nodes could not be listed. Try again: the server says 404.',
  },
  'a login page in place of an access review': {
    answers: { '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': new Page(201) },
    want: 'unknown  permissions: 12 permissions could not be checked. Try again: the answer is something that is not a Kubernetes object',
  },
};

test.each(Object.entries(unseen))('%s is unknown, and the exit code says so', async (_, { answers, want }) => {
  const { code, out } = await doctor({ answers });
  expect(out).toContain(want);
  expect(out).toContain('0 failures');
  expect(code).toBe(6);
});

test('an API that the API server does not know is not served', async () => {
  const { out } = await doctor({ answers: { [DISCOVERY]: new Page(404, '404 page not found\n') } });
  expect(out).toContain('FAILURE  dra: resource.k8s.io/v1 is not served.');
});

const unreachable: Record<string, { of: Options; want: string }> = {
  'a captive portal': {
    of: { answers: { '/version': new Page(200) } },
    want: 'the server is not recognized as a Kubernetes API server: the answer to /version has no gitVersion',
  },
  'a redirect': {
    of: { answers: { '/version': new Page(302) } },
    want: 'the server is not recognized as a Kubernetes API server: the answer is 302 with something that is not a Kubernetes object',
  },
  'a server that does not know who asks': {
    of: { answers: { '/version': 401 } },
    want: 'it does not accept the credentials of the kubeconfig',
  },
  'a server that says nothing': {
    of: { answers: { '/version': 'nothing' }, flags: ' --timeout 0.2' },
    want: 'cannot be reached: no answer within 0.2 s',
  },
  'a plugin that is not installed': {
    of: { user: { exec: { ...exec('no-such-plugin'), installHint: 'Get it from example.com.' } } },
    want: 'the credential plugin no-such-plugin returned no credentials: it is not installed. Get it from example.com.',
  },
  'a plugin that fails': {
    of: { user: { exec: exec('sh', '-c', 'echo SECRET; echo first >&2; echo log in first >&2; exit 3') } },
    want: 'the credential plugin sh returned no credentials: it ended with 3 (log in first).',
  },
  'a plugin that prints no JSON': {
    of: { user: { exec: exec('sh', '-c', 'echo SECRET') } },
    want: 'the credential plugin sh returned no credentials: it printed no ExecCredential.',
  },
  'a plugin that prints something else': {
    of: { user: { exec: exec('sh', '-c', 'echo "{\\"token\\": \\"SECRET\\"}"') } },
    want: 'the credential plugin sh returned no credentials: it printed no ExecCredential.',
  },
  'a certificate that cannot be read': {
    of: { user: { 'client-certificate': 'gone.crt' } },
    want: 'names gone.crt, which cannot be read: ENOENT',
  },
};

test.each(Object.entries(unreachable))('%s is one failure', async (_, { of, want }) => {
  const { code, out } = await doctor(of);
  expect(out).toContain(want);
  expect(out).toContain('1 failure, 0 warnings, 0 unknown, 0 ok.');
  expect(code).toBe(6);
});

test('nothing listens', async () => {
  await doctor();
  api?.stop();
  const { code, out } = await work.runLive('doctor us ./fleet --kubeconfig ./kubeconfig');
  expect(out).toContain('cannot be reached: connect ECONNREFUSED');
  expect(code).toBe(6);
});

test('a credential plugin is reported which cluster it is for, and gives the token', async () => {
  const script = `echo "$KUBERNETES_EXEC_INFO" | grep -q '"cluster":{"server":"http://127' && [ "$OWN" = x ] && [ "$OUTER" = y ] && echo '{"kind":"ExecCredential","status":{"token":"from-plugin"}}'`;
  const user = {
    exec: { ...exec('sh', '-c', script), provideClusterInfo: true, env: [{ name: 'OWN', value: 'x' }] },
  };
  const { code } = await doctor({ user, env: { OUTER: 'y', PATH: process.env['PATH'] ?? '' } });
  expect(code).toBe(0);
  expect(new Set(api?.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer from-plugin']));
});

test('the files of KUBECONFIG are read when none is named', async () => {
  await doctor();
  const env = { KUBECONFIG: `${work.path('gone')}:${work.path('kubeconfig')}` };
  expect((await work.runLive('doctor us ./fleet', { env })).code).toBe(0);
});

const wrong: Record<string, { args: string; want: string }> = {
  'a cluster that the fleet does not have': {
    args: 'doctor uss ./fleet',
    want: "uss: the fleet has no cluster of this name. Did you mean 'us'?\n",
  },
  'a kubeconfig that is not there': {
    args: 'doctor us ./fleet --kubeconfig ./gone',
    want: 'gone: there is no such file. Check the path.\n',
  },
  'a time limit that is none': {
    args: 'doctor us ./fleet --kubeconfig ./kubeconfig --timeout 5m',
    want: "--timeout: '5m' is not a number of seconds up to 600. Write a number of seconds: 15.\n",
  },
};

test.each(Object.entries(wrong))('%s is bad input', async (_, { args, want }) => {
  await doctor();
  expect(await work.runLive(args)).toEqual({ code: 1, out: '', err: want });
});

test('a context that is not there leaves the cluster unread, as in status', async () => {
  await doctor();
  expect(await work.runLive('doctor us ./fleet --kubeconfig ./kubeconfig --context ux')).toEqual({
    code: 6,
    out: '',
    err: "us: the kubeconfig has no context 'ux'. Set one with --context: 'us'?\n",
  });
});

function exec(command: string, ...args: string[]) {
  return { apiVersion: 'client.authentication.k8s.io/v1', command, args };
}
