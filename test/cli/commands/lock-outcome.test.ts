import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

test('takes a folder that became its value for the folder of the fleet that was meant', () => {
  work.write({ 'eu/fleet.yaml': SMALL });
  const { code, err } = work.run('lock . --rebalance ./eu');
  expect(code).toBe(1);
  expect(err).toContain('is a folder or file, and the flag takes a deployment. Write it before the flag: fleetwright');
});

test('says that no move helps replicas whose lack of a place is accepted', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 3') }).run('lock ./ --accept-unplaced');
  const { code, out } = work.run('lock ./ --rebalance');
  expect({ code, out }).toEqual({
    code: 0,
    out: `1 note: 'fleetwright plan . --all' lists it.
Rebalance: no move was found that gives replicas of ml/q a place.
fleet.lock.yaml is up to date already.
Total: 2 keep their places, 1 does not fit, as accepted.
`,
  });
  expect(work.run('lock ./').out).not.toContain('Rebalance');
});

test('has its total below the nodes that give all replicas a place', () => {
  work.write({ 'fleet.yaml': SMALL.replace('replicas: 1', 'replicas: 4') });
  const lines = work.run('lock ./').err.trimEnd().split('\n');
  const [total, nodes] = ['Total:', 'With 2 more nodes'].map((text) =>
    lines.findIndex((line) => line.startsWith(text)),
  );
  expect(total).toBe(lines.length - 2);
  expect(nodes).toBeGreaterThan(0);
});
