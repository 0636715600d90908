import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { compareText } from '../../src/base/order';
import { Workspace } from '../cli/cli';

const PAIRS = [['quickstart', 'quickstart-program']] as const;

// Every row runs a program of its own.
jest.setTimeout(60_000);

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

function run(args: string) {
  return work.run(args, { env: process.env as Record<string, string> });
}

/** The files below a folder of the workspace. */
function below(folder: string): [string, string][] {
  return Object.entries(work.files())
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]) => [path.slice(folder.length), text]);
}

/** Every object of a text, in an order of its own. */
function objects(text: string): string[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as { kind: string; metadata: { name: string; namespace?: string } })
    .map((one) => JSON.stringify(sortedKeys(one)))
    .sort(compareText);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedKeys(item)]));
}

/** The objects of each cluster that the command line writes. */
function expected(example: string): Record<string, string[]> {
  const folder = join('examples', example, 'expected');
  const clusters = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    clusters.map(({ name }) => {
      const files = readdirSync(join(folder, name));
      return [name, files.flatMap((file) => objects(readFileSync(join(folder, name, file), 'utf8'))).sort(compareText)];
    }),
  );
}

describe.each(PAIRS)('examples/%s and examples/%s', (directory, program) => {
  test('decide the same lock, to the byte', () => {
    for (const name of [directory, program]) {
      expect(run(`lock examples/${name} --lock ./${name}.lock.yaml --quiet`).code).toBe(0);
    }
    expect(work.read(`${program}.lock.yaml`)).toBe(work.read(`${directory}.lock.yaml`));
  });

  test('yield the same files, to the byte', () => {
    for (const name of [directory, program]) {
      expect(run(`synth examples/${name} --out ./${name} --quiet`).code).toBe(0);
    }
    expect(below(program)).toEqual(below(directory));
    expect(below(program).length).toBeGreaterThan(5);
  });

  test('export the same manifests, which mean what was declared', () => {
    const exported = run(`export examples/${program}`).out;
    expect(exported).toBe(run(`export examples/${directory}`).out);
    work.write({ 'fleet/fleet.yaml': exported });
    expect(run('export ./fleet').out).toBe(exported);
    expect(run('lock ./fleet --quiet').code).toBe(0);
    expect(work.read('fleet/fleet.lock.yaml')).toBe(readFileSync(`examples/${directory}/fleet.lock.yaml`, 'utf8'));
  });

  test('the program, run by itself, writes one file a cluster with the same objects', () => {
    const hook = join(__dirname, '../../scripts/typescript-hook.cjs');
    execFileSync(process.execPath, ['-r', hook, `examples/${program}/main.ts`], {
      env: { ...process.env, CDK8S_OUTDIR: work.path('out') },
    });
    const want = expected(directory);
    expect(readdirSync(work.path('out')).sort()).toEqual(Object.keys(want).map((name) => `${name}.k8s.yaml`));
    for (const [name, all] of Object.entries(want)) {
      expect(objects(work.read(`out/${name}.k8s.yaml`))).toEqual(all);
    }
  });

  test('has files of at most 40 lines', () => {
    const files = readdirSync(join('examples', program)).filter((file) => file.endsWith('.ts'));
    const long = files.filter((file) => readFileSync(join('examples', program, file), 'utf8').split('\n').length > 41);
    expect(long).toEqual([]);
  });
});

test('cdk8s.yaml at the top runs the program of the quickstart', () => {
  const { app } = parse(readFileSync('cdk8s.yaml', 'utf8')) as { app: string };
  const { status } = spawnSync(app, { shell: true, env: { ...process.env, CDK8S_OUTDIR: work.path('out') } });
  expect(status).toBe(0);
  expect(readdirSync(work.path('out')).sort()).toEqual(
    Object.keys(expected('quickstart')).map((name) => `${name}.k8s.yaml`),
  );
});
