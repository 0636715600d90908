import { rmSync } from 'node:fs';
import { type Ran, SMALL, Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const FULL = SMALL.replace('replicas: 1', 'replicas: 3');

/** Locks a fleet, and writes its manifests. */
function synth(fleet: string): Ran {
  work.write({ 'fleet.yaml': fleet });
  work.run('lock ./');
  return work.run('synth ./ --out ./out');
}

const RELEASES = "3 Helm releases on 1 cluster (a Pulumi stack of the fleet installs these); 'fleetwright plan ";

describe('synth', () => {
  test('writes a folder a cluster, and the same bytes again', () => {
    work.run('lock ./');
    const first = work.run('synth ./ --out ./out');
    expect(first.out).toMatch(/^Manifests of 1 cluster in out: \d+ written, 0 unchanged, 0 removed\.\n/);
    expect(first.out).toContain('  us\n    Namespace ml, for ModelDeployment ml/q\n');
    expect(first.out).toContain(`\nAlso: ${RELEASES}`);
    const files = work.files();
    expect(Object.keys(files)).toContain('out/us/ml.q.yaml');
    const again = work.run('synth ./ --out ./out').out;
    expect(again).toMatch(/: 0 written, \d+ unchanged, 0 removed\.\n/);
    expect(again).toContain(`Must exist before manifests are applied: 1 object and ${RELEASES}`);
    expect(again).not.toContain('Namespace ml, for');
    expect(work.files()).toEqual(files);
  });

  test('writes the same with a record of earlier runs as without one', () => {
    const both = (): [Ran, Ran] => {
      work.run('lock ./ --accept-removals');
      const kept = work.run('synth ./ --out ./out', { records: 'kept' });
      return [kept, { ...work.run('synth ./ --out ./plain'), out: kept.out }];
    };
    const outputs = (folder: string): [string, string][] =>
      Object.entries(work.files()).flatMap(([path, text]): [string, string][] =>
        path.startsWith(folder) ? [[path.slice(folder.length), text.replaceAll(folder, '')]] : [],
      );
    const more = SMALL.replace('replicas: 1', 'replicas: 2');
    for (const fleet of [SMALL, SMALL, more, more.replace('nodeCount: 2', 'nodeCount: 3'), SMALL]) {
      work.write({ 'fleet.yaml': fleet });
      const [kept, plain] = both();
      expect(kept).toEqual(plain);
      expect(kept.code).toBe(0);
      expect(outputs('out/')).toEqual(outputs('plain/'));
    }
    rmSync(work.path('out/us/ml.q.yaml'));
    expect(work.run('synth ./ --out ./out', { records: 'kept' }).out).toContain(': 1 written, ');
    expect(outputs('out/')).toEqual(outputs('plain/'));
  });

  test('writes dashboards as files to import, of clusters with monitoring', () => {
    const monitored = SMALL.replace('  nodePools:', '  monitoring: {}\n  nodePools:');
    work.write({ 'fleet.yaml': monitored });
    work.run('lock ./');
    const { out } = work.run('synth ./ --out ./out --dashboards ./grafana');
    expect(out).toContain('2 dashboards in grafana.\n');
    const written = Object.entries(work.files()).filter(([path]) => /^grafana\/[^.].*\.json$/.test(path));
    expect(written.map(([path]) => path)).toEqual([expect.stringContaining('ml-q'), 'grafana/fleetwright-fleet.json']);
    expect(written.map(([, text]) => JSON.parse(text).panels.length > 0)).toEqual([true, true]);
    work.write({ 'fleet.yaml': SMALL });
    expect(work.run('synth ./ --out ./out --dashboards ./grafana').out).toContain(
      "0 dashboards in grafana: no cluster with a replica declares 'monitoring'.\n",
    );
  });

  test('does not take what it wrote for declarations', () => {
    work.run('lock ./');
    work.run('synth ./ --out ./out --dashboards ./grafana');
    expect(work.run('plan ./').code).toBe(0);
  });

  test('refuses a lock that is out of date, and one that is missing', () => {
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

  const LIST = 'out/us/00-delete.yaml.txt';
  const EMPTY = SMALL.split('---\n').slice(0, 2).join('---\n');
  test('keeps the folder of a cluster that loses its last object, with what to delete there', () => {
    synth(SMALL);
    const { out } = synth(EMPTY);
    expect(Object.keys(work.files()).filter((path) => path.startsWith('out/us/'))).toEqual([LIST]);
    const list = work.read(LIST);
    expect(list).toMatch(/^kind: Deployment\nmetadata:\n {2}namespace: ml\n {2}name: q-0-main-/m);
    expect(list).not.toMatch(/Namespace$|ResourceClaimTemplate|spec:/m);
    expect(out).toMatch(
      /^\d+ objects to delete, unless Argo CD or Flux prunes: kubectl delete --ignore-not-found -f out\/us\/00-delete.yaml.txt$/m,
    );
    const files = work.files();
    expect(work.run('synth ./ --out ./out').out).toContain(': 0 written, 1 unchanged, 0 removed.');
    expect(work.files()).toEqual(files);
  });

  test('what is on the list stays on it until it is written again, or the list is deleted', () => {
    const other = SMALL.split('---\n')[2]?.replace('name: q\n', 'name: r\n') ?? '';
    synth(`${SMALL}---\n${other}`);
    synth(SMALL);
    expect(work.read(LIST)).toContain('name: r-0-main-');
    expect(work.read(LIST)).not.toContain('name: q-0-main-');
    synth(EMPTY);
    expect(work.read(LIST)).toMatch(/name: r-0-main-[^]*name: q-0-main-/);
    synth(SMALL);
    expect(work.read(LIST)).not.toContain('name: q-0-main-');
    rmSync(work.path(LIST));
    work.run('synth ./ --out ./out');
    expect(Object.keys(work.files())).not.toContain(LIST);
    synth(EMPTY);
    expect(work.read(LIST)).not.toContain('name: r-0-main-');
  });

  test('lists what a cluster that is declared no more still runs', () => {
    synth(SMALL);
    synth(SMALL.replace('name: us\nspec', 'name: eu\nspec'));
    expect(Object.keys(work.files()).filter((path) => path.startsWith('out/us/'))).toEqual([LIST]);
  });
});
