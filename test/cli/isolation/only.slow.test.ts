import type { Workspace } from '../cli';
import { blockOf, deployment, lockedTeams } from './fleet';

const MODEL = 'modelCacheRef: { name: model }';

/** Both teams ask for one more replica. */
function grown(): Workspace {
  const space = lockedTeams(true);
  return space.write({
    'fleet/a.yaml': deployment('a/q', { template: MODEL, replicas: 2 }),
    'fleet/b.yaml': deployment('b/r', { replicas: 2 }),
  });
}

test('plan --only prints and places what it names alone', () => {
  const { code, out } = grown().run('plan ./fleet --only b');
  expect(code).toBe(0);
  expect(out).toContain('b/r   2 replicas');
  expect(out).toContain('b/chat');
  expect(out).not.toContain('a/q');
  expect(out).not.toContain('a/chat');
  expect(out).toContain('Total: 1 placed, 1 keeps its place.');
});

test.each([['b'], ['b/r']])('lock --only %s changes its lines alone', (only) => {
  const space = grown();
  const before = space.read('fleet/fleet.lock.yaml');
  expect(space.run(`lock ./fleet --only ${only}`).code).toBe(0);
  const after = space.read('fleet/fleet.lock.yaml');
  expect(blockOf(after, 'a/q')).toBe(blockOf(before, 'a/q'));
  expect(blockOf(after, 'b/r')).not.toBe(blockOf(before, 'b/r'));
  expect(space.run(`lock ./fleet --only ${only} --check`).code).toBe(0);
  expect(space.run('lock ./fleet --check').code).toBe(5);
});

test('several --only together give what one lock gives', () => {
  const [one, other] = [grown(), grown()];
  expect(one.run('lock ./fleet --only a --only b').code).toBe(0);
  expect(other.run('lock ./fleet').code).toBe(0);
  expect(one.read('fleet/fleet.lock.yaml')).toBe(other.read('fleet/fleet.lock.yaml'));
});

test('a deployment that is deleted keeps its lines until a lock is about it', () => {
  const space = grown().write({ 'fleet/a.yaml': '', 'fleet/a-service.yaml': '' });
  expect(space.run('lock ./fleet --only b').code).toBe(0);
  expect(blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q')).not.toBe('');
  space.run('lock ./fleet --only a --accept-removals');
  expect(blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q')).toBe('');
});

test('a pool with replicas of which the declaration is missing takes no new ones, and says why', () => {
  const space = grown().write({ 'fleet/a.yaml': '', 'fleet/a-service.yaml': '' });
  space.write({ 'fleet/b.yaml': deployment('b/r', { replicas: 99 }) });
  const { out } = space.run('plan ./fleet --only b');
  expect(out).toContain(
    'because their declaration is missing in the lock file and in git. Restore the earlier declarations, commit them',
  );
});

test('errors of others are one line, and no reason to fail', () => {
  const space = grown().write({ 'fleet/a.yaml': deployment('a/q', { count: 'many' }) });
  expect(space.run('lock ./fleet --only b')).toMatchObject({
    code: 0,
    err: '1 error of other resources: leave out --only to see them.\n',
  });
  expect(JSON.parse(space.run('plan ./fleet --only b --json').out)).toMatchObject({ otherProblems: 1 });
  expect(space.run('lock ./fleet --only a').code).toBe(1);
});

test('a replica whose engines changed is charged as it runs while others are placed', () => {
  const space = grown().write({ 'fleet/a.yaml': deployment('a/q', { template: MODEL, count: '8' }) });
  const before = blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q');
  space.write({ 'fleet/b.yaml': deployment('b/r', { replicas: 16 }) });
  // Two clusters of 16 devices hold 16 replicas of two: one of them is that of the other team.
  expect(space.run('lock ./fleet --only b').code).toBe(3);
  space.write({ 'fleet/b.yaml': deployment('b/r', { replicas: 15 }) });
  expect(space.run('lock ./fleet --only b').code).toBe(0);
  expect(blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q')).toBe(before);
});

test.each([
  ['plan ./fleet --only c', "'c' is neither in the fleet nor in the lock file"],
  ['lock ./fleet --only b/q', "'b/q' is neither in the fleet nor in the lock file"],
  [
    'lock ./fleet --only else/where',
    "'else/where' is neither in the fleet nor in the lock file. Use one of a/q, b/r, a/model, a/chat, b/chat.",
  ],
  ['plan ./fleet --only b --against HEAD', '--only and --against exclude each other'],
])('%s is refused', (command, want) => {
  expect(grown().run(command)).toMatchObject({ code: 1, err: expect.stringContaining(want) });
});
