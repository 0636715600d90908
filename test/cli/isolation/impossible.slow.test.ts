import { blockOf, commit, deployment, lockedTeams } from './fleet';

const MODEL = 'modelCacheRef: { name: model }';

/** Team `a` asks for 16 devices of a node, which no class has, and team `b` for one more replica. */
function asked(spec = '', inGit = true) {
  const space = lockedTeams(inGit);
  const text = deployment('a/q', { template: MODEL, count: '16' }).replace('replicas: 1', `replicas: 1${spec}`);
  return space.write({ 'fleet/a.yaml': text, 'fleet/b.yaml': deployment('b/r', { replicas: 2 }) });
}

describe.each([
  ['', 3],
  ['\n  allowPartial: true', 0],
])('a count beyond any class%j', (spec, code) => {
  test('is a shortfall with its reason, and others are placed', () => {
    const { out, ...ran } = asked(spec).run('plan ./fleet');
    expect(ran.code).toBe(code);
    expect(out).toMatch(/a\/q {3}0 of 1 replica has a place as declared, 1 stays as it is\n/);
    expect(out).toContain('gpu: needs 16 devices on a node, 8 match');
    expect(out).toContain('Total: 1 placed, 2 keep their places, 1 of them not as declared.\n');
    expect(out).toContain('b/r   2 replicas');
  });

  test('lets lock and synth write the others, and keeps its own lines and files', () => {
    const space = asked(spec);
    const before = { lock: space.read('fleet/fleet.lock.yaml'), file: space.read('out/eu/a.q.yaml') };
    expect(space.run('lock ./fleet').code).toBe(code);
    const after = space.read('fleet/fleet.lock.yaml');
    expect(blockOf(after, 'a/q')).toBe(blockOf(before.lock, 'a/q'));
    expect(blockOf(after, 'b/r').match(/cluster/g)).toHaveLength(2);
    expect(space.run('synth ./fleet --out ./out').code).toBe(code);
    expect(space.read('out/eu/a.q.yaml')).toBe(before.file);
    expect(space.files()).toHaveProperty(['out/us/b.r.yaml']);
  });
});

test('a new deployment that asks for what no cluster has gets no line, and stops no one', () => {
  const space = lockedTeams(false).write({
    'fleet/c.yaml': deployment('c/x', { count: '16' }),
    'fleet/b.yaml': deployment('b/r', { replicas: 2 }),
  });
  const { code, err } = space.run('lock ./fleet');
  expect([code, err]).toEqual([3, expect.stringContaining('1 of 1 replica of c/x does not fit')]);
  const lock = space.read('fleet/fleet.lock.yaml');
  expect(blockOf(lock, 'c/x')).toBe('');
  expect(blockOf(lock, 'b/r').match(/cluster/g)).toHaveLength(2);
  expect(space.run('synth ./fleet --out ./out').code).toBe(3);
  expect(space.files()).toHaveProperty(['out/us/b.r.yaml']);
});

test('validate reports it at the request, with the exit code of a plan', () => {
  const { code, err } = asked().run('validate ./fleet');
  expect([code, err]).toEqual([3, expect.stringContaining('no class has more than 8')]);
  expect(err).not.toContain('do not fit');
});

test('validate accepts it where the deployment allows fewer replicas', () => {
  const space = lockedTeams(false);
  const asking = deployment('c/x', { count: '16' });
  space.write({ 'fleet/c.yaml': asking.replace('spec:', 'spec:\n  allowPartial: true') });
  expect(space.run('validate ./fleet')).toMatchObject({ code: 0, err: '' });
});

test('a shortfall of room stops the lock as before: others may want the same room', () => {
  const space = lockedTeams(false).write({ 'fleet/b.yaml': deployment('b/r', { replicas: 99 }) });
  const before = space.read('fleet/fleet.lock.yaml');
  expect(space.run('lock ./fleet').code).toBe(3);
  expect(space.read('fleet/fleet.lock.yaml')).toBe(before);
});

test('engines are found in git also behind a lock that was written for others', () => {
  const space = asked();
  expect(space.run('lock ./fleet').code).toBe(3);
  commit(space);
  // The team asks for what exists: the old replica serves until the new one does.
  space.write({ 'fleet/a.yaml': deployment('a/q', { template: MODEL, count: '4' }) });
  const { out } = space.run('plan ./fleet');
  expect(out).not.toContain('their earlier declaration is unknown');
  expect(out).toContain("1 old replica serves until 'lock --finalize'");
});
