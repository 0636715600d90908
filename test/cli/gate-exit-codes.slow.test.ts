import { readFileSync } from 'node:fs';
import { chooseExitCode, type ExitCode } from '../../src/cli/exit-code';
import { SMALL } from './cli';
import { Repository } from './repository';

const NEWER = SMALL.replace('v0.23.0', 'v0.24.0');
const MODEL = `---\n${SMALL.slice(SMALL.lastIndexOf('---\n') + 4).replace('name: q\n', 'name: r\n')}`;
const RECREATED = (text: string): string =>
  text.replace('spec:\n  replicas', 'spec:\n  rollout: { strategy: Recreate }\n  replicas');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

describe('a gate that refuses names the exit code where it is not its own', () => {
  const MORE = SMALL.replace('replicas: 1', 'replicas: 4');
  const BROKEN = SMALL.slice(SMALL.lastIndexOf('---'))
    .replace('name: q', 'name: r')
    .replace('replicas: 1', 'replicas: many');
  const SURGING = SMALL.replace('replicas: 1', 'replicas: 1\n  rollout: { surge: 1 }');
  const cases: Record<string, { was?: string; is: string; flags?: string; code: number; verdict: string }> = {
    'its own': { is: NEWER, code: 4, verdict: 'refused, 1 problem' },
    'replicas without a place': {
      is: MORE,
      code: 3,
      verdict: 'refused, 1 problem (exit 3: 2 replicas do not fit)',
    },
    'an error': {
      is: SMALL.replace('replicas: 1', 'replicas: many'),
      code: 1,
      verdict: 'refused, 1 problem (exit 1: the input has errors)',
    },
    'a surge that loses its room with nodes': {
      was: SURGING,
      is: SURGING.replace('nodeCount: 2', 'nodeCount: 1'),
      code: 1,
      verdict: 'refused, 1 problem (exit 1: a surge has no room)',
    },
    'such a surge next to an error': {
      was: SURGING,
      is: `${SURGING.replace('nodeCount: 2', 'nodeCount: 1')}${BROKEN}`,
      code: 1,
      verdict: 'refused, 2 problems (exit 1: the input has errors and a surge has no room)',
    },
    'warnings next to what it refuses': {
      is: NEWER.replace('Qwen/Qwen3-8B', 'acme/coder'),
      flags: ' --strict',
      code: 1,
      verdict: 'refused, 2 problems (exit 1: warnings, which --strict does not allow)',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { was = SMALL, is, flags = '', code, verdict }) => {
    work.locked(was);
    work.write({ 'fleet.yaml': is });
    const args = `plan ./ --against main --allow-dirty --gate${flags}`;
    const text = work.run(args);
    expect([text.code, text.out.trim().split('\n').at(-1)]).toEqual([code, `Gate: ${verdict}.`]);
    const [heading = ''] = work.run(`${args} --markdown`).out.split('\n');
    expect(heading.replaceAll('\\', '')).toBe(
      `### :x: Fleet \`.\` against \`main\`: ${verdict.replace(/exit \d: /, '')}`,
    );
  });

  test('its own where it also refuses replicas without a place', () => {
    work.locked(SMALL);
    work.write({ 'fleet.yaml': NEWER.replace('replicas: 1', 'replicas: 4') });
    const { code, out } = work.run('plan ./ --against main --allow-dirty --gate');
    expect([code, out.trim().split('\n').at(-1)]).toEqual([4, 'Gate: refused, 2 problems; 2 replicas do not fit.']);
  });
});

describe('a gate that refuses has a line for', () => {
  const NONE = SMALL.replace('nodeCount: 2', 'nodeCount: 0');
  const cases: Record<string, { was?: string; is: string; want: RegExp[] }> = {
    'replicas without a place alone': {
      is: SMALL.replace('replicas: 1', 'replicas: 4'),
      want: [
        /^refused: 2 of 4 replicas of ml\/q fit nowhere; because .* spec\.replicas: 1 -> 4 \(fleet\.yaml:\d+:\d+\)\.$/,
      ],
    },
    'a new deployment without a place': {
      is: `${SMALL.replace('replicas: 1', 'replicas: 2')}${MODEL}`,
      want: [/^refused: The only replica of ml\/r fits nowhere; because ModelDeployment ml\/r is new /],
    },
    'them next to what else it refuses': {
      is: NEWER.replace('replicas: 1', 'replicas: 4'),
      want: [/^refused: 2 of 4 replicas of ml\/q fit nowhere; because /, /^refused: ml\/q has no serving replica /],
    },
    'no replicas of an error, which is their line': {
      was: `${RECREATED(SMALL)}${MODEL.replace('79Gi', '9Gi')}`,
      is: `${RECREATED(SMALL).replace('81559Mi', '40960Mi')}${MODEL.replace('79Gi', '9Gi')}`,
      want: [],
    },
    'replicas that lose their places, with what to do': {
      is: NONE,
      want: [/^refused: The only replica of ml\/q loses its place/],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { was = SMALL, is, want }) => {
    work.locked(was);
    work.write({ 'fleet.yaml': is });
    const { err } = work.run('plan ./ --against main --allow-dirty --gate');
    const lines = err.split('\n').filter((line) => line.startsWith('refused: '));
    expect(lines).toEqual(want.map((line) => expect.stringMatching(line)));
  });
});

test.each(['docs/pull-requests.md', 'docs/how-to/review-a-change.md'])(
  '%s names the exit code first that applies first',
  (page) => {
    const table =
      /first that applies:\n\n\| exit code .*\n.*\n(?:\| \d .*\n)+/.exec(readFileSync(page, 'utf8'))?.[0] ?? '';
    const codes = [...table.matchAll(/^\| (\d) /gm)].map(([, code]) => Number(code) as ExitCode);
    expect(codes).toHaveLength(3);
    expect(codes.map((_, i) => chooseExitCode(codes.slice(i)))).toEqual(codes);
  },
);

test('replicas that have no room any more are no removal, and flags are named only to give them up', () => {
  const four = SMALL.replace('replicas: 1', 'replicas: 4').replace('nodeCount: 2', 'nodeCount: 9');
  work.locked(four);
  work.write({ 'fleet.yaml': four.replace('nodeCount: 9', 'nodeCount: 0') });
  const { code, out, err } = work.run('plan ./ --against main --allow-dirty --gate --markdown');
  expect(code).toBe(4);
  expect(err).toContain('All 4 replicas of ml/q lose their places');
  expect(`${out}${err}`).not.toContain('would be removed');
  expect(out).toContain(
    'run `fleetwright lock .`, and commit the lock. Or give the replicas up: run `fleetwright lock . --accept-removals --accept-unplaced`, and commit the lock.',
  );
});
