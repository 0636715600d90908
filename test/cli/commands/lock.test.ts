import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const LATER = SMALL.slice(SMALL.lastIndexOf('---'));
const CLUSTER = SMALL.slice(SMALL.indexOf('---'), SMALL.lastIndexOf('---'));
const ONE_NODE = SMALL.replace('nodeCount: 2', 'nodeCount: 1').replace(
  '  name: us\n',
  '  name: us\n  labels: { region: us }\n',
);
/** A second cluster, and a deployment that only the first one suits. */
const GROWN = `${ONE_NODE}${CLUSTER.replace('nodeCount: 2', 'nodeCount: 1').replaceAll('name: us', 'name: eu')}${LATER.replace(
  'name: q',
  'name: only',
).replace(
  'template:\n    spec:\n      engines',
  'template:\n    spec:\n      clusterSelector: { matchLabels: { region: us } }\n      engines',
)}`;
/** A cluster of one node in a region of its name. */
const clusterIn = (region: string): string =>
  CLUSTER.replace('nodeCount: 2', 'nodeCount: 1').replace(
    '  name: us\n',
    `  name: ${region}\n  labels: { region: ${region} }\n`,
  );
/** A deployment that suits some regions only. */
const deploymentIn = (name: string, regions: string): string =>
  LATER.replace('name: q', `name: ${name}`).replace(
    'template:\n    spec:\n      engines',
    `template:\n    spec:\n      clusterSelector: { matchExpressions: [{ key: region, operator: In, values: [${regions}] }] }\n      engines`,
  );
const CLASSES = SMALL.slice(0, SMALL.indexOf('---'));
const CHAIN = CLASSES + [clusterIn('a'), clusterIn('b'), deploymentIn('x', 'a, b'), deploymentIn('y', 'b, c')].join('');
/** A third cluster, and a deployment whose only place is that of the first: both others move on. */
const LONGER_CHAIN = CHAIN + clusterIn('c') + deploymentIn('z', 'a');

const FULL = SMALL.replace('replicas: 1', 'replicas: 3');

describe('lock --rebalance', () => {
  test('refuses to rebalance a deployment that is not declared', () => {
    const { code, err } = work.run('lock ./ --rebalance ./');
    expect(err).toContain('Write the folder before the flag');
    expect(code).not.toBe(0);
  });

  test('rebalances where nothing is missing as if it was not asked to', () => {
    expect(work.run('lock ./ --rebalance').code).toBe(0);
    expect(work.run('plan ./ --rebalance --quiet').out).toBe('Total: 1 keeps its place.\n');
  });

  test('a rebalance moves without downtime, and the missing replica waits until the lock is final', () => {
    work.write({ 'fleet.yaml': ONE_NODE }).run('lock ./');
    work.write({ 'fleet.yaml': GROWN });
    expect(work.run('plan ./').out).toContain(
      'move ml/q from us to eu, without downtime ($0): fleetwright lock . --rebalance ml/q',
    );
    const moved = /^Rebalance: move ml.q from us.0 to eu.0\.\nRebalance: replicas of ml.only [^]* not fit yet; /;
    expect(work.run('lock ./ --rebalance')).toEqual({ code: 0, err: '', out: expect.stringMatching(moved) });
    expect(work.read('fleet.lock.yaml')).toContain('draining: true');
    work.run('lock ./ --finalize');
    expect(work.run('lock ./').code).toBe(0);
    expect(work.run('plan ./ --quiet').out).toBe('Total: 2 keep their places.\n');
  });

  test('a plan with --rebalance shows moves and what waits for them, and writes nothing', () => {
    work.write({ 'fleet.yaml': ONE_NODE }).run('lock ./');
    const before = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': GROWN });
    const { code, out } = work.run('plan ./ --rebalance');
    expect(code).toBe(0);
    expect(out).toMatch(/eu\/0 .* from us\/0, serving until it is finalized: it makes room for ml\/only/);
    expect(out).toContain('1 replica does not fit yet (');
    expect(out).toContain('cheapest: remove the draining replicas of us with fleetwright lock . --finalize');
    expect(work.read('fleet.lock.yaml')).toBe(before);
  });

  test('a replica whose place another takes at once moves with downtime, in plan and lock', () => {
    work.write({ 'fleet.yaml': CHAIN }).run('lock ./');
    work.write({ 'fleet.yaml': LONGER_CHAIN });
    expect(work.run('plan ./').out).toContain(
      'move ml/x from a to b, without downtime, move ml/y from b to c, with downtime: fleetwright lock . --rebalance',
    );
    const { out } = work.run('plan ./ --rebalance');
    expect(out).toMatch(/b\/0 .* from a\/0, serving until it is finalized: it makes room for ml\/z/);
    expect(out).toMatch(/c\/0 .* from b\/0, (?!which serves).*: it makes room for ml\/z/);
    expect(work.run('lock ./ --rebalance').code).toBe(0);
    const lines = work.read('fleet.lock.yaml').match(/- \{cluster: .*/g) ?? [];
    expect(lines.map((line) => [line.slice(12, 13), line.includes('draining')])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
    work.run('lock ./ --finalize');
    expect(work.run('lock ./').code).toBe(0);
    expect(work.run('plan ./ --quiet').out).toBe('Total: 3 keep their places.\n');
  });

  test('a rebalance moves replicas of the deployment that it names, and of no other', () => {
    work.write({ 'fleet.yaml': ONE_NODE }).run('lock ./');
    work.write({ 'fleet.yaml': GROWN });
    expect(work.run('lock ./ --rebalance ml/only').code).toBe(3);
    expect(work.run('plan ./ --rebalance ml/absent').err).toContain("no deployment has the name 'ml/absent'");
    expect(work.run('plan ./ --rebalance q').err).toContain("no deployment has the name 'q'. Did you mean 'ml/q'?");
    expect(work.run('lock ./ --rebalance ml/q').code).toBe(0);
  });

  test('a rebalance stops no replica of the lock, and the plan says how to move others before the change', () => {
    const two = GROWN.replace('nodeCount: 1', 'nodeCount: 2').replace('name: only', 'name: r');
    const one = two.replace('nodeCount: 2', 'nodeCount: 1');
    const apart = two.replace('nodeCount: 1', 'nodeCount: 0');
    work.write({ 'fleet.yaml': apart }).run('lock ./');
    const before = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': one });
    const { code, err } = work.run('lock ./ --rebalance ml/q');
    expect(code).toBe(3);
    expect(err).toContain("Replicas of ml/r would stop until 'lock --finalize' and 'lock'.");
    expect(work.read('fleet.lock.yaml')).toBe(before);
    const { out } = work.run('plan ./');
    const [, move = ''] = /with this change declared: fleetwright (lock \.[^;]*); with it undone: /.exec(out) ?? [];
    expect(move).toBe('lock . --only ml/q --only ml/r --rebalance ml/q --accept-unplaced');
    expect(work.run(move.replace(' . ', ' ./ ')).code).toBe(0);
    work.write({ 'fleet.yaml': two }).run('lock ./');
    work.run('lock ./ --finalize');
    work.write({ 'fleet.yaml': one });
    expect(work.run('plan ./ --quiet').out).toBe('Total: 2 keep their places.\n');
  });
});

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
        'Total: 1 draining, 1 keeps its place, 1 does not fit, as accepted.\n',
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
