import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const FULL = SMALL.replace('replicas: 1', 'replicas: 3');

describe('synth', () => {
  test('writes a folder a cluster, and the same bytes again', () => {
    work.run('lock ./');
    const first = work.run('synth ./ --out ./out');
    expect(first.out).toMatch(/^Manifests of 1 cluster in out: \d+ written, 0 unchanged, 0 removed\.\n/);
    expect(first.out).toContain('  us\n    Namespace ml, for ModelDeployment ml/q\n');
    const files = work.files();
    expect(Object.keys(files)).toContain('out/us/ml.q.yaml');
    expect(work.run('synth ./ --out ./out').out).toMatch(/: 0 written, \d+ unchanged, 0 removed\.\n/);
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
