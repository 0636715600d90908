import { DOCS_ADDRESS } from '../../src/base/product-address';
import { createCommandLine } from '../../src/cli/command-line';
import { EXAMPLES } from '../../src/cli/help';
import { guardOutput } from '../../src/cli/output';
import { SMALL, Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL });
});
afterEach(() => work.remove());

const silent = { out: () => undefined, err: () => undefined, terminal: false, env: {}, stdin: () => '' };
const root = createCommandLine(guardOutput(silent), '0.0.0', () => undefined);
const shown = root
  .createHelp()
  .visibleCommands(root)
  .filter((command) => command.name() !== 'help');

test.each([...shown.map((command) => command.name()), 'model add'])(
  'help of %s ends with two examples and the docs',
  (name) => {
    const { out } = work.run(`${name} --help`);
    for (const example of EXAMPLES[name]!) expect(out).toContain(`  fleetwright ${example}\n`);
    expect(out.trimEnd().endsWith(`Docs: ${DOCS_ADDRESS}/index.md`)).toBe(true);
  },
);

test.each(shown.map((command) => command.name()))('help of %s fits a terminal of 80 columns', (name) => {
  const lines = work.run(`${name} --help`).out.split('\n');
  expect(lines.filter((line) => line.length > 80 && !/^ {2}fleetwright |^Docs/.test(line))).toEqual([]);
});

test.each(shown.map((command) => [command.name(), command] as const))(
  'examples of %s use its flags',
  (name, command) => {
    const known = new Set(command.options.map(({ long }) => long));
    const flags = EXAMPLES[name]!.filter((one) => !one.startsWith('model add')).flatMap(
      (one) => one.match(/--[\w-]+/g) ?? [],
    );
    expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
  },
);

const colours: Record<string, { env: Record<string, string>; terminal: boolean; flags?: string; want: boolean }> = {
  'a terminal has colours': { env: {}, terminal: true, want: true },
  'a file has none': { env: {}, terminal: false, want: false },
  'NO_COLOR takes them away': { env: { NO_COLOR: '1' }, terminal: true, want: false },
  'FORCE_COLOR gives them to a file': { env: { FORCE_COLOR: '1' }, terminal: false, want: true },
  'FORCE_COLOR wins over NO_COLOR': { env: { FORCE_COLOR: '', NO_COLOR: '1' }, terminal: false, want: true },
  'FORCE_COLOR=0 takes them away': { env: { FORCE_COLOR: '0' }, terminal: true, want: false },
  '--no-color wins': { env: { FORCE_COLOR: '1' }, terminal: true, flags: ' --no-color', want: false },
};

test.each(Object.entries(colours))('%s', (_, { env, terminal, flags = '', want }) => {
  expect(work.run(`plan ./${flags}`, { env, terminal }).out.includes('\u001B[')).toBe(want);
});
