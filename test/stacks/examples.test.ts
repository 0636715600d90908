import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from './record';
import * as pulumi from '@pulumi/pulumi';
import { treeOf } from './tree';

const root = process.cwd();
afterEach(() => process.chdir(root));

test('examples/existing registers what its resources.txt shows; WRITE_RESOURCES=1 writes a change of it', async () => {
  const folder = join(root, 'examples/existing');
  process.chdir(folder);
  pulumi.runtime.setAllConfig({ 'existing:kubeconfig': 'token: abc' }, ['existing:kubeconfig']);
  const all = await record(() => require('../../examples/existing/main'), 'existing');
  const golden = join(folder, 'resources.txt');
  if (process.env['WRITE_RESOURCES']) writeFileSync(golden, treeOf(all));
  expect(treeOf(all)).toBe(readFileSync(golden, 'utf8'));
});

test('examples/existing is a program of at most 40 lines', () => {
  expect(readFileSync('examples/existing/main.ts', 'utf8').split('\n').length).toBeLessThan(41);
});
