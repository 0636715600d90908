import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const FULL = SMALL.replace('replicas: 1', 'replicas: 3');

describe('plan', () => {
  test('shows every deployment, where its replicas go and what they take, and writes nothing', () => {
    const before = work.files();
    const { code, out } = work.run('plan ./');
    expect(out).toBe(`Fleet .: 1 cluster, 1 pool, 1 deployment, 1 replica

  ml/q   1 replica
    + us/0   pool h100: 1 node, 8 gpu

Plan: 1 to place, 0 to move, 0 to remove, 0 to keep.
`);
    expect(code).toBe(0);
    expect(work.files()).toEqual(before);
  });

  test('exits with 3 and says why when a replica does not fit', () => {
    work.write({ 'fleet.yaml': FULL });
    const { code, out } = work.run('plan ./');
    expect(out).toContain('    ! 1 replica does not fit (0/1 clusters: 1 capacity)\n');
    expect(out).toContain('us / h100   capacity   needs 8 gpu on one node; 0 of 2 nodes can promise it');
    expect(out).toContain('nearest: 1 more node in us / h100');
    expect(code).toBe(3);
  });

  test('exits with 0 when the deployment allows a part', () => {
    work.write({ 'fleet.yaml': FULL.replace('replicas: 3', 'replicas: 3\n  allowPartial: true') });
    expect(work.run('plan ./').code).toBe(0);
  });

  test('exits with 2 for pending changes where that is asked for, and with 0 when there are none', () => {
    expect(work.run('plan ./ --detailed-exitcode').code).toBe(2);
    work.run('lock ./');
    expect(work.run('plan ./ --detailed-exitcode').code).toBe(0);
  });

  test('reads standard input', () => {
    expect(work.run('plan - --quiet', { stdin: SMALL }).out).toBe(
      'Plan: 1 to place, 0 to move, 0 to remove, 0 to keep.\n',
    );
  });

  test('prints one JSON document with --json', () => {
    const plan = JSON.parse(work.run('plan ./ --json').out) as Record<string, unknown>;
    expect(plan).toMatchObject({ kind: 'Plan', version: 1, stale: true, totals: { place: 1, unplaced: 0 } });
  });

  test('prints bad input as JSON too', () => {
    work.write({ 'fleet.yaml': SMALL.replace('count: 8', 'count: x') });
    const { code, out } = work.run('plan ./ --json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'Problems',
      version: 1,
      problems: [{ where: 'fleet.yaml:10:14' }],
    });
    expect(code).toBe(1);
  });

  test.each([
    ['on a terminal', true, {}, '', true],
    ['not in a pipe', false, {}, '', false],
    ['not with NO_COLOR', true, { NO_COLOR: '1' }, '', false],
    ['not with --no-color', true, {}, ' --no-color', false],
  ])('prints colours %s', (_, terminal, env, flag, want) => {
    expect(work.run(`plan ./${flag}`, { terminal, env }).out.includes('\u001b[')).toBe(want);
  });
});

describe('lock', () => {
  test('accepts the plan, and then nothing is pending', () => {
    expect(work.run('lock ./')).toEqual({
      code: 0,
      out: 'Plan: 1 to place, 0 to move, 0 to remove, 0 to keep.\nWrote fleet.lock.yaml.\n',
      err: '',
    });
    expect(work.run('plan ./ --quiet').out).toBe('Plan: 0 to place, 0 to move, 0 to remove, 1 to keep.\n');
  });

  test('writes nothing while a replica does not fit', () => {
    work.write({ 'fleet.yaml': FULL });
    const { code, err } = work.run('lock ./');
    expect(err).toContain("accept the shortfall with 'fleetwright lock --accept-unplaced'");
    expect(code).toBe(3);
    expect(Object.keys(work.files())).toEqual(['fleet.yaml']);
  });

  test('records a shortfall that is accepted, so that only a larger one fails again', () => {
    work.write({ 'fleet.yaml': FULL });
    expect(work.run('lock ./ --accept-unplaced').code).toBe(0);
    expect(work.read('fleet.lock.yaml')).toContain('    unplaced: 1\n');
    expect(work.run('plan ./').code).toBe(0);
    work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 4') });
    expect(work.run('plan ./').code).toBe(3);
  });

  test('a lock that says so already is not written again', () => {
    work.run('lock ./');
    expect(work.run('lock ./').out).toContain('fleet.lock.yaml says so already.');
    expect(JSON.parse(work.run('lock ./ --json').out)).toMatchObject({ written: null });
  });

  test('--check compares and writes nothing', () => {
    expect(work.run('lock ./ --check')).toMatchObject({
      code: 5,
      err: expect.stringContaining("run 'fleetwright lock") as string,
    });
    expect(Object.keys(work.files())).toEqual(['fleet.yaml']);
    work.run('lock ./');
    expect(work.run('lock ./ --check')).toEqual({
      code: 0,
      out: 'fleet.lock.yaml is up to date.\n',
      err: '',
    });
  });

  describe('--settle', () => {
    const other = SMALL.split('---\n')[1]!.replace('name: us\n', 'name: eu\n');
    const drained = SMALL.replace(
      '  nodePools:',
      '  taints: [{ key: drain, effect: NoExecute }]\n  nodePools:',
    );

    test('drops what is leaving, and says so', () => {
      work.run('lock ./');
      work.write({ 'fleet.yaml': drained, 'more.yaml': other });
      expect(work.run('lock ./').out).toContain(
        '0 to place, 1 to move, 0 to remove, 0 to keep, 1 leaving until settled',
      );
      expect(work.read('fleet.lock.yaml')).toContain('cluster: us, index: 0, pools: {main: h100}');
      expect(work.run('plan ./').out).toContain('~ us/0');
      const { code, out } = work.run('lock ./ --settle');
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringContaining('Settled: ml/q leaves us/0.\n') as string,
      });
      expect(work.read('fleet.lock.yaml')).not.toContain('cluster: us');
      expect(work.run('lock ./ --check').code).toBe(0);
    });

    test('keeps the last one that serves, where nothing replaces it', () => {
      work.run('lock ./');
      work.write({ 'fleet.yaml': drained });
      work.run('lock ./ --accept-unplaced');
      expect(work.run('lock ./ --settle').code).toBe(0);
      expect(work.read('fleet.lock.yaml')).toContain('leaving: true');
    });
  });

  test('reads both sides of a conflict as the previous state', () => {
    work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
    work.run('lock ./');
    const [zero, one] = work.read('fleet.lock.yaml').match(/ {6}- .*\n/g) ?? [];
    const locked = work.read('fleet.lock.yaml');
    work.write({
      'fleet.lock.yaml': locked.replace(
        `${zero}${one}`,
        `<<<<<<< HEAD\n${zero}=======\n${one}>>>>>>> other\n`,
      ),
    });
    expect(work.run('lock ./').code).toBe(0);
    expect(work.read('fleet.lock.yaml')).toBe(locked);
  });

  test('an edit of image or arguments does not make it stale', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0') });
    expect(work.run('lock ./ --check').code).toBe(0);
  });
});

