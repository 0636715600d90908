import { SMALL } from './cli';
import { Repository, withEnv } from './repository';

let work: Repository;
beforeEach(() => {
  work = new Repository();
  work.locked(SMALL);
});
afterEach(() => work.remove());

const NEWER = SMALL.replace('v0.23.0', 'v0.24.0');
const TOTALS = 'Total: 1 rolled in place; objects: 1 changed.';

/** Compares the files as they lie. */
const AGAINST_MAIN = 'plan ./ --against main --allow-dirty';

/** The line about replicas and objects. */
const totals = (out: string): string | undefined => out.split('\n').find((line) => line.startsWith('Total'));

test('a plan is compared with a revision of git', () => {
  work.write({ 'fleet.yaml': NEWER });
  const { code, out, err } = work.run(AGAINST_MAIN);
  expect({ code, err, totals: totals(out) }).toEqual({ code: 0, err: '', totals: TOTALS });
  expect(out).toContain(
    '~ us/0   rolled in place, wave 1, stops before its replacement serves; because ModelDeployment ml/q',
  );
  expect(out).toContain('(fleet.yaml:46:46)');
});

test.each([
  ['of the lock alone, a new image is not pending', NEWER, 'plan ./ --detailed-exitcode', 0],
  ['compared with a revision, a new image is pending', NEWER, `${AGAINST_MAIN} --detailed-exitcode`, 2],
  ['compared with a revision, a comment is not pending', `${SMALL}# new\n`, `${AGAINST_MAIN} --detailed-exitcode`, 0],
])('%s', (_, fleet, command, code) => {
  work.write({ 'fleet.yaml': fleet });
  expect(work.run(command).code).toBe(code);
});

test('objects are counted, with the command that lists them', () => {
  work.write({ 'fleet.yaml': NEWER });
  const { out } = work.run(AGAINST_MAIN);
  expect(out).toContain('  objects on us   1 changed; because ModelDeployment ml/q');
  expect(out).toContain("\n  Each object: 'fleetwright plan . --against main --all'.\n");
  expect(out).not.toMatch(/~ Deployment ml/);
});

test('a cause that all objects of a cluster have is named once', () => {
  work.write({ 'fleet.yaml': NEWER });
  const text = work.run(`${AGAINST_MAIN} --all`).out;
  const [header = '', object = ''] = text.slice(text.indexOf('objects on us')).split('\n');
  expect(header).toContain('objects on us   1 changed; because ModelDeployment ml/q');
  expect(object).toMatch(/~ Deployment ml\/[a-z0-9-]+$/u);
});

test('causes that only some objects of a cluster have are named at these objects', () => {
  work.write({ 'fleet.yaml': NEWER.replace('replicas: 1', 'replicas: 2') });
  const text = work.run(`${AGAINST_MAIN} --all`).out;
  const [header = '', ...objects] = text.slice(text.indexOf('objects on us')).split('\n');
  expect(header).not.toContain('because');
  expect(objects.join('\n')).toMatch(/^ +\+ Deployment ml\/q-1\S+; because ModelDeployment ml\/q spec\.replicas/mu);
});

const withCache = (name: string): string =>
  `---\napiVersion: fleetwright.dev/v1alpha1\nkind: ModelCache\nmetadata: { name: ${name}, namespace: ml }\nspec: { source: HuggingFace, huggingFace: { repo: a/b }, sizeGiB: 5 }\n`;

test('warnings and notes that a change does not bring are counted', () => {
  work.locked(SMALL + withCache('old'));
  work.write({ 'fleet.yaml': NEWER + withCache('old') + withCache('new') });
  const { out } = work.run(AGAINST_MAIN);
  expect(out).toContain('note: ModelCache ml/new is not staged');
  expect(out).not.toContain('ModelCache ml/old');
  expect(out).toContain(" note that this change does not bring: 'fleetwright plan . --all' lists it.");
  expect(work.run(`${AGAINST_MAIN} --all`).out).toContain('note: ModelCache ml/old is not staged');
});

test('a plan that changes nothing counts its notes', () => {
  work.locked(SMALL + withCache('old'));
  const { out } = work.run('plan ./');
  expect(out).toContain("\n1 note: 'fleetwright plan . --all' lists it.\n");
  expect(out).not.toContain('ModelCache');
  expect(work.run('plan ./ --all').out).toContain('note: ModelCache ml/old is not staged');
});

