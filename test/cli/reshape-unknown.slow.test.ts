import { execFileSync } from 'node:child_process';
import { SMALL } from './cli';
import { HALF, paused, Repository, withEnv } from './repository';

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

describe('an edit that changes the shape of what is paused', () => {
  test('keeps the replica as it was, in the lock and on its cluster', () => {
    work.locked(paused(SMALL));
    const before = work.objects();
    work.write({ 'fleet.yaml': paused(HALF).replace('name: main', 'name: other') });
    expect(work.run('lock ./')).toMatchObject({ code: 0, err: '' });
    expect(work.run('lock ./ --check').code).toBe(0);
    expect(work.objects()).toEqual(before);
  });

  test('is refused for a replica of which no one knows what it was', () => {
    work.write({ 'fleet.yaml': paused(SMALL) });
    work.run('lock ./');
    work.write({ 'fleet.yaml': SMALL });
    work.run('lock ./');
    work.write({ 'fleet.yaml': paused(HALF) });
    const { code, err } = work.run('lock ./');
    expect(err).toBe(
      'fleet.yaml:35:7: us/0 is frozen, because the deployment is paused, and cannot stay as it is: its engines changed, and their earlier declaration is unknown. Undo the change, or remove the pause to replace the replica.\n',
    );
    expect(code).toBe(1);
  });

  test('is refused too where the cluster is paused, and not where the cluster of a paused replica is gone', () => {
    work.write({ 'fleet.yaml': SMALL });
    work.run('lock ./');
    work.write({ 'fleet.yaml': HALF.replace('spec:\n  cluster', 'spec:\n  paused: true\n  cluster') });
    expect(work.run('plan ./')).toMatchObject({
      code: 1,
      err: expect.stringContaining('us/0 is frozen, because cluster us is paused') as string,
    });
    work.write({ 'fleet.yaml': paused(SMALL).replace('name: us\n', 'name: eu\n') });
    expect(work.run('plan ./')).toMatchObject({ code: 0 });
  });
});

const note = (why: string): string =>
  `note: ml/q: its engines changed, and their earlier declaration is unknown, because ${why}. The replicas of it are replaced with downtime. To avoid that, undo the change, commit the fleet with its lock file to git, and change it again.\n`;

const unknown: Record<string, { before: string; run?: () => string; want: string }> = {
  'outside git': {
    before: SMALL,
    run: () => {
      execFileSync('rm', ['-rf', work.path('.git')]);
      return work.run('plan ./').out;
    },
    want: note('the lock file is not committed to a git repository'),
  },
  'for a lock that was never committed': {
    before: SMALL,
    run: () => {
      work.write({ 'my.lock.yaml': work.read('fleet.lock.yaml') });
      return work.run('plan ./ --lock ./my.lock.yaml').out;
    },
    want: note('the lock file is not committed to a git repository'),
  },
  'where no commit since the lock declares the shape': {
    before: SMALL,
    run: () => {
      work.git('rm', '-q', '--cached', 'fleet.yaml');
      work.git('commit', '-q', '--amend', '-m', 'the lock alone');
      return work.run('plan ./').out;
    },
    want: note('no commit since the change of the lock file declares them'),
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
    want: note('a program declares the fleet, so its earlier declarations are not in the files'),
  },
  'where the old environment may hold a secret, which is not shown': {
    before: withEnv(SMALL, 'env: [{ name: HF_TOKEN, value: abcdef }]'),
    want: note(
      'variable HF_TOKEN of engine main may be a secret, which the lock file must not contain: use valueFrom.secretKeyRef',
    ),
  },
};

describe('what engines were is not known', () => {
  test.each(Object.entries(unknown))('%s', (_, { before, run = () => work.run('plan ./').out, want }) => {
    work.locked(before);
    work.write({ 'fleet.yaml': HALF });
    const out = run();
    expect(out).toContain(want);
    expect(out).toContain('from us/0, with downtime: its engines changed, and their earlier declaration is unknown');
    expect(out).not.toContain('abcdef');
  });
});
