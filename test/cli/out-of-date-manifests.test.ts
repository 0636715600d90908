import { SMALL } from './cli';
import { Repository } from './repository';

const TWICE = SMALL.replace('replicas: 1', 'replicas: 2');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

/** Adds a folder that `synth` wrote to git. */
function track(folder: string): void {
  work.write({ [`${folder}/.fleetwright-inventory.json`]: '{"version":1,"files":[]}' });
  work.git('add', folder);
}

test.each<[what: string, folders: string[], want: string]>([
  ['no command where no manifests are in git', [], ', and commit the lock.\n'],
  [
    'the command that renews manifests that are in git',
    ['out'],
    ' and `fleetwright synth . --out out`, and commit both.\n',
  ],
  [
    'no folder where it is one of several',
    ['out', 'other'],
    ' and `fleetwright synth . --out DIR`, and commit both.\n',
  ],
])('a comment on a lock that is out of date names %s', (_, folders, want) => {
  work.locked(SMALL);
  folders.forEach(track);
  work.write({ 'fleet.yaml': TWICE });
  const { out } = work.run('plan ./ --against main --allow-dirty --markdown');
  expect(out).toContain(
    `\n- :x: \`fleet.lock.yaml\` is out of date, so \`fleetwright lock . --check\` fails. Run \`fleetwright lock .\`${want}`,
  );
});

test.each<[what: string, flags: string, want: boolean]>([
  ['how the gate assumes that clusters apply it, by its flag', ' --gate --independent-clusters', true],
  ['nothing of that with waves over all clusters', ' --gate', false],
  ['nothing of that without a gate', '', false],
])('a comment says %s', (_, flags, want) => {
  work.locked(SMALL);
  work.write({ 'fleet.yaml': TWICE });
  const { out } = work.run(`plan ./ --against main --allow-dirty --markdown${flags}`);
  expect(out.includes('\nThe gate assumes that clusters apply the change without waiting for each other, ')).toBe(want);
});

test.each<[what: string, after: string, want: boolean]>([
  ['how to accept removals in one pull request', SMALL.slice(0, SMALL.lastIndexOf('---')), true],
  ['nothing of that where nothing is removed', TWICE, false],
])('a comment says %s', (_, after, want) => {
  work.locked(SMALL);
  work.write({ 'fleet.yaml': after });
  const { out } = work.run('plan ./ --against main --allow-dirty --markdown --gate');
  expect(out.includes('the label `accept-removals` on the pull request')).toBe(want);
});
