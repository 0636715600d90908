import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from '../cli';
import { blockOf, commit, deployment, service, SHARED } from './fleet';

const L4 = `---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      attributes: { architecture: { string: Ada } }
      capacity: { memory: { value: 23034Mi } }
`;

/** Cluster `us` has L4 only, and `eu` the only H100. */
const BOTH = SHARED.replace('className: h100', 'className: l4') + L4;
const WITHOUT_EU = BOTH.split('---\n')
  .filter((part) => !part.includes('metadata: { name: eu }'))
  .join('---\n');

const HOPPER = 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"';

/** Team `a` runs on `eu` only, and `b` on both clusters. The declaration no longer has `eu`. */
function lost(spec = ''): Workspace {
  const a = deployment('a/q', { cel: HOPPER }).replace('replicas: 1', `replicas: 1${spec}`);
  const space = new Workspace().write({
    'fleet/shared.yaml': BOTH,
    'fleet/a.yaml': a,
    'fleet/a-service.yaml': service('a/chat', 'q'),
    'fleet/b.yaml': deployment('b/r', { replicas: 2 }),
    'fleet/b-service.yaml': service('b/chat', 'r'),
  });
  for (const command of ['lock ./fleet', 'synth ./fleet --out ./out']) {
    const { code, err } = space.run(command);
    if (code !== 0) throw new Error(`${command}: ${err}`);
  }
  commit(space);
  return space.write({ 'fleet/shared.yaml': WITHOUT_EU });
}

const ACCEPT = 'fleetwright lock fleet --accept-unplaced';

describe.each(['', '\n  allowPartial: true'])('a cluster is removed, and nothing else fits its replicas%j', (spec) => {
  test.each(['plan', 'lock'])('%s refuses to drop them, and names the command that does', (command) => {
    const space = lost(spec);
    const before = blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q');
    const { code, err } = space.run(`${command} ./fleet`);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        `Keep cluster eu, where its replicas run.* To give up the replicas, run '${ACCEPT} --accept-removals'`,
      ),
    ]);
    expect(blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q')).toBe(before);
  });

  test('synth changes no file while they are in the lock, and names the command that removes them', () => {
    const space = lost(spec);
    space.run('lock ./fleet');
    const before = space.files();
    const { code, err } = space.run('synth ./fleet --out ./out');
    expect([code, err]).toEqual([1, expect.stringContaining(`on cluster 'eu', which is not declared`)]);
    expect(err).toContain(ACCEPT);
    expect(space.files()).toEqual(before);
  });

  test('lock drops them where both their loss and the large removal are accepted', () => {
    const space = lost(spec);
    const { code, err } = space.run('lock ./fleet --accept-unplaced');
    expect([code, err]).toEqual([4, expect.stringContaining(`run '${ACCEPT} --accept-removals'`)]);
    expect(space.run('lock ./fleet --accept-unplaced --accept-removals').code).toBe(0);
    expect(space.read('fleet/fleet.lock.yaml')).not.toContain('eu');
    expect(space.run('lock ./fleet --check').code).toBe(0);
    expect(space.run('synth ./fleet --out ./out').code).toBe(0);
    const routes = Object.entries(space.files()).filter(([path]) => path.startsWith('out/us/zz_routes'));
    expect(routes.map(([, text]) => text).join('')).not.toContain('-eu-');
  });
});

const withPrices = (text: string) =>
  text.replaceAll('  devices:', '  price: { perHour: 1, asOf: 2026-01-01 }\n  devices:');

test('a comment says what the loss of a cluster saves, and how to end what ran only there', () => {
  const space = lost().write({ 'fleet/shared.yaml': withPrices(BOTH) });
  commit(space);
  space.write({ 'fleet/shared.yaml': withPrices(WITHOUT_EU) });
  const plan = 'plan ./fleet --against HEAD --allow-dirty --markdown --gate';
  const { out } = space.run(plan);
  expect(out).toMatch(/Cost: \*\*-\$1,460 a month\*\*/);
  expect(out).toContain('remove ModelDeployment a/q and ModelService a/chat too, if a/q is to end.');
  expect(out).toContain('no replica of ModelDeployment a/q has a place, so the entry gets no requests');
  expect(out).not.toMatch(/^- :warning: .*no replica of ModelDeployment a\/q/m);
  space.run('lock ./fleet --accept-unplaced --accept-removals');
  expect(space.run(plan).out).toMatch(
    /the entry app=q selects nothing any more.* It selects a\/q, which loses the places of all replicas \\\(edit 1\\\)\.\*\*\n {2}Give a replica a place; or, if a\/q is to end, remove it and ModelService a\/chat too\./,
  );
});

