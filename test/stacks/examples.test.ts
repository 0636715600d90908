import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from './record';
import * as pulumi from '@pulumi/pulumi';
import { treeOf } from './tree';

/** The programs among the examples, with what is set for them. */
const programs: Record<string, Record<string, string>> = {
  existing: { 'existing:kubeconfig': 'token: abc' },
  gke: { 'gcp:project': 'models' },
  eks: {},
  'two-clouds': { 'gcp:project': 'models' },
  'front-door': { 'gcp:project': 'models' },
  gitops: {},
};

const root = process.cwd();
afterEach(() => process.chdir(root));

describe.each(Object.entries(programs))('examples/%s', (name, config) => {
  const folder = join(root, 'examples', name);

  test('registers what its resources.txt shows; WRITE_RESOURCES=1 writes a change of it', async () => {
    process.chdir(folder);
    pulumi.runtime.setAllConfig(config, Object.keys(config));
    // Where workloads are files, an update would write them here.
    const all = await record(() => require(join(folder, 'main')), name, name === 'gitops');
    const golden = join(folder, 'resources.txt');
    if (process.env['WRITE_RESOURCES']) writeFileSync(golden, treeOf(all));
    expect(treeOf(all)).toBe(readFileSync(golden, 'utf8'));
  });

  test('is a program of at most 40 lines', () => {
    expect(readFileSync(join(folder, 'main.ts'), 'utf8').split('\n').length).toBeLessThan(41);
  });
});
