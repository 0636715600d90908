import Ajv from 'ajv';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type CodeBlock, listMarkdown, readBlocks } from '../../scripts/docs-page';
import { parseResource } from '../../src/api/kinds';
import { createCommandLine } from '../../src/cli/command-line';
import { guardOutput } from '../../src/cli/output';
import { isMap, isOwn, startOf } from './excerpts';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...listMarkdown('docs').filter((path) => !path.startsWith('docs/api/'))];

interface Found extends CodeBlock {
  readonly at: string;
}

const BLOCKS: readonly Found[] = PAGES.flatMap((page) =>
  readBlocks(readFileSync(page, 'utf8')).map((block) => ({ ...block, at: `${page}:${block.line}` })),
);

/** A row for each block of a language. */
function rows(...languages: string[]): [string, Found][] {
  return BLOCKS.filter(({ language }) => languages.includes(language)).map((block) => [block.at, block]);
}

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

/** What blocks of a page take for granted, as their prose says. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'docs/clouds.md': [
    "import type { Fleet } from 'fleetwright';",
    "import { type Cloud, type CloudRule, cloudContract } from 'fleetwright/stacks';",
    'declare const oke: Cloud;',
    'declare const fleet: Fleet;',
    'declare const test: { each(rows: readonly CloudRule[]): (name: string, body: (rule: CloudRule) => void) => void };',
  ],
  'docs/pulumi.md': ["import { FleetStack } from 'fleetwright/stacks';"],
  'docs/renderers.md': [
    "import type { ComputedReplica, Manifest } from 'fleetwright';",
    "import type { Fleet } from 'fleetwright/constructs';",
    'declare const modelServer: (replica: ComputedReplica) => Manifest;',
    'declare const fleet: Fleet;',
  ],
};

function givenTo(page: string, lines: readonly string[]): string {
  const stated = GIVEN[page] ?? [];
  const own = lines.join('\n');
  return stated.filter((line) => !new RegExp(`(import|const) .*\\b${declaredBy(line)}\\b`).test(own)).join('\n');
}

function pageOf(at: string): string {
  return at.replace(/:\d+$/, '');
}

function declaredBy(line: string): string {
  return /(?:\{ |const )(?<name>\w+)/.exec(line)?.groups?.['name'] ?? '';
}

/** Pages whose TypeScript is a part of the program of an example, which compiles and runs by itself. */
const FROM_EXAMPLES: Readonly<Record<string, string>> = { 'docs/cdk8s.md': 'examples/house-objects' };

describe('TypeScript', () => {
  test.each(rows('ts').filter(([at]) => pageOf(at) in FROM_EXAMPLES))('at %s is in its example', (at, { lines }) => {
    const example = FROM_EXAMPLES[pageOf(at)] ?? '';
    const files = readdirSync(example).filter((name) => name.endsWith('.ts'));
    const program = files.map((name) => readFileSync(join(example, name), 'utf8')).join('\n');
    expect(lines.map((line) => line.trim()).filter((line) => !program.includes(line))).toEqual([]);
  });

  const folder = join('out', 'docs-blocks');
  test('of every page compiles', () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [at, { lines }] of rows('ts').filter(([at]) => !(pageOf(at) in FROM_EXAMPLES))) {
      const [page = '', line = ''] = at.split(':');
      const name = `${basename(page, '.md')}-${line}.ts`;
      writeFileSync(join(folder, name), `${givenTo(page, lines)}\n${lines.join('\n')}\nexport {};\n`);
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          noEmit: true,
          // What has not changed since the last run is not checked again: that is five times as fast.
          incremental: true,
          tsBuildInfoFile: '../../node_modules/.cache/docs-blocks.tsbuildinfo',
          rootDir: '../..',
          noUnusedLocals: false,
          noUnusedParameters: false,
          paths: {
            fleetwright: ['../../src/index.ts'],
            'fleetwright/constructs': ['../../constructs/index.ts'],
            'fleetwright/stacks': ['../../stacks/index.ts'],
            'fleetwright/stacks/*': ['../../stacks/*.ts'],
          },
        },
        include: ['.'],
        exclude: [],
      }),
    );
    expect(compile(folder)).toBe('');
  });
});

function compile(folder: string): string {
  try {
    execFileSync('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

test('every block of new pages names its language', () => {
  const silent = rows('').filter(([at, { fenced }]) => fenced && /docs\/(start|how-to)\//.test(at));
  expect(silent.map(([at]) => at)).toEqual([]);
});
