import { execFileSync } from 'node:child_process';
import { SMALL } from './cli';
import { HALF, Repository, withEnv } from './repository';

const three = (text: string): string => text.replace('nodeCount: 2', 'nodeCount: 3');
const labelled = (text: string, team: string): string =>
  text.replace('  template:\n', `  template:\n    metadata: { labels: { team: ${team} } }\n`);
const settings = (team: string): string =>
  `---\napiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec: { defaults: { labels: { team: ${team} } } }\n`;

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

describe('an edit that changes the shape of engines', () => {
  test('adds the new replica first; the old one is byte by byte what it was until it is finalized, but for its wave', () => {
    work.locked(SMALL);
    const before = work.objects();
    work.write({ 'fleet.yaml': withEnv(HALF, 'command: [vllm, serve]').replace('v0.23.0', 'v0.24.0') });
    expect(work.run('plan ./').out).toContain(
      '> us/1   pool h100: 4 gpu   from us/0, serving until it is finalized: its engines changed',
    );
    expect(work.run('lock ./')).toMatchObject({ code: 0, err: '' });
    expect(work.run('lock ./ --check').code).toBe(0);

    const during = work.objects();
    for (const [name, text] of before) expect([name, withoutWave(during.get(name))]).toEqual([name, withoutWave(text)]);
    const added = [...during.keys()].filter((name) => !before.has(name));
    expect(added.map((name) => name.replace(/-[0-9a-f]{5}$/, ''))).toEqual([
      expect.stringMatching(/^Resource/),
      'NetworkPolicy q-1',
      'PodDisruptionBudget q',
      'Deployment q-1-main',
    ]);

    expect(work.run('lock ./ --finalize').out).toContain('Finalized: ml/q is removed from us/0.');
    expect(work.read('fleet.lock.yaml')).not.toMatch(/shape [0-9a-f]{8}:|draining/);
    expect([...work.objects().keys()].some((name) => name.startsWith('Deployment q-0'))).toBe(false);
  });

  test('needs git only once: what the old replica is made of is in the lock', () => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': HALF });
    work.run('lock ./');
    execFileSync('rm', ['-rf', work.path('.git')]);
    expect(work.run('lock ./ --check').code).toBe(0);
    expect([...work.objects().keys()].filter((name) => name.startsWith('Deployment'))).toHaveLength(2);
  });

  test('finds the old shape where the edit is committed already, as it last was', () => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0') });
    work.commit();
    work.write({ 'fleet.yaml': HALF });
    work.commit();
    work.write({ 'other.txt': 'nothing of the fleet' });
    work.commit();
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).toContain('v0.24.0');
    expect(work.read('fleet.lock.yaml')).not.toContain('v0.23.0');
  });

  test('finds it in the revision whose lock is the start', () => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': HALF });
    work.run('lock ./');
    work.run('lock ./ --finalize');
    work.commit();
    expect(work.run('lock ./ --from HEAD~1')).toMatchObject({ code: 0 });
    expect(work.read('fleet.lock.yaml')).toContain('draining: true');
  });

  test('finds it below the folder of a repository, in a fleet of one file', () => {
    work.write({ 'fleets/a.yaml': SMALL, 'fleets/broken.yaml': 'kind: ModelDeployment' });
    work.init();
    work.run('lock ./fleets/a.yaml');
    work.commit();
    work.write({ 'fleets/a.yaml': HALF });
    expect(work.run('lock ./fleets/a.yaml')).toMatchObject({ code: 0 });
    expect(work.read('fleets/fleet.lock.yaml')).toContain('draining: true');
  });

  test('takes no word of a commit that is not sound', () => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': SMALL.replace('v0.23.0', 'v0.24.0'), 'more.yaml': 'kind: [' });
    work.commit();
    work.write({ 'fleet.yaml': HALF, 'more.yaml': '' });
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).toContain('v0.23.0');
  });

  test('looks at no commit before the lock changed, where declarations and lock need not agree', () => {
    work.locked(SMALL);
    const lock = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': HALF });
    work.run('lock ./');
    work.commit();
    work.write({ 'fleet.lock.yaml': lock });
    work.commit();
    expect(work.run('plan ./').out).toContain('no commit since the change of the lock file declares them');
  });

  test('keeps what the defaults of the fleet added to the old one', () => {
    work.locked(SMALL + settings('a'));
    work.write({ 'fleet.yaml': HALF + settings('b') });
    work.run('lock ./');
    const all = [...work.objects()].filter(([name]) => name.startsWith('Deployment'));
    expect(all.map(([name, text]) => [name.slice(0, 14), /"team":"(\w)"/.exec(text)?.[1]])).toEqual([
      ['Deployment q-0', 'a'],
      ['Deployment q-1', 'b'],
    ]);
  });

  test('uses the labels of now for what old and new replicas share', () => {
    work.locked(three(labelled(SMALL, 'a')));
    work.write({ 'fleet.yaml': three(labelled(HALF, 'b')) });
    work.run('lock ./');
    const all = work.objects();
    const team = (start: string): unknown => {
      const [, text = '{}'] = [...all].find(([name]) => name.startsWith(start))!;
      return (JSON.parse(text) as { metadata: { labels: Record<string, string> } }).metadata.labels['team'];
    };
    expect([team('Service'), team('Deployment q-0'), team('Deployment q-1')]).toEqual(['b', 'a', 'b']);
  });

  test('has a gap where both do not fit at once, and says so', () => {
    work.locked(SMALL.replace('nodeCount: 2', 'nodeCount: 1'));
    work.write({ 'fleet.yaml': HALF.replace('nodeCount: 2', 'nodeCount: 1') });
    expect(work.run('plan ./').out).toContain(
      'from us/0, with downtime: its engines changed, and there is no room to run the old and the new engines side by side',
    );
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).not.toMatch(/shape [0-9a-f]{8}:|draining/);
  });

  test('writes nothing new for edits that keep the shape', () => {
    work.locked(SMALL);
    const before = work.read('fleet.lock.yaml');
    work.write({ 'fleet.yaml': withEnv(SMALL, 'command: [vllm, serve], env: [{ name: A, value: b }]') });
    work.run('lock ./');
    expect(work.read('fleet.lock.yaml')).toBe(before);
  });
});

/** What is draining comes last, so that nothing that replaces it waits for it. */
function withoutWave(text = ''): string {
  return text.replace(/"argocd.argoproj.io\/sync-wave":"\d+"/, '');
}
