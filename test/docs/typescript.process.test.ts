import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rows } from './pages';

/** What blocks of a page take for granted, as their prose says. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  'docs/clouds.md': [
    "import type { Fleet } from 'fleetwright';",
    "import { type Cloud, type CloudRule, cloudContract } from 'fleetwright/stacks';",
    'declare const oke: Cloud;',
    'declare const fleet: Fleet;',
    'declare const test: { each(rows: readonly CloudRule[]): (name: string, body: (rule: CloudRule) => void) => void };',
  ],
  'docs/pulumi.md': [
    "import { FleetStack } from 'fleetwright/stacks';",
    "declare const app: import('cdk8s').App;",
    "declare const fleet: import('fleetwright/constructs').Fleet;",
    "declare const berlin: import('fleetwright/stacks').ExistingCluster;",
  ],
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
  return stated.filter((line) => !new RegExp(`(import|const) [^=]*\\b${declaredBy(line)}\\b`).test(own)).join('\n');
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
          tsBuildInfoFile: '../../out/cache/docs-blocks.tsbuildinfo',
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
