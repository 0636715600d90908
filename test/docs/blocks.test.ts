import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { parseResource } from '../../src/api/kinds';
import { createCommandLine } from '../../src/cli/command-line';
import { guardOutput } from '../../src/cli/output';
import { isMap, isOwn, startOf } from './excerpts';
import { BLOCKS, rows } from './pages';

describe('a block of YAML', () => {
  test.each(rows('yaml'))('%s parses, and has fields that exist', (_, block) => {
    const text = block.lines.join('\n');
    const documents = parseAllDocuments(text);
    expect(documents.flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual([]);
    const schema = /\$schema=\S*?schema\/(?<file>\S+\.json)/.exec(text)?.groups?.['file'];
    for (const document of documents) expect(faultsOf(document.toJS(), schema)).toEqual([]);
  });
});

const WHOLE = rows('yaml').flatMap(([at, { lines }]) =>
  parseAllDocuments(lines.join('\n'))
    .map((document): unknown => document.toJS())
    .filter((value) => isMap(value) && isOwn(value) && value['kind'] !== undefined && value['spec'] !== undefined)
    .map((value): [string, unknown] => [at, value]),
);

test.each(WHOLE)('the whole resource of %s has values that its kind accepts', (_, value) => {
  const parsed = parseResource(value);
  const findings = 'findings' in parsed ? parsed.findings : [];
  expect(findings.map(({ at, message }) => `${at.join('.')}: ${message}`)).toEqual([]);
});

function faultsOf(value: unknown, schema: string | undefined): readonly unknown[] {
  if (schema !== undefined && schema !== 'fleetwright.json') return schemaFaults(value, schema);
  if (!isMap(value)) return [];
  const { apiVersion, runtime } = value;
  if (runtime !== undefined) return []; // a Pulumi.yaml
  if (apiVersion !== undefined && !isOwn(value)) return [];
  return startOf(value).unknown;
}

function schemaFaults(value: unknown, file: string): unknown[] {
  const schema = JSON.parse(readFileSync(join('schema', file), 'utf8')) as object;
  const check = new Ajv({ strict: false, allErrors: true }).compile(schema);
  return check(value) ? [] : (check.errors ?? []);
}

/** Lines that show what a command may have, with its parts in brackets. */
const USAGE = /[[<]/;

describe('a command', () => {
  const commands = BLOCKS.filter(({ language }) => language === '' || language === 'sh' || language === 'text').flatMap(
    ({ at, lines }) => lines.filter(isCommand).map((line): [string, string] => [`${line.trim()} (${at})`, line]),
  );

  test.each(commands)('%s exists, with its flags', (_, line) => {
    const words = /fleetwright(?<rest> .*)?$/.exec(line.replace(/ +[#;|<>&].*$/, ''))?.groups?.['rest'] ?? '';
    expect(parseCommand(words)).toBe('');
  });
});

function isCommand(line: string): boolean {
  return /^(\$ )?(npx )?fleetwright( |$)/.test(line) && !USAGE.test(line);
}

/** What the command line finds wrong with words, without what the command does. */
function parseCommand(text: string): string {
  let said = '';
  const io = { out: () => {}, err: (part: string) => void (said += part), terminal: false, env: {}, stdin: () => '' };
  const root = createCommandLine(guardOutput(io), '', () => {});
  for (const command of root.commands.flatMap((one) => [one, ...one.commands])) command.action(() => {});
  const words = (text.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
  try {
    root.parse(words, { from: 'user' });
  } catch {
    // What is wrong was printed.
  }
  return said;
}

test.each(rows('json'))('JSON at %s parses', (_, block) => {
  expect(() => void JSON.parse(block.lines.join('\n').replaceAll(/^\s*\.\.\.,?$/gm, ''))).not.toThrow();
});

test('every block of new pages names its language', () => {
  const silent = rows('').filter(([at, { fenced }]) => fenced && /docs\/(start|how-to)\//.test(at));
  expect(silent.map(([at]) => at)).toEqual([]);
});
