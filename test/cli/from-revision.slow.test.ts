import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { readFileAtRevision } from '../../src/cli/git/repository';
import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
  git('init', '-q', '-b', 'main');
  work.run('lock ./');
  commit();
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

test('a rollback is one command: the lock of the revision is where deciding starts', () => {
  const before = work.read('fleet.lock.yaml');
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
  work.run('lock ./');
  commit();
  work.write({ 'fleet.yaml': SMALL });
  expect(work.run('lock ./ --from HEAD~1').code).toBe(0);
  expect(work.read('fleet.lock.yaml')).toBe(before);
});

test('a damaged lock is made again from the revision', () => {
  const before = work.read('fleet.lock.yaml');
  work.write({ 'fleet.lock.yaml': 'damaged' });
  expect(work.run('lock ./ --from HEAD').code).toBe(0);
  expect(work.read('fleet.lock.yaml')).toBe(before);
});

test('a plan can start there too', () => {
  work.write({ 'fleet.lock.yaml': 'damaged' });
  expect(work.run('plan ./ --quiet --from HEAD').out).toBe('Total: 1 keeps its place.\n');
});

test('a plan says which lock it starts from, unless that is the lock of the fleet', () => {
  work.write({ 'other.lock': work.read('fleet.lock.yaml') });
  const note = (flags: string): string | undefined =>
    work
      .run(`plan ./ ${flags}`)
      .out.split('\n')
      .find((line) => line.includes('starts from'));
  expect(note('--from HEAD')).toBe('note: The plan starts from the lock of HEAD, not from fleet.lock.yaml.');
  expect(note('--lock ./other.lock')).toBe('note: The plan starts from the lock file other.lock.');
  expect(note('--lock ./fleet.lock.yaml')).toBeUndefined();
});

test('a revision without a lock is no place to start from', () => {
  git('rm', '-q', 'fleet.lock.yaml');
  git('commit', '-qm', 'x');
  const { code, err } = work.run('plan ./ --from HEAD');
  expect(err).toBe('HEAD:fleet.lock.yaml: the lock file does not exist. Use a revision that has one.\n');
  expect(code).toBe(1);
});

test('a lock is read through a link, unless that leads out of the repository', () => {
  const lock = work.read('fleet.lock.yaml');
  const linked = (target: string): void => {
    rmSync(work.path('fleet.lock.yaml'));
    symlinkSync(target, work.path('fleet.lock.yaml'));
    commit();
  };
  work.write({ 'locks/main': lock });
  linked('locks/main');
  expect(work.run('plan ./ --quiet --from HEAD').out).toBe('Total: 1 keeps its place.\n');
  expect(readFileAtRevision('HEAD', work.path('fleet.lock.yaml'))).toBe(lock);
  linked('gone');
  expect(work.run('plan ./ --from HEAD').err).toContain('the lock file does not exist');
  linked('/nowhere');
  expect(work.run('plan ./ --from HEAD').err).toBe(
    "fleet.lock.yaml: at 'HEAD' it is a link to a file outside the repository. Use a revision that has the file itself.\n",
  );
});

test.each([
  ['nowhere', "unknown git revision 'nowhere'. Use a branch, a tag or a commit."],
  ['--help', "unknown git revision '--help'. Use a branch, a tag or a commit."],
])('a revision %s that does not exist is reported', (revision, want) => {
  const { code, err } = work.run(`plan ./ --from=${revision}`);
  expect(err).toBe(`fleet.lock.yaml: ${want}\n`);
  expect(code).toBe(1);
});
