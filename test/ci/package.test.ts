import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sortUnique } from '../../src/base/order';

interface Package {
  readonly version: string;
  readonly files: readonly string[];
  readonly repository: { readonly url: string };
  readonly publishConfig: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const PACKAGE = JSON.parse(readFileSync('package.json', 'utf8')) as Package;
const ADDRESS = PACKAGE.repository.url.replace(/^git\+|\.git$/g, '');
const WORKFLOWS = '.github/workflows';

test('the address of the repository is in package.json, and in one source, which another test compares', () => {
  const found = execFileSync(
    'git',
    ['grep', '-l', '--fixed-strings', ADDRESS, '--', ':(exclude,glob)examples/*/expected/**'],
    {
      encoding: 'utf8',
    },
  );
  expect(found.trim().split('\n')).toEqual(['package.json', 'src/base/product-address.ts']);
});

test('the package is public, with provenance', () => {
  expect(PACKAGE.publishConfig).toMatchObject({ access: 'public', provenance: true });
});

test('the version is in the lock and has a section in the changelog', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> };
  expect(lock.packages['']?.version).toBe(PACKAGE.version);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${PACKAGE.version}\n`);
});

test('CI asks for a changeset where a source of the package changes', () => {
  const built = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: readonly string[] };
  const config = JSON.parse(readFileSync('.changeset/config.json', 'utf8')) as { changedFilePatterns: string[] };
  const shipped = PACKAGE.files.filter((folder) => folder !== 'dist');
  const folders = [...built.include.map((path) => path.split('/')[0] ?? ''), ...shipped];
  expect(config.changedFilePatterns.toSorted()).toEqual(sortUnique(folders.map((folder) => `${folder}/**`)));
});

test('packages of programs are optional, so that the command line installs without them', () => {
  const required = Object.keys(PACKAGE.peerDependencies).filter(
    (name) => !PACKAGE.peerDependenciesMeta[name]?.optional,
  );
  expect(required).toEqual([]);
});

describe.each(readdirSync(WORKFLOWS))('the workflow %s', (file) => {
  const text = readFileSync(join(WORKFLOWS, file), 'utf8');

  test('pins actions by commit, has no secret and leaves no token on disk', () => {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ''))).toEqual([]);
    expect(text).not.toMatch(/secrets\./);
    expect(text.match(/persist-credentials: false/g)?.length).toBe(text.match(/actions\/checkout@/g)?.length);
  });

  test('runs no code of the repository or its dependencies in a job that may write', () => {
    const jobs = Object.values((parse(text) as { jobs: Record<string, Job> }).jobs);
    const mayWrite = jobs.filter(({ permissions = {} }) => Object.values(permissions).includes('write'));
    const steps = mayWrite.flatMap((job) => job.steps.map(({ run = '', uses = '' }) => `${uses}${run}`));
    expect(steps.filter((step) => /actions\/checkout@|npm (ci|run)|[.]ci\/run/.test(step))).toEqual([]);
  });

  test('reads alone, but where a job says what it writes', () => {
    expect((parse(text) as { permissions: object }).permissions).toEqual({ contents: 'read' });
  });
});