describe('synth', () => {
  test('writes a folder a cluster, and the same bytes again', () => {
    work.run('lock ./');
    const first = work.run('synth ./ --out ./out');
    expect(first.out).toMatch(/^Manifests of 1 cluster in out: \d+ written, 0 unchanged, 0 removed\.\n$/);
    const files = work.files();
    expect(Object.keys(files)).toContain('out/us/ml.q.yaml');
    expect(work.run('synth ./ --out ./out').out).toMatch(/: 0 written, \d+ unchanged, 0 removed\.\n$/);
    expect(work.files()).toEqual(files);
  });

  test('does not take what it wrote for declarations', () => {
    work.run('lock ./');
    work.run('synth ./ --out ./out');
    expect(work.run('plan ./').code).toBe(0);
  });

  test('refuses a lock that is stale, and one that is missing', () => {
    expect(work.run('synth ./ --out ./out')).toMatchObject({ code: 5, out: '' });
    work.run('lock ./');
    work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
    expect(work.run('synth ./ --out ./out')).toMatchObject({ code: 5, out: '' });
    expect(Object.keys(work.files())).toEqual(['fleet.lock.yaml', 'fleet.yaml']);
  });

  test('needs no lock with --ephemeral', () => {
    expect(work.run('synth ./ --out ./out --ephemeral').code).toBe(0);
  });

  test('writes nothing while a replica does not fit', () => {
    work.write({ 'fleet.yaml': FULL });
    expect(work.run('synth ./ --out ./out --ephemeral').code).toBe(3);
    expect(Object.keys(work.files())).toEqual(['fleet.yaml']);
  });

  test('removes what it wrote and does not write any more, and nothing else', () => {
    work.run('lock ./');
    work.run('synth ./ --out ./out');
    work.write({ 'fleet.yaml': SMALL.split('---\n').slice(0, 2).join('---\n'), 'out/us/mine.yaml': 'x' });
    work.run('lock ./');
    work.run('synth ./ --out ./out');
    expect(Object.keys(work.files())).not.toContain('out/us/ml.q.yaml');
    expect(Object.keys(work.files())).toContain('out/us/mine.yaml');
  });
});

test('explain shows where a deployment is and why no more fit', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
  expect(work.run('explain ml/q ./').out).toBe(`ml/q: 2 of 2 replicas placed, priority 0

  us
    = us/0   pool h100: 1 node, 8 gpu
    = us/1   pool h100: 1 node, 8 gpu
    no more: pool h100: needs 8 gpu on one node; 0 of 2 nodes can promise it
`);
});

test('explain does not count what is leaving', () => {
  work.run('lock ./');
  const drained = SMALL.replace(
    '  nodePools:',
    '  taints: [{ key: drain, effect: NoExecute }]\n  nodePools:',
  );
  work.write({ 'fleet.yaml': drained });
  expect(work.run('explain ml/q ./').out).toContain('ml/q: 0 of 1 replica placed');
});

test('schema makes its folder, and what it writes is not read as manifests', () => {
  expect(work.run('schema --out ./schema').code).toBe(0);
  expect(work.run('validate ./').out).toContain(
    '3 resources in .: all valid.\nnote: left alone 10 documents',
  );
});

test('synth tells a machine why it writes nothing', () => {
  const { code, out } = work.run('synth ./ --json --out ./out');
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Problems',
    problems: [{ code: 'stale-lock', what: 'there is no lock yet' }],
  });
  expect(code).toBe(5);
});

test('validate counts what it read', () => {
  expect(work.run('validate ./').out).toBe('3 resources in .: all valid.\n');
});

test.each(['bash', 'zsh', 'fish'])('completion for %s knows every command', (shell) => {
  const { out } = work.run(`completion ${shell}`);
  for (const command of ['validate', 'plan', 'lock', 'synth', 'explain', 'schema', 'completion'])
    expect(out).toContain(command);
  expect(out).toContain('accept-unplaced');
});
