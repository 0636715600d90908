import { chmodSync } from 'node:fs';
import { SMALL, Workspace } from './cli';

// Each row starts processes, which other work on the machine slows down.
jest.setTimeout(60_000);

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const NO_DECLARATIONS =
  'cdk8s.yaml: the program wrote something other than declarations to FLEETWRIGHT_EMIT. Leave that file to place() of its Fleet.\n';
const NO_COMMAND =
  "cdk8s.yaml: 'app' is not a command. Set it to the command that runs the program: 'app: node main.js'.\n";
const write = (text: string): string => `app: 'printf "%s" "$TEXT" > "$FLEETWRIGHT_EMIT" # ${text.length}'\n`;

interface Row {
  readonly config: string;

  /** What the program writes in place of declarations. */
  readonly text?: string;
  readonly want: string | RegExp;
}

const writing = (text: string, want: string | RegExp = NO_DECLARATIONS): Row => ({ config: write(text), text, want });

const rows: Record<string, Row> = {
  'an app with a null character': { config: 'app: "node\\0 main.js"\n', want: NO_COMMAND },
  'a cdk8s.yaml of brackets that are not closed': {
    config: '{'.repeat(100_000),
    want: 'cdk8s.yaml: values are nested too deep. Reduce the nesting.\n',
  },
  'an app of a megabyte': { config: `app: "true ${'x'.repeat(1e6)}"\n`, want: /cannot be run: spawnSync .* E2BIG\./ },
  'a program that prints without an end': {
    config: 'app: yes\n',
    want: /\| y\n\| y\n[^]*the program 'yes' printed more than 64 MiB\. Reduce its output\./,
  },
  'a program that prints colours, commands of a CI and a stack': {
    config: `app: 'printf "\\033[31m::error::\\r\\n  at f (a.ts:1:1)\\n::error::x\\n"; exit 1'\n`,
    want: /^\| \\u001b\[31m::error::\n\|   at f \(a\.ts:1:1\)\n\| ::error::x\n\ncdk8s\.yaml: the program .* failed with exit code 1\./,
  },
  'a program that reports problems that are no JSON': writing('{"problems": ['),
  'a program that reports no problems': writing('{}'),
  'a program that reports an empty list of problems': writing('{"problems": []}'),
  'a program that reports problems that are none': writing('{"problems": [null, 7]}'),
  'a program that reports problems without a text': writing('{"problems": [{"code": "x", "where": {}, "what": 1}]}'),
  'a program that reports a problem with a bad excerpt': writing(
    '{"problems": [{"code": "x", "where": "a", "what": "b", "excerpt": {"line": "a", "column": 1e9, "width": 1e9}}]}',
  ),
  'a program that names a lock that is no path': writing('# Written. Its lock: "\\q"\n'),
  'a program that names a lock with a null character': writing('# Written. Its lock: "a\\u0000b"\n'),
};

test.each(Object.entries(rows))('%s ends with exit code 1 and a place', (_, { config, text = '', want }) => {
  work.write({ 'cdk8s.yaml': config });
  const { code, out, err } = work.run('plan ./', { env: { PATH: process.env['PATH'] ?? '', TEXT: text } });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(want);
  expect(err.length).toBeLessThan(20_000);
  expect(err).not.toMatch(/bug:|\n {4}at /);
});

/** What stands in for git, and what a command that needs git says of it. */
const gits: Record<string, { script: string; want: string }> = {
  'prints without an end': {
    script: 'exec yes',
    want: 'prints more than 256 MiB. Put the manifests into a repository or a folder of their own.\n',
  },
  'does not end': { script: 'exec sleep 100', want: 'does not finish in time. Run it to see what it waits for' },
  'has a child that keeps its output open': { script: 'sleep 100', want: 'does not finish in time.' },
};

describe('a git that', () => {
  const { PATH, FLEETWRIGHT_GIT_SECONDS } = process.env;
  afterEach(() => {
    process.env['PATH'] = PATH;
    if (FLEETWRIGHT_GIT_SECONDS === undefined) delete process.env['FLEETWRIGHT_GIT_SECONDS'];
  });

  test.each(Object.entries(gits))('%s ends the command with exit code 1', (_, { script, want }) => {
    work.write({ 'bin/git': `#!/bin/sh\n${script}\n`, 'fleet/fleet.yaml': SMALL });
    chmodSync(work.path('bin/git'), 0o755);
    process.env['PATH'] = `${work.path('bin')}:${PATH}`;
    process.env['FLEETWRIGHT_GIT_SECONDS'] = script.includes('sleep') ? '1' : '60';
    const { code, err } = work.run('plan ./fleet --against main');
    expect(err).toContain(want);
    expect(err).not.toMatch(/bug:/);
    expect(code).toBe(1);
  });
});
