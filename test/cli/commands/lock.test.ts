import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const LATER = SMALL.slice(SMALL.lastIndexOf('---'));
const FULL = SMALL.replace('replicas: 1', 'replicas: 3');

function twice(fleet: string): string {
  return fleet.replace('replicas: 1', 'replicas: 2');
}

describe('lock --finalize', () => {
  const other = SMALL.split('---\n')[1]!.replace('name: us\n', 'name: eu\n');
  const drained = SMALL.replace('  nodePools:', '  taints: [{ key: drain, effect: NoExecute }]\n  nodePools:');

  test('drops what is draining, and says so', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': drained, 'more.yaml': other });
    expect(work.run('lock ./').out).toContain("1 moved; 1 old replica serves until 'lock --finalize'");
    expect(work.read('fleet.lock.yaml')).toContain('cluster: us, index: 0, pools: {main: h100}');
    expect(work.run('plan ./').out).toMatch(/~ us\/0[^]*drain of us: can finish/);
    const { code, out } = work.run('lock ./ --finalize');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('Finalized: ml/q is removed from us/0.\n') as string,
    });
    expect(work.read('fleet.lock.yaml')).not.toContain('cluster: us');
    expect(work.run('lock ./ --check').code).toBe(0);
  });

  test('keeps what starts to leave with the same change: its replacement does not serve yet', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': drained, 'more.yaml': other });
    const { code, out } = work.run('lock ./ --finalize');
    expect(code).toBe(0);
    expect(out).toContain('Not finalized: ml/q stays on us/0, because its replacement may not serve yet.');
    expect(work.read('fleet.lock.yaml')).toContain('cluster: us, index: 0');
    work.run('lock ./ --finalize');
    expect(work.read('fleet.lock.yaml')).not.toContain('cluster: us');
  });

  test('keeps the last one that serves, where nothing replaces it', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': drained });
    work.run('lock ./ --accept-unplaced');
    const { code, out } = work.run('lock ./ --finalize');
    expect(code).toBe(0);
    expect(out).toContain('Not finalized: ml/q stays on us/0, because it has no replacement.');
    expect(out).not.toContain("until 'lock --finalize'");
    expect(work.read('fleet.lock.yaml')).toContain('draining: true');
  });

  test('keeps one whose replacement is placed only now, when capacity arrives', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': drained });
    work.run('lock ./ --accept-unplaced');
    work.write({ 'more.yaml': other });
    const { code, out } = work.run('lock ./ --finalize');
    expect(code).toBe(0);
    expect(out).toContain('Not finalized: ml/q stays on us/0, because its replacement may not serve yet.');
    expect(work.run('lock ./ --finalize').out).toContain('Finalized: ml/q is removed from us/0.');
  });

  test('removes the replicas that have a replacement, and keeps as many as have none', () => {
    work.write({ 'fleet.yaml': twice(SMALL) }).run('lock ./');
    const one = other.replace(/nodeCount: \d+/, 'nodeCount: 1');
    work.write({ 'fleet.yaml': twice(drained), 'more.yaml': one }).run('lock ./ --accept-unplaced');
    const { code, out } = work.run('lock ./ --accept-unplaced --finalize');
    expect([code, out]).toEqual([
      0,
      [
        'Finalized: ml/q is removed from us/0.',
        'Not finalized: ml/q stays on us/1, because it has no replacement. Add capacity, or lower the number of replicas.',
        'Wrote fleet.lock.yaml.',
        'Total: 1 kept until a replacement fits, 1 keeps its place, 1 does not fit, as accepted.\n',
      ].join('\n'),
    ]);
  });
});

