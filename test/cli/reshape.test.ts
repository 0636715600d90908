import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { SMALL, Workspace } from './cli';

/** `ml/q` asks for four GPUs instead of eight. */
const HALF = SMALL.replace(
  'count: 8\n                    selectors',
  'count: 4\n                    selectors',
);
const withEnv = (text: string, env: string): string =>
  text.replace('image: "vllm/vllm-openai:v0.23.0"', `image: "vllm/vllm-openai:v0.23.0", ${env}`);
const paused = (text: string): string => text.replace('replicas: 1\n', 'replicas: 1\n  paused: true\n');
const three = (text: string): string => text.replace('nodeCount: 2', 'nodeCount: 3');
const labelled = (text: string, team: string): string =>
  text.replace('  template:\n', `  template:\n    metadata: { labels: { team: ${team} } }\n`);

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', ['-C', work.root, ...identity, ...args], { stdio: 'ignore' });
}

function commit(): void {
  git('add', '.');
  git('commit', '-qm', 'x');
}

/** A fleet that was locked and committed. */
function locked(text: string): void {
  work.write({ 'fleet.yaml': text });
  git('init', '-q', '-b', 'main');
  expect(work.run('lock ./')).toMatchObject({ code: 0 });
  commit();
}

/** The objects that `synth` writes, by kind and name, as text. */
function objects(): Map<string, string> {
  expect(work.run('synth ./ --out ./out')).toMatchObject({ code: 0, err: '' });
  const files = Object.entries(work.files()).filter(([path]) => /^out\/.*\.yaml$/.test(path));
  const all = files.flatMap(([, text]) =>
    parseAllDocuments(text).map((document) => document.toJS() as Named),
  );
  return new Map(all.map((object) => [`${object.kind} ${object.metadata.name}`, JSON.stringify(object)]));
}

interface Named {
  kind: string;
  metadata: { name: string };
}

describe('an edit that changes the shape of engines', () => {
  test('adds the new replica first; the old one is byte by byte what it was until it is settled', () => {
    locked(SMALL);
    const before = objects();
    work.write({ 'fleet.yaml': withEnv(HALF, 'args: [--other]').replace('v0.23.0', 'v0.24.0') });
    expect(work.run('plan ./').out).toContain(
      '> us/1   pool h100: 4 gpu   from us/0, which serves until it is settled: its engines changed shape',
    );
    expect(work.run('lock ./')).toMatchObject({ code: 0, err: '' });
    expect(work.run('lock ./ --check').code).toBe(0);

    const during = objects();
    for (const [name, text] of before) expect([name, during.get(name)]).toEqual([name, text]);
    const added = [...during.keys()].filter((name) => !before.has(name));
    expect(added).toEqual([expect.stringMatching(/^Resource/), expect.stringMatching(/^Deployment q-1/)]);

    expect(work.run('lock ./ --settle').out).toContain('Settled: ml/q leaves us/0.');
    expect(work.read('fleet.lock.yaml')).not.toMatch(/shape [0-9a-f]{8}:|leaving/);
    expect([...objects().keys()].some((name) => name.startsWith('Deployment q-0'))).toBe(false);
  });

  test('needs git only once: what the old replica is made of stands in the lock', () => {
    locked(SMALL);
    work.write({ 'fleet.yaml': HALF });
    work.run('lock ./');
    execFileSync('rm', ['-rf', work.path('.git')]);
    expect(work.run('lock ./ --check').code).toBe(0);
    expect([...objects().keys()].filter((name) => name.startsWith('Deployment'))).toHaveLength(2);
  });

  test('finds the old shape where the edit is committed already, as it last was', () => {
    locked(SMALL);
    work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0') });
    commit();
    work.write({ 'fleet.yaml': HALF });
    commit();
    work.write({ 'other.txt': 'nothing of the fleet' });
    commit();
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).toContain('v0.24.0');
    expect(work.read('fleet.lock.yaml')).not.toContain('v0.23.0');
  });

  test('finds it in the revision whose lock is the start', () => {
    locked(SMALL);
    work.write({ 'fleet.yaml': HALF });
    work.run('lock ./');
    work.run('lock ./ --settle');
    commit();
    expect(work.run('lock ./ --from HEAD~1')).toMatchObject({ code: 0 });
    expect(work.read('fleet.lock.yaml')).toContain('leaving: true');
  });

  test('finds it below the folder of a repository, in a fleet of one file', () => {
    work.write({ 'fleets/a.yaml': SMALL, 'fleets/broken.yaml': 'kind: ModelDeployment' });
    git('init', '-q', '-b', 'main');
    work.run('lock ./fleets/a.yaml');
    commit();
    work.write({ 'fleets/a.yaml': HALF });
    expect(work.run('lock ./fleets/a.yaml')).toMatchObject({ code: 0 });
    expect(work.read('fleets/fleet.lock.yaml')).toContain('leaving: true');
  });

  test('uses the labels of now for what old and new replicas share', () => {
    locked(three(labelled(SMALL, 'a')));
    work.write({ 'fleet.yaml': three(labelled(HALF, 'b')) });
    work.run('lock ./');
    const all = objects();
    const team = (start: string): unknown => {
      const [, text = '{}'] = [...all].find(([name]) => name.startsWith(start))!;
      return (JSON.parse(text) as { metadata: { labels: Record<string, string> } }).metadata.labels['team'];
    };
    expect([team('Service'), team('Deployment q-0'), team('Deployment q-1')]).toEqual(['b', 'a', 'b']);
  });

  test('has a gap where both do not fit at once, and says so', () => {
    locked(SMALL.replace('nodeCount: 2', 'nodeCount: 1'));
    work.write({ 'fleet.yaml': HALF.replace('nodeCount: 2', 'nodeCount: 1') });
    expect(work.run('plan ./').out).toContain(
      'from us/0, with a gap: its engines changed shape, and both have no room at once',
    );
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).not.toMatch(/shape [0-9a-f]{8}:|leaving/);
  });

  test('writes nothing new for edits that keep the shape', () => {
    locked(SMALL);
    const before = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': withEnv(SMALL, 'args: [--other], env: [{ name: A, value: b }]') });
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).toBe(before);
  });

  test('keeps a paused replica as it was, in the lock and on its cluster', () => {
    locked(paused(SMALL));
    const before = objects();
    work.write({ 'fleet.yaml': paused(HALF).replace('name: main', 'name: other') });
    expect(work.run('lock ./')).toMatchObject({ code: 0, err: '' });
    expect(work.run('lock ./ --check').code).toBe(0);
    expect(objects()).toEqual(before);
  });

  test('is refused for a paused replica of which nobody knows what it was', () => {
    work.write({ 'fleet.yaml': paused(SMALL) });
    work.run('lock ./');
    work.write({ 'fleet.yaml': SMALL });
    work.run('lock ./');
    work.write({ 'fleet.yaml': paused(HALF) });
    const { code, err } = work.run('lock ./');
    expect(err).toBe(
      'fleet.yaml:35:7: us/0 is frozen, since the deployment is paused, and could not stay as it is: its engines changed shape, and what they were is not known. Undo the change, or end the pause to have the replica replaced.\n',
    );
    expect(code).toBe(1);
  });
});

