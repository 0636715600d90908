import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from './example-programs';
import { ignoreUnaskedClusters, record } from './record';
import * as pulumi from '@pulumi/pulumi';
import { treeOf } from './tree';

ignoreUnaskedClusters();

const root = process.cwd();
afterEach(() => process.chdir(root));

describe.each(Object.entries(PROGRAMS))('examples/%s', (name, config) => {
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