describe('lock', () => {
  test('accepts the plan, and then nothing is pending', () => {
    expect(work.run('lock ./')).toEqual({
      code: 0,
      out: 'Wrote fleet.lock.yaml.\nTotal: 1 placed.\n',
      err: '',
    });
    expect(work.run('plan ./ --quiet').out).toBe('Total: 1 keeps its place.\n');
  });

  test('writes nothing while a replica does not fit', () => {
    work.write({ 'fleet.yaml': FULL });
    const { code, err } = work.run('lock ./');
    expect(err).toMatch(/accept the shortfall with 'fleetwright lock \S+ --accept-unplaced'/);
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

  test('names the deployments that an accepted shortfall leaves without a replica', () => {
    const more = LATER.replace('name: q', 'name: other').replace('replicas: 1', 'replicas: 2');
    const fleet = `${SMALL.replace('nodeCount: 2', 'nodeCount: 3')}${more}`;
    work.write({ 'fleet.yaml': fleet }).run('lock ./');
    work.write({
      'fleet.yaml': fleet.replace('count: 8\n                    selectors', 'count: 9\n                    selectors'),
    });
    expect(work.run('lock ./ --accept-unplaced').out).toContain('Without a replica now: ml/q.\n');
    expect(work.run('lock ./ --accept-unplaced').out).not.toContain('Without a replica');
  });

  test('a lock that says so already is not written again', () => {
    work.run('lock ./');
    expect(work.run('lock ./').out).toContain('fleet.lock.yaml is up to date already.');
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

  test('--check names the lock that is out of date in the command that writes it', () => {
    work.run('lock ./ --lock ./my.lock');
    work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
    expect(work.run('lock ./ --check --lock ./my.lock').err).toContain("run 'fleetwright lock . --lock my.lock'.");
  });

  test('reads both sides of a conflict as the previous state', () => {
    work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 2') });
    work.run('lock ./');
    const [zero, one] = work.read('fleet.lock.yaml').match(/ {6}- .*\n/g) ?? [];
    const locked = work.read('fleet.lock.yaml');
    work.write({
      'fleet.lock.yaml': locked.replace(`${zero}${one}`, `<<<<<<< HEAD\n${zero}=======\n${one}>>>>>>> other\n`),
    });
    expect(work.run('lock ./').code).toBe(0);
    expect(work.read('fleet.lock.yaml')).toBe(locked);
  });

  test('refuses a line with an engine that the shape does not have', () => {
    work.run('lock ./');
    const locked = work.read('fleet.lock.yaml');
    const [, shape] = /"([0-9a-f]{8})"/.exec(locked) ?? [];
    work.write({ 'fleet.lock.yaml': locked.replace('{main: h100}', '{main: h100, other: h100}') });
    const what = `ml/q us/0: the lock has a pool for engine 'other', and shape ${shape} has no such engine`;
    for (const command of ['plan ./', 'lock ./', 'synth ./ --out ./out']) {
      const { code, err } = work.run(command);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(what) as string });
    }
  });

  test('an edit of image or arguments does not make it out of date', () => {
    work.run('lock ./');
    work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0') });
    expect(work.run('lock ./ --check').code).toBe(0);
  });
});

describe('a lock of which most replicas would be removed', () => {
  const parts = SMALL.split('---\n');
  const hardware = parts.slice(0, 2).join('---\n').replace('nodeCount: 2', 'nodeCount: 9');
  const three = (parts[2] ?? '').replace('replicas: 1', 'replicas: 3');
  const LOST = '3 of the 4 replicas in the lock would be removed, including all of namespace ml';
  beforeEach(() => {
    const other = (parts[2] ?? '').replace('namespace: ml', 'namespace: web');
    work.write({ 'fleet.yaml': hardware, 'ml.yaml': three, 'web.yaml': other });
    expect(work.run('lock ./').code).toBe(0);
    work.write({ 'ml.yaml': '# cut off\n' });
  });

  test('is not written, and says what would go', () => {
    const before = work.read('fleet.lock.yaml');
    expect(work.run('lock ./')).toEqual({
      code: 4,
      out: '',
      err: `fleet.lock.yaml:1:1: ${LOST}. If a file or a part of a file is missing, restore it. To accept the removal, run 'fleetwright lock . --accept-removals'.\nNothing was written.\n`,
    });
    expect(work.read('fleet.lock.yaml')).toBe(before);
  });

  test('says so in JSON and next to the lock', () => {
    const { code, out, err } = work.run('lock ./ --json --annotations github');
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ written: null, refused: { code: 'large-removal', what: LOST } });
    expect(err).toContain('::error file=fleet.lock.yaml,line=1,');
  });

  test('is written with --accept-removals', () => {
    expect(work.run('lock ./ --accept-removals').code).toBe(0);
    expect(work.read('fleet.lock.yaml')).not.toContain('ml/q');
    expect(work.run('lock ./').code).toBe(0);
  });

  test('because they have no room ends with that, and names both flags to give them up', () => {
    const before = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': hardware.replace('nodeCount: 9', 'nodeCount: 0'), 'ml.yaml': three });
    const { code, err } = work.run('lock ./');
    expect(code).toBe(3);
    expect(err).not.toContain('would be removed');
    expect(err).toContain(
      "Nothing was written. Add capacity, or accept the shortfall with 'fleetwright lock . --accept-unplaced --accept-removals'.\n",
    );
    expect(work.run('lock ./ --accept-unplaced')).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        "would be removed, including all of namespaces ml, web. There is no room for them any more. To accept the removal, run 'fleetwright lock . --accept-unplaced --accept-removals'.",
      ),
    });
    expect(work.read('fleet.lock.yaml')).toBe(before);
    expect(work.run('lock ./ --accept-unplaced --accept-removals').code).toBe(0);
  });
});

describe('a folder above the folder of a fleet', () => {
  let above: Workspace;
  beforeEach(() => {
    above = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
    above.run('lock ./fleet');
  });
  afterEach(() => above.remove());

  test.each(['plan ./', 'lock ./', 'synth ./', 'explain ml/q ./'])('%s names the lock', (args) => {
    const before = above.files();
    expect(above.run(args)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "fleet/fleet.lock.yaml exists. Name the folder of the fleet: 'fleetwright plan fleet'",
      ),
    });
    expect(above.files()).toEqual(before);
  });

  test('is a fleet of its own where a flag names the lock', () => {
    expect(above.run('plan ./ --lock ./fleet/fleet.lock.yaml').code).toBe(0);
  });
});
