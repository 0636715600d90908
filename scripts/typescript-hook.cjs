/**
 * Runs TypeScript of this repository without a build: `node -r ./scripts/typescript-hook.cjs main.ts`.
 * The package's own name means its sources.
 */
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '..');
const OWN = {
  fleetwright: join(root, 'src/index.ts'),
  'fleetwright/constructs': join(root, 'constructs/index.ts'),
  'fleetwright/stacks': join(root, 'stacks/index.ts'),
  'fleetwright/stacks/gke': join(root, 'stacks/gke.ts'),
  'fleetwright/stacks/eks': join(root, 'stacks/eks.ts'),
};

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  module['_compile'](code, filename);
};

const resolve = Module['_resolveFilename'];
Module['_resolveFilename'] = function resolveOwn(request, ...rest) {
  const own = OWN[request];
  return own && existsSync(own) ? own : resolve.call(this, request, ...rest);
};
