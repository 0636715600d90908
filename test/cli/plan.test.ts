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
    + us/0   pool h100: 1 whole node (8 gpu)

Must exist before manifests are applied:
  us
    Namespace ml, for ModelDeployment ml/q
Also: 3 Helm releases on 1 cluster (a Pulumi stack of the fleet installs these); 'fleetwright plan . --all' lists them.

Cost: unknown. No price is known for 1 pool.
  no price: us / h100. State a price in 'price' of the InferenceClass, or in the file of 'prices' of the Fleet.
Total: 1 placed.
`);
    expect(code).toBe(0);
    expect(work.files()).toEqual(before);
  });

  test('exits with 3 and says why when a replica does not fit', () => {
    work.write({ 'fleet.yaml': FULL });
    const { code, out } = work.run('plan ./');
    expect(out).toContain('    ! 1 replica does not fit (0 of 1 cluster fits: 1 without room)\n');
    expect(out).toContain('us / h100   capacity   needs 8 gpu on one node; all its 16 devices are in use');
    expect(out).toContain('cheapest: 1 more node in us / h100 (8 GPUs)');
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
    expect(work.run('plan - --quiet', { stdin: SMALL }).out).toBe('Total: 1 placed.\n');
  });

  test('prints one JSON document with --json', () => {
    const plan = JSON.parse(work.run('plan ./ --json').out) as Record<string, unknown>;
    expect(plan).toMatchObject({ kind: 'Plan', version: 2, outOfDate: true, totals: { place: 1, unplaced: 0 } });
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