test('a lock of another name among the manifests is no manifest of the revision', () => {
  work.git('mv', 'fleet.lock.yaml', 'prod.yaml');
  work.commit();
  work.write({ 'fleet.yaml': NEWER });
  const { code, out, err } = work.run('plan ./ --against HEAD --allow-dirty --lock ./prod.yaml');
  expect({ code, err, totals: totals(out) }).toEqual({ code: 0, err: '', totals: TOTALS });
});

test('what is gone is where it was', () => {
  work.write({ 'fleet.yaml': SMALL.slice(0, SMALL.lastIndexOf('---')) });
  work.run('lock ./');
  expect(work.run('plan ./ --against HEAD --allow-dirty').out).toContain(
    '- ModelDeployment ml/q   HEAD:fleet.yaml:25:1',
  );
});

test('comments and the order of documents are no change', () => {
  const documents = SMALL.split('---\n').toReversed();
  work.write({ 'fleet.yaml': `# a comment\n${documents.join('---\n')}` });
  const { out } = work.run(AGAINST_MAIN);
  expect(out).toContain('Against main: 0 declarations changed\n');
  expect(totals(out)).toContain('no replica changes');
});

test('what is in no commit is not of the revision', () => {
  work.write({
    'fleet.yaml': NEWER,
    'more.yaml': SMALL.split('---\n')[1]?.replace('name: us', 'name: eu') ?? '',
  });
  expect(work.run(AGAINST_MAIN).out).toContain('+ InferenceCluster eu   more.yaml:1:1');
});

test('a folder that the revision does not have yet is all new', () => {
  work.write({ 'other/fleet.yaml': SMALL });
  work.run('lock ./other');
  expect(totals(work.run('plan ./other --against main --allow-dirty').out)).toMatch(/^Total: 1 placed/);
});

test('a plan is compared with a folder, and its lock', () => {
  const lock = work.read('fleet.lock.yaml');
  work.write({ 'was/fleet.yaml': SMALL, 'was/fleet.lock.yaml': lock });
  work.write({ 'is/fleet.yaml': NEWER, 'is/fleet.lock.yaml': lock });
  expect(totals(work.run('plan ./is --against ./was').out)).toBe(TOTALS);
});

test('a plan that was saved is compared with', () => {
  expect(work.run('plan ./ --save ./saved.plan').code).toBe(0);
  work.write({ 'fleet.yaml': NEWER });
  expect(totals(work.run('plan ./ --against ./saved.plan').out)).toBe(TOTALS);
  expect(work.run('plan ./ --against ./saved.plan --quiet').out.split('\n')[0]).toBe(TOTALS);
});

test('JSON has the comparison next to the plan', () => {
  work.write({ 'fleet.yaml': NEWER });
  const { diff } = JSON.parse(work.run(`${AGAINST_MAIN} --json`).out) as {
    diff: { against: string; objects: object[] };
  };
  expect(diff).toMatchObject({
    against: 'main',
    deployments: [{ deployment: 'ml/q', serving: { withWaves: 0 } }],
  });
  expect(diff.objects).toHaveLength(1);
});

test('JSON counts what happened since the other state, also where the lock has it already', () => {
  work.write({ 'fleet.yaml': NEWER.replace('replicas: 1', 'replicas: 2') });
  expect(work.run('lock ./').code).toBe(0);
  const { total, totals: counted } = JSON.parse(work.run(`${AGAINST_MAIN} --json`).out) as Record<string, unknown>;
  expect(total).toMatch(/^Total: 1 placed, 1 rolled in place;/);
  const others = {
    move: 0,
    remove: 0,
    keep: 0,
    draining: 0,
    unplaced: 0,
    accepted: 0,
    restart: 0,
    mayRestart: 0,
    misplaced: 0,
    lost: 0,
    unreplaced: 0,
  };
  expect(counted).toEqual({ place: 1, roll: 1, ...others });
});

test('as a gate it refuses that no one serves', () => {
  work.write({ 'fleet.yaml': NEWER });
  const { code, err } = work.run(`${AGAINST_MAIN} --gate --quiet`);
  expect({ code, err }).toEqual({
    code: 4,
    err: expect.stringMatching(
      /^refused: ml\/q has no serving replica for about 3 to 17 minutes while the change is applied; because .* Do one of these:\n  - Set 'rollout\.surge: 1', for which there is room \(cost unchanged; the surge reserves 8 GPUs of us\/h100\)\.\n  - In an earlier change, set 'replicas: 2' \(cost unchanged; the new replica runs on us\/h100\), and apply this change when it serves \(you can undo the earlier one afterwards\)\.\n  - Accept downtime .*\n$/,
    ),
  });
});

