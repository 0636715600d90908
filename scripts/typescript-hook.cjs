/**
 * Runs TypeScript of this repository without a build: `node -r ./scripts/typescript-hook.cjs main.ts`.
 * The package's own name means its sources.
 */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { version } = require('@swc/core/package.json');
const { keepFile, runBundle } = require('../src/cli/run-bundle.cjs');

const root = join(__dirname, '..');
const OWN = {
  fleetwright: join(root, 'src/index.ts'),
  'fleetwright/constructs': join(root, 'constructs/index.ts'),
  'fleetwright/stacks': join(root, 'stacks/index.ts'),
  'fleetwright/stacks/gke': join(root, 'stacks/gke.ts'),
  'fleetwright/stacks/eks': join(root, 'stacks/eks.ts'),
  'fleetwright/stacks/aks': join(root, 'stacks/aks.ts'),
};

/** Nothing here depends on the name of a file, so that a text alone says what becomes of it. */
const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
};

/** Compiled files, by a digest of what they were made of. */
const CACHE = join(root, 'out/cache/typescript-hook');

/** Loads each source, by its path, from the file that `bundle-sources.cjs` made. Empty without it. */
const { FLEETWRIGHT_SOURCES } = process.env;
// Tests start processes that live for less than a second: too short for code to be optimized, or for many collections of
// garbage. V8 keeps no code for runs with other flags, so that all have the same.
if (FLEETWRIGHT_SOURCES) for (const flag of ['--no-opt', '--semi-space-growth-factor=16']) setFlagsFromString(flag);
const bundled = FLEETWRIGHT_SOURCES
  ? runBundle(FLEETWRIGHT_SOURCES, `${FLEETWRIGHT_SOURCES}.code`, { from: join(root, 'package.json') })
  : {};

require.extensions['.ts'] = (module, filename) => {
  const load = bundled[filename];
  if (load) module.exports = load();
  else module['_compile'](compile(readFileSync(filename, 'utf8')), filename);
};

exports.compile = compile;

/** A process that finds all of its sources in the cache does not load the compiler. */
function compile(text) {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, OPTIONS, text]))
    .digest('hex');
  const path = join(CACHE, `${digest}.js`);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const { code } = require('@swc/core').transformSync(text, OPTIONS);
  keepFile(path, code);
  return code;
}

const resolve = Module['_resolveFilename'];
Module['_resolveFilename'] = function resolveOwn(request, ...rest) {
  const own = OWN[request];
  return own && existsSync(own) ? own : resolve.call(this, request, ...rest);
};

/**
 * What the SDK of Pulumi loads at its start and uses only to serialize functions, to run itself, to send traces, or to
 * find the lines of sources for the stack trace that it takes of every promise.
 */
const RARE = new Set([
  'source-map-support/register',
  'typescript',
  '@npmcli/arborist',
  './automation',
  '@opentelemetry/exporter-zipkin',
  '@opentelemetry/instrumentation',
  '@opentelemetry/instrumentation-grpc',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/sdk-trace-node',
]);

/** Before a program, the host waits for a debugger that serializes functions. What serializes one waits for it again. */
const DEBUGGER = '../../runtime/closure/v8Hooks';

const load = Module['_load'];
Module['_load'] = function loadLater(request, parent, ...rest) {
  if (!FLEETWRIGHT_SOURCES || !parent?.filename?.includes('/@pulumi/pulumi/')) {
    return load.call(this, request, parent, ...rest);
  }
  if (request === DEBUGGER) return { isInitializedAsync: () => Promise.resolve() };
  return RARE.has(request)
    ? later(() => load.call(this, request, parent, ...rest))
    : load.call(this, request, parent, ...rest);
};

/** A module that loads when it is first used. */
function later(loadNow) {
  return new Proxy({}, { get: (_, name) => name === '__esModule' || loadNow()[name] });
}
