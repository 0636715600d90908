import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { ignoreUnaskedClusters, record, type Registered } from './record';

ignoreUnaskedClusters();

const root = process.cwd();
let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'files-'));
  cpSync('examples/gitops', join(work, 'fleet'), { recursive: true });
  process.chdir(work);
});
afterEach(() => {
  process.chdir(root);
  rmSync(work, { recursive: true });
});

function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function registered(args: Partial<FleetStackArgs>, preview = false): Promise<Registered[]> {
  const all = { fleet: 'fleet', workloads: 'files', ...args } as const;
  return record(() => new FleetStack('models', all), 'models', preview);
}

test('an update writes what synth would, and no object is a resource', async () => {
  const all = await registered({ out: 'manifests' });
  expect(filesIn('manifests')).toEqual(filesIn('fleet/expected'));
  const kinds = new Set(all.filter(({ custom }) => custom).map(({ type }) => type));
  expect([...kinds].toSorted()).toEqual(['kubernetes:helm.sh/v3:Release', 'pulumi:providers:kubernetes']);
});

test('the stack of one cluster writes the files of all', async () => {
  const all = await registered({ cluster: 'berlin' });
  expect(filesIn('out')).toEqual(filesIn('fleet/expected'));
  expect(JSON.stringify(all)).not.toContain('munich');
});

test('a preview writes nothing', async () => {
  await registered({}, true);
  expect(existsSync('out')).toBe(false);
});

test('without files nothing is written', async () => {
  await registered({ workloads: 'resources' });
  expect(existsSync('out')).toBe(false);
});