const note = (why: string): string =>
  `note: ml/q: its engines changed, and what they were is not known, because ${why}. The replicas of it are replaced with a gap.\n`;

const unknown: Record<string, { before: string; run?: () => string; want: string }> = {
  'outside git': {
    before: SMALL,
    run: () => {
      execFileSync('rm', ['-rf', work.path('.git')]);
      return work.run('plan ./').out;
    },
    want: note('the lock is in no commit of a git repository'),
  },
  'for a lock that was never committed': {
    before: SMALL,
    run: () => {
      work.write({ 'my.lock.yaml': work.read('fleet.lock.yaml') });
      return work.run('plan ./ --lock ./my.lock.yaml').out;
    },
    want: note('the lock is in no commit of a git repository'),
  },
  'where no commit since the lock declares the shape': {
    before: SMALL,
    run: () => {
      git('rm', '-q', '--cached', 'fleet.yaml');
      git('commit', '-q', '--amend', '-m', 'the lock alone');
      return work.run('plan ./').out;
    },
    want: note('no commit since the lock changed declares them'),
  },
  'for standard input': {
    before: SMALL,
    run: () => work.run('plan - --lock ./fleet.lock.yaml', { stdin: HALF }).out,
    want: note('the fleet comes from standard input'),
  },
  'for a program, whose files do not say what it declared': {
    before: SMALL,
    run: () => {
      work.write({ 'cdk8s.yaml': 'app: cp declared.txt "$FLEETWRIGHT_EMIT"\n', 'declared.txt': HALF });
      return work.run('plan ./').out;
    },
    want: note('a program declares the fleet, and what it declared before is not in its files'),
  },
  'where the old environment may hold a secret, which is not shown': {
    before: withEnv(SMALL, 'env: [{ name: HF_TOKEN, value: abcdef }]'),
    want: note(
      'variable HF_TOKEN of engine main may be a secret, which the lock must not hold: use valueFrom.secretKeyRef',
    ),
  },
};

describe('what engines were is not known', () => {
  test.each(Object.entries(unknown))('%s', (_, { before, run = () => work.run('plan ./').out, want }) => {
    locked(before);
    work.write({ 'fleet.yaml': HALF });
    const out = run();
    expect(out).toContain(want);
    expect(out).toContain(
      'from us/0, with a gap: its engines changed shape, and what they were is not known',
    );
    expect(out).not.toContain('abcdef');
  });
});
