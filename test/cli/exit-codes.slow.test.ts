import { readFileSync } from 'node:fs';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/exit-code';
import { runCommandLine } from '../../src/cli/run';
import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const NAMES = Object.keys(EXIT) as (keyof typeof EXIT)[];

test.each(NAMES)('docs/json.md and the help say what the exit code %s means', (name) => {
  const row = `| ${EXIT[name]} | ${EXIT_MEANINGS[name]} |`;
  expect(readFileSync('docs/json.md', 'utf8')).toContain(row);
  expect(work.run('--help').out).toContain(`${EXIT[name]}  ${EXIT_MEANINGS[name].replaceAll('`', '')}\n`);
});

test.each(['status', 'doctor', 'smoke', 'smoke-models'])('%s has no verdict of a policy or gate', (command) => {
  expect(readFileSync(`src/cli/commands/${command}.ts`, 'utf8')).not.toContain('EXIT.refused');
});

const FLEET =
  'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: f }\nspec: { policies: policy.yaml }\n';

/** Fleets after a change since their lock. */
const CHANGES = {
  none: {},
  bad: { 'f/f.yaml': SMALL.replace('nodeCount: 2', 'nodeCount: two') },
  large: { 'f/f.yaml': SMALL.replace('replicas: 1', 'replicas: 5') },
  more: { 'f/f.yaml': SMALL.replace('replicas: 1', 'replicas: 2') },
  denied: {
    'f/f.yaml': `${SMALL}---\n${FLEET}`,
    'f/policy.yaml': 'rules: [{ name: few, deviceQuota: { most: 4 } }]\n',
  },
  unreadable: { 'f/fleet.lock.yaml': 'x' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Change = keyof typeof CHANGES;
type CodesByChange = Readonly<Record<Change, keyof typeof EXIT>>;

const READING: CodesByChange = {
  none: 'ok',
  bad: 'badInput',
  large: 'ok',
  more: 'ok',
  denied: 'ok',
  unreadable: 'badInput',
};
const DECIDING: CodesByChange = { ...READING, large: 'unplaced', denied: 'refused' };
const LOSING: CodesByChange = { ...READING, none: 'unplaced', large: 'unplaced', more: 'unplaced', denied: 'unplaced' };
const GATED: CodesByChange = { ...READING, none: 'refused', large: 'refused', more: 'refused', denied: 'refused' };

const COMMANDS: Readonly<Record<string, CodesByChange>> = {
  'validate ./f': { ...READING, denied: 'refused', unreadable: 'ok' },
  'plan ./f': DECIDING,
  'plan ./f --json': DECIDING,
  'plan ./f --detailed-exitcode': { ...DECIDING, more: 'pending' },
  'lock ./f': DECIDING,
  'lock ./f --check': { ...DECIDING, large: 'outOfDate', more: 'outOfDate' },
  'synth ./f --out ./out': { ...DECIDING, large: 'outOfDate', more: 'outOfDate' },
  'explain ml/q ./f': READING,
  'survive ./f': READING,
  'survive ./f --require 1': GATED,
  'what-if ./f --lose us': LOSING,
  'fit Qwen/Qwen3-8B ./f': READING,
  'export ./f': { ...READING, unreadable: 'ok' },
};

const CASES = Object.entries(COMMANDS).flatMap(([command, codes]) =>
  (Object.keys(CHANGES) as Change[]).map((change) => [command, change, codes[change]] as const),
);

test.each(CASES)('%s ends a fleet with the change %s with the exit code %s', (command, change, code) => {
  work.write({ 'f/f.yaml': SMALL });
  expect(work.run('lock ./f').code).toBe(EXIT.ok);
  work.write(CHANGES[change]);
  expect(work.run(command).code).toBe(EXIT[code]);
});

const fail = (code: string) => (): never => {
  throw Object.assign(new Error('write failed'), { code });
};

test.each(['plan', 'plan --json', 'validate', 'export', '--help'])(
  'an output of %s that a full disk does not take is a problem of the disk',
  (command) => {
    let err = '';
    const io = { out: fail('ENOSPC'), err: (text: string) => void (err += text), terminal: false };
    work.write({ 'f/f.yaml': SMALL });
    const code = runCommandLine([...command.split(' '), work.path('f')], { ...io, env: {}, stdin: () => '' }, '0.0.0');
    expect(err).toBe('standard output: no space is left. Free some space and run again.\n');
    expect(code).toBe(EXIT.badInput);
  },
);

test('problems that nothing takes still give their exit code', () => {
  const io = { out: fail('ENOSPC'), err: fail('ENOSPC'), terminal: false, env: {}, stdin: () => '' };
  work.write({ 'f/f.yaml': 'kind: x' });
  expect(runCommandLine(['validate', work.path('f')], io, '0.0.0')).toBe(EXIT.badInput);
});
