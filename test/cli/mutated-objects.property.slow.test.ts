import { parseAllDocuments } from 'yaml';
import { SMALL, Workspace } from './cli';
import { type Answers, FakeApi, GOOD, type Served, serving } from './fake-api';

// Many rows ask a server many times.
jest.setTimeout(300_000);

const RUNS = Number(process.env['FLEETWRIGHT_RUNS'] ?? 15);
const SEED = Number(process.env['FLEETWRIGHT_SEED'] ?? 1);

/** Numbers from 0 to 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What no API server writes in place of a value. */
const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  'x',
  '\u0000',
  '__proto__',
  'NaN',
  '999999999999Ei',
  '2026-99-99T99:99:99Z',
  [],
  {},
  [null],
  [{}],
  [[]],
  { a: null },
  { name: {} },
  { constructor: 'x' },
];

/** A copy of a value with one value in it, at any depth, in another form. */
function mutate(value: unknown, random: () => number): unknown {
  const copy = structuredClone({ value });
  let holder: Record<string, unknown> = copy;
  let key = 'value';
  for (;;) {
    const inner = holder[key];
    const keys = typeof inner === 'object' && inner !== null ? Object.keys(inner) : [];
    if (keys.length === 0 || random() < 0.12) break;
    holder = inner as Record<string, unknown>;
    key = keys[Math.floor(random() * keys.length)]!;
  }
  holder[key] = WRONG[Math.floor(random() * WRONG.length)];
  return copy.value;
}

/** The status of a pod whose container does not serve. */
const status = (name: string, state: object): object => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [{ name, ready: false, state, lastState: { terminated: { exitCode: 1, reason: 'OOMKilled' } } }],
  initContainerStatuses: [{ name: 'init', state: { terminated: { exitCode: 0 } } }],
  resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'q-c' }],
});

let work: Workspace;
let api: FakeApi;
let good: Answers;
beforeAll(async () => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
  work.run('lock ./fleet');
  work.run('synth ./fleet --out ./out');
  const texts = Object.entries(work.files()).filter(([path]) => /^out\/us\/.*\.yaml$/.test(path));
  const rendered = texts.flatMap(([, text]) => parseAllDocuments(text).map((one) => one.toJS() as Served));
  const { labels } = (
    rendered.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { metadata: { labels: object } } };
    }
  ).spec.template.metadata;
  const requests = { cpu: '1', memory: '1Gi', 'nvidia.com/gpu': '1' };
  const pod = (name: string, own: object, status: object): object => ({
    metadata: { name, namespace: 'ml', labels: own, ownerReferences: [{ kind: 'ReplicaSet', name: 'q' }] },
    spec: {
      nodeName: 'n0',
      containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', resources: { requests } }],
      initContainers: [{ name: 'init', restartPolicy: 'Always', resources: { requests } }],
      resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'q' }],
      overhead: { cpu: '1' },
    },
    status,
  });
  const event = {
    metadata: { name: 'e', namespace: 'ml' },
    involvedObject: { kind: 'Pod', namespace: 'ml', name: 'q-0' },
    reason: 'FailedScaleUp',
    message: 'GCE out of resources',
    lastTimestamp: '2026-01-01T00:00:00Z',
    type: 'Warning',
  };
  good = {
    ...GOOD,
    ...serving(rendered),
    '/api/v1/pods': {
      items: [
        pod('q-0', labels, status('engine', { waiting: { reason: 'CrashLoopBackOff', message: 'm' } })),
        pod('other', {}, status('other', { running: {} })),
      ],
    },
    '/apis/resource.k8s.io/v1/resourceclaims': {
      items: [{ metadata: { name: 'q-c', namespace: 'ml' }, status: { allocation: { devices: { results: [] } } } }],
    },
    '/api/v1/events': { items: [event] },
  };
  api = await FakeApi.start({});
  work.write({ kubeconfig: api.kubeconfig({ token: 'SECRET' }) });
});
afterAll(() => {
  api.stop();
  work.remove();
});

const COMMANDS = ['doctor us ./fleet', 'status ./fleet --snapshot ./snapshots', 'doctor us --write ./drafts/NAME.yaml'];

test.each(COMMANDS)(
  '%s: no object of a cluster, whatever one of its fields is, is a mistake of ours',
  async (command) => {
    const found: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const random = randomOf(SEED * 1_000_003 + run);
      // One path of all: half of the mutations would otherwise be in answers that few checks read.
      const paths = Object.keys(good);
      const path = paths[Math.floor(random() * paths.length)]!;
      const mutated = mutate(good[path], random);
      const isObject = typeof mutated === 'object' && mutated !== null;
      api.answer = (asked) => {
        const at = asked.split('?')[0] ?? '';
        if (at !== path) return good[at] as object;
        return isObject ? mutated : { items: mutated };
      };
      work.write({ 'drafts/.keep': '' });
      const args = `${command.replace('NAME', `${run}`)} --kubeconfig ./kubeconfig --timeout 5`;
      const { code, out, err } = await work.runLive(args);
      if (code === 70 || /SECRET|bug:/.test(out + err))
        found.push(`run ${run}, ${path}, ${JSON.stringify(mutated)}: ${err}`);
    }
    expect(found).toEqual([]);
  },
);
