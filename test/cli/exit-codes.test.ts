import { readFileSync } from 'node:fs';
import { EXIT, EXIT_MEANINGS } from '../../src/cli/exit-code';
import { Workspace } from './cli';

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
