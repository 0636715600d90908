import { SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

describe('export', () => {
  test('prints every resource once, sorted by kind and name, and no default', () => {
    const { code, out } = work.run('export ./');
    expect(code).toBe(0);
    expect(out.match(/^kind: .*$/gm)).toEqual([
      'kind: InferenceClass',
      'kind: InferenceCluster',
      'kind: ModelDeployment',
    ]);
    expect(out).not.toMatch(/claim:|paused:|annotations:/);
  });

  test('of an export is the same text', () => {
    const { out } = work.run('export ./');
    work.write({ 'again/fleet.yaml': out });
    expect(work.run('export ./again').out).toBe(out);
  });

  test('writes to a file', () => {
    const { out } = work.run('export ./');
    expect(work.run('export ./ --out ./all.yml')).toMatchObject({
      code: 0,
      out: 'Wrote 3 resources to all.yml.\n',
    });
    expect(work.read('all.yml')).toBe(out);
  });

  test('prints one JSON document with --json', () => {
    const { out } = work.run('export ./ --json');
    expect(JSON.parse(out)).toMatchObject({ kind: 'Export', version: 1, resources: [{}, {}, {}] });
  });

  test('prints nothing of declarations that are wrong', () => {
    work.write({ 'fleet.yaml': SMALL.replace('count: 8', 'count: x') });
    expect(work.run('export ./')).toMatchObject({ code: 1, out: '' });
  });
});
