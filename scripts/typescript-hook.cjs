/**
 * Runs TypeScript of this repository without a build: `node -r ./scripts/typescript-hook.cjs main.ts`.
 * The package's own name means its sources.
 */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { version } = require('@swc/core/package.json');
const { reuseCode } = require('./code-cache.cjs');
const { keep, kept } = require('./kept.cjs');

const root = join(__dirname, '..');
const OWN = {
  fleetwright: join(root, 'src/index.ts'),
  'fleetwright/constructs': join(root, 'constructs/index.ts'),
  'fleetwright/stacks': join(root, 'stacks/index.ts'),
  'fleetwright/stacks/gke': join(root, 'stacks/gke.ts'),
  'fleetwright/stacks/eks': join(root, 'stacks/eks.ts'),
};

/** Nothing here depends on the name of a file, so that a text alone says what becomes of it. */
const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
};

require.extensions['.ts'] = (module, filename) => {
  module['_compile'](compiled(readFileSync(filename, 'utf8')), filename);
};

/** A process that finds all of its sources among what is kept does not load the compiler. */
function compiled(text) {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, OPTIONS, text]))
    .digest('hex');
  const before = kept(`${digest}.js`);
  if (before) return before.toString();
  const { code } = require('@swc/core').transformSync(text, OPTIONS);
  keep(`${digest}.js`, code);
  return code;
}

reuseCode();

const resolve = Module['_resolveFilename'];
Module['_resolveFilename'] = function resolveOwn(request, ...rest) {
  const own = OWN[request];
  return own && existsSync(own) ? own : resolve.call(this, request, ...rest);
};
