import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Folder } from '../files/build';

const folder = new Folder().add({
  'fleetwright.js': 'exports.main = () => { process.exitCode = Number(process.env.EXIT_CODE); };\n',
  'src/cli/main.js': "require('./start.cjs')('digest', 'main', process.argv.slice(2));\n",
  'src/cli/start.cjs': readFileSync('src/cli/start.cjs', 'utf8'),
  'src/cli/run-bundle.cjs': readFileSync('src/cli/run-bundle.cjs', 'utf8'),
});

afterAll(() => folder.remove());

test.each([
  ['a run keeps its code by the name of its command', ['plan', 'fleet'], 0, ['plan.code']],
  ['a run that ends with a finding is whole', ['plan', 'fleet'], 4, ['plan.code']],
  ['a run that asks for help keeps its code apart from its command', ['plan', '--help'], 0, ['help.code']],
  ['a run without a command is for help too', ['-h'], 0, ['help.code']],
  ['a run with bad input keeps nothing', ['plan', 'fleet'], 1, []],
  ['a run that ends with a bug keeps nothing', ['plan', 'fleet'], 70, []],
  ['a word that is no name of a command is in no name of a file', ['../plan'], 0, ['other.code']],
])('%s', (_, words, exitCode, want) => {
  folder.drop('cache');
  const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: folder.path('cache'), EXIT_CODE: String(exitCode) };
  spawnSync(process.execPath, [folder.path('src/cli/main.js'), ...words], { env });
  const kept = folder.path('cache/fleetwright');
  const names = existsSync(kept) ? readdirSync(kept) : [];
  expect(names.map((name) => name.split('-').at(-1))).toEqual(want);
});