test('a deployment with other errors loses its replicas on an undeclared cluster too', () => {
  const space = lost();
  space.write({ 'fleet/a.yaml': deployment('a/q', { count: 'many' }) });
  expect(space.run('lock ./fleet --accept-unplaced --accept-removals').code).toBe(1);
  expect(space.read('fleet/fleet.lock.yaml')).not.toContain('eu');
});

test('a run about other deployments keeps the replicas on an undeclared cluster', () => {
  const space = lost();
  const before = blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q');
  space.run('lock ./fleet --only b --accept-unplaced --accept-removals');
  expect(blockOf(space.read('fleet/fleet.lock.yaml'), 'a/q')).toBe(before);
});

describe('a deployment asks for what no pool has any more', () => {
  const OF = {
    hopper: deployment('a/q', { cel: HOPPER }),
    blackwell: deployment('a/q', { cel: HOPPER.replace('Hopper', 'Blackwell') }),
  };
  const selector = /^fleet\/a\.yaml:\d+:\d+: 1 of 1 replica of a\/q does not fit any more: /;

  test.each([
    ['is edited', false],
    ['was committed', true],
  ])('where its selector %s: the error is at the selector, and its replica keeps its place', (_, isCommitted) => {
    const space = lost().write({ 'fleet/shared.yaml': BOTH, 'fleet/a.yaml': OF.blackwell });
    if (isCommitted) commit(space);
    const { code, out, err } = space.run('plan ./fleet');
    const line = OF.blackwell.split('\n').findIndex((one) => one.includes('Blackwell')) + 1;
    expect([code, err]).toEqual([1, expect.stringMatching(selector)]);
    expect(err).toContain(`fleet/a.yaml:${line}:`);
    expect(err).toContain(
      ". Undo this change. Or require a value that exists, or declare a pool of a class that has it, such as 'from: aws/g7e.12xlarge' (2 x rtx-pro-6000, from $8.29 an hour). To give up",
    );
    expect(err).toMatch(
      /\n {4}eu \/ h100 {3}devices {3}gpu: architecture is "Hopper", not "Blackwell" {3}\(selector 1\)\n/,
    );
    expect(out).toContain('Total: 3 keep their places.\n');
  });

  test('where its request is edited: the error is at the request, and names no pool to put back', () => {
    const sized = BOTH.replaceAll('  devices:', '  node: { allocatable: { cpu: 100, memory: 1000Gi } }\n  devices:');
    const space = lost().write({ 'fleet/shared.yaml': sized });
    commit(space);
    const asking = OF.hopper.replace('name: engine,', 'name: engine, resources: { requests: { memory: 4000Gi } },');
    const { code, err } = space.write({ 'fleet/a.yaml': asking }).run('plan ./fleet');
    const line = asking.split('\n').findIndex((one) => one.includes('4000Gi')) + 1;
    expect([code, err]).toEqual([1, expect.stringMatching(selector)]);
    expect(err).toContain(`fleet/a.yaml:${line}:`);
    expect(err).toContain(
      '. Undo this change. More nodes do not help: request less CPU or memory than a node has, or add a pool of larger nodes. To give up',
    );
  });

  test('where its pool is edited: the error names the pool, and how hardware is replaced', () => {
    const space = lost().write({ 'fleet/shared.yaml': BOTH.replace('string: Hopper', 'string: Ampere') });
    const { err } = space.run('plan ./fleet');
    expect(err).toContain(
      'Undo the change of this selector, or of eu / h100, where its replicas run. Or declare the new hardware',
    );
  });

  test('where its pool reserves devices: the error names no new hardware', () => {
    const reserving = BOTH.replace('className: h100,', 'className: h100, reserved: { devices: { gpu: 7 } },');
    const { err } = lost().write({ 'fleet/shared.yaml': reserving }).run('plan ./fleet');
    expect(err).toContain('eu / h100: needs 2 devices on a node, 1 matches');
    expect(err).toContain('Undo the change of eu / h100, where its replicas run. To give up the replicas');
  });

  test('where no earlier declaration is known: the fleet has it all the same', () => {
    const space = lost().write({ 'fleet/shared.yaml': BOTH, 'fleet/a.yaml': OF.blackwell });
    rmSync(join(space.root, '.git'), { recursive: true });
    expect(space.run('plan ./fleet').out).toContain('2 deployments, 3 replicas\n');
  });
});
