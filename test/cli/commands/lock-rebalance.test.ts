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

/** The first deployment without a NetworkPolicy: any pod can be its client. */
const open = (text: string): string =>
  text.replace('template:\n    spec:\n', 'template:\n    spec:\n      networkPolicy: { enabled: false }\n');

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
      'move 1 replica of ml/q from us to eu, without downtime ($0): fleetwright lock . --rebalance ml/q',
    );
    const moved = /^Rebalance: move ml.q from us.0 to eu.0\.\nRebalance: replicas of ml.only [^]* not fit yet; /;
    expect(work.run('lock ./ --rebalance')).toEqual({ code: 0, err: '', out: expect.stringMatching(moved) });
    expect(work.read('fleet.lock.yaml')).toContain('draining: true');
    expect(work.run('lock ./ --finalize').out).toContain(
      "Next: 'fleetwright lock .' gives replicas of ml/only their place. Commit both as one change.\n",
    );
    expect(work.run('lock ./ --check').code).toBe(5);
    expect(work.run('lock ./').code).toBe(0);
    expect(work.run('lock ./ --finalize').out).not.toContain('Next');
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
    expect(out).toContain(
      'cheapest: remove the draining replicas of us with fleetwright lock . --finalize; in the same change: fleetwright lock .',
    );
    expect(work.read('fleet.lock.yaml')).toBe(before);
  });

  test('a replica whose place another takes at once moves with downtime, in plan and lock', () => {
    work.write({ 'fleet.yaml': CHAIN }).run('lock ./');
    work.write({ 'fleet.yaml': LONGER_CHAIN });
    expect(work.run('plan ./').out).toContain(
      "move 1 replica of ml/x from a to b without downtime, 1 replica of ml/y from b to c with downtime ($0)\n          1. Run 'fleetwright lock . --rebalance'.\n",
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

  test('what a rebalance takes from clients of a cluster is a warning, or else a finding of the gate', () => {
    for (const at of ['before', 'after']) work.write({ [`${at}/fleet.yaml`]: open(ONE_NODE) }).run(`lock ./${at}`);
    work.write({ 'after/fleet.yaml': open(GROWN) });
    expect(work.run('plan ./after').out).toContain(
      'without downtime ($0; clients of ml/q on us then get no answer, which the gate refuses without --accept-removals): ',
    );
    const lost = /the rebalance moves ml.q and its Service q-\w+ off us once/;
    expect(work.run('plan ./after --rebalance').out).toMatch(lost);
    const compared = 'plan ./after --against ./before --rebalance';
    expect(work.run(compared).out).toMatch(lost);
    const gated = work.run(`${compared} --gate`);
    expect(gated.out).not.toMatch(lost);
    expect(gated.err).toMatch(/ml.q and its Service q-\w+ leave us once old replicas are finalized/);
    expect(work.run(`${compared} --gate --accept-removals`).out).not.toMatch(lost);
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