describe('what cannot be compared is reported', () => {
  const cases: Record<string, { args: string; files?: Record<string, string>; want: string }> = {
    'a revision that does not exist': {
      args: '--against nowhere',
      want: "unknown git revision 'nowhere'. Use a branch, a tag or a commit.",
    },
    'a revision that is an option': { args: '--against=--help', want: "unknown git revision '--help'." },
    'a file that is no plan': { args: '--against ./fleet.yaml', want: 'fleet.yaml: this is not a saved plan.' },
    'a plan of another version, whatever fields that has': {
      args: '--against ./saved.plan',
      files: { 'saved.plan': '{"kind":"SavedPlan","version":9,"states":[]}' },
      want: 'saved.plan: it has version 9 of the format, and this release reads version 1. Save it again with this release.',
    },
    ...Object.fromEntries(
      Object.entries({
        'a catalog whose text is a list': { catalogue: { path: 'a', text: [] } },
        'a price file without a text': { prices: { path: 'a' } },
        'a snapshot that is null': { snapshots: [null] },
        'a lock that is an object': { lock: {} },
        'manifests that are a number': { manifests: 7 },
      }).map(([name, change]) => [
        `a saved plan with ${name}`,
        {
          args: '--against ./saved.plan',
          files: {
            'saved.plan': JSON.stringify({
              kind: 'SavedPlan',
              version: 1,
              manifests: SMALL,
              lock: 'version: 1\n',
              snapshots: [],
              ...change,
            }),
          },
          want: 'saved.plan: this is not a saved plan.',
        },
      ]),
    ),
    'a saved plan without a version': {
      args: '--against ./saved.plan',
      files: { 'saved.plan': '{"kind":"SavedPlan"}' },
      want: 'saved.plan: this is not a saved plan.',
    },
    'a gate without another state': {
      args: '--gate',
      want: '--gate needs --against. Add --against REVISION.',
    },
    'a gate without waves and without another state': {
      args: '--gate --no-waves',
      want: '--gate and --no-waves need --against. Add --against REVISION.',
    },
    'waves that no one judges by, without another state': {
      args: '--no-waves',
      want: '--no-waves needs --against. Add --against REVISION.',
    },
    'waves that no one judges by': {
      args: '--no-waves --against ./',
      want: '--no-waves needs --gate. Add --gate.',
    },
    'clusters that no one judges by, with removals that no one refuses': {
      args: '--independent-clusters --accept-removals --against ./',
      want: '--independent-clusters and --accept-removals need --gate. Add --gate.',
    },
    'two things to print': {
      args: '--markdown --graph --against ./',
      want: '--graph and --markdown exclude each other. Remove one of the two.',
    },
    'what is not committed, without a revision': {
      args: '--allow-dirty --markdown',
      want: '--markdown and --allow-dirty need --against. Add --against REVISION.',
    },
    'a plan with a secret in it': {
      args: '--save ./saved.plan',
      files: { 'fleet.yaml': withEnv(SMALL, 'env: [{ name: HF_TOKEN, value: abc }]') },
      want: 'variable HF_TOKEN of engine main may be a secret, and a saved plan contains the declarations. Use valueFrom.secretKeyRef.',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { args, files = {}, want }) => {
    work.write(files);
    const { code, err } = work.run(`plan ./ ${args}`);
    expect(err).toContain(want);
    expect(code).toBe(1);
    expect(err).not.toContain('abc');
  });
});

test('a shallow clone is reported', () => {
  work.write({ 'fleet.yaml': NEWER });
  work.commit();
  work.git('clone', '-q', '--depth', '1', `file://${work.path('')}`, work.path('shallow'));
  expect(work.run('plan ./shallow --against HEAD~1').err).toContain(
    "unknown git revision 'HEAD~1' in this shallow clone. Fetch the history: 'git fetch --unshallow', or fetch-depth: 0 in CI.",
  );
});

test('problems of the earlier state name its revision', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: many') });
  work.commit();
  work.write({ 'fleet.yaml': SMALL });
  expect(work.run('plan ./ --against HEAD --allow-dirty').err).toMatch(/^HEAD:fleet\.yaml:\d+:\d+: /);
});
