import { runCommandLine } from '../../../src/cli/run';
import { commit, deployment, lockedTeams, SHARED, TEAMS } from './fleet';

const BROKEN = { 'fleet/a.yaml': `${deployment('a/q')}---\nkind: [\n` };
const AT = "fleet/a.yaml:19:7: this '[' is not closed.";
const FALLBACK = /Until then, its resources are those of commit [0-9a-f]{8}\.\n/;
const REFUSAL = 'Until then, the whole fleet is refused and nothing is written';

test.each([
  ['plan ./fleet', 'Refused: 1 error; file fleet/a.yaml stays as it is until corrected.'],
  ['survive ./fleet', 'a/q'],
  ['explain a/q ./fleet', 'a/q: 1 of 1 replica has a place'],
  ['what-if ./fleet --lose eu', 'a/q'],
])('%s uses the last text in git of a file that is not YAML', (command, want) => {
  const { code, out, err } = lockedTeams(true).write(BROKEN).run(command);
  expect([code, err]).toEqual([1, expect.stringContaining(AT)]);
  expect(err).toMatch(FALLBACK);
  expect(out).toContain(want);
});

test('plan prints errors before the plan of the rest', () => {
  const space = lockedTeams(true).write(BROKEN);
  let printed = '';
  const print = (text: string): void => void (printed += text);
  runCommandLine(
    ['plan', space.path('fleet')],
    { out: print, err: print, terminal: false, env: {}, stdin: () => '' },
    '0.0.0',
  );
  const at = [AT, 'Fleet ', 'Total: '].map((part) => printed.indexOf(part));
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(at).not.toContain(-1);
});

test('a file that is not YAML stops no other team, and what it declared stays in the lock and in the output', () => {
  const space = lockedTeams(true).write({ ...BROKEN, 'fleet/b.yaml': deployment('b/r', { replicas: 2 }) });
  const before = space.read('out/eu/a.q.yaml');
  expect(space.run('lock ./fleet').code).toBe(1);
  expect(space.read('fleet/fleet.lock.yaml')).toMatch(/a\/q:[^]*b\/r:\n {4}replicas:\n.*\n.*index/);
  expect(space.run('synth ./fleet --out ./out').code).toBe(1);
  expect(space.read('out/eu/a.q.yaml')).toBe(before);
});

test('--only of another team counts the error of a file that is not YAML', () => {
  const { code, err } = lockedTeams(true).write(BROKEN).run('plan ./fleet --only b');
  expect([code, err]).toEqual([0, '1 error of other resources: leave out --only to see them.\n']);
});

test.each([
  ['without git', false, BROKEN, REFUSAL],
  [
    'with a cluster in it',
    true,
    { 'fleet/shared.yaml': `${SHARED}---\nkind: [\n` },
    / To undo the change: git checkout [0-9a-f]{8} -- fleet\/shared\.yaml\.\n$/,
  ],
] as const)('a file that is not YAML %s refuses the fleet, and says so', (_, inGit, files, want) => {
  const { code, out, err } = lockedTeams(inGit).write(files).run('plan ./fleet');
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(want)]);
});

test('a deployment that only the lock knows could be in a file that is not YAML', () => {
  const space = lockedTeams(false).write({ 'fleet/a.yaml': TEAMS['fleet/b-service.yaml'].replace('chat', 'more') });
  commit(space);
  const { code, err } = space.write(BROKEN).run('lock ./fleet');
  expect([code, err]).toEqual([1, expect.stringContaining(REFUSAL)]);
});
