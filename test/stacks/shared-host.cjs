/**
 * A process that runs Pulumi programs one after the other, each with a state of its own in the SDK, as the SDK runs
 * inline programs of the Automation API. The SDK and the sources are loaded once: that takes longer than a program.
 */
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { log, runtime } = require('@pulumi/pulumi');
const { withLocalStorage } = require('@pulumi/pulumi/runtime/state');
const { compile } = require('../../scripts/typescript-hook.cjs');
const { API_OPTIONS } = require('../../stacks/checks/cluster-checks.ts');

// The hook has V8 optimize nothing, for processes that end within a second.
setFlagsFromString('--opt');

// The SDK takes a stack trace of every promise, and sends three messages for each resource that no one reads here.
Object.assign(log, { debug: () => Promise.resolve() });

// No cluster is there, and none comes while a program waits to ask again: that took most of the time.
Object.assign(API_OPTIONS, { pauses: API_OPTIONS.pauses.map(() => 1) });

/** What programs change of the process. */
const ENV = { ...process.env };

const load = require.extensions['.ts'];

process.on('message', async (given) => process.send(await hosted(given)));

async function hosted({ program, settings, env }) {
  const said = [];
  const faults = [];
  const keep = (error) => faults.push(String(error?.stack ?? error));
  for (const stream of [process.stdout, process.stderr]) stream.write = (text) => said.push(String(text)) > 0;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, ENV, env, named(settings));
  process.chdir(dirname(program));
  process.on('uncaughtException', keep).on('unhandledRejection', keep);
  Error.stackTraceLimit = 0;
  forget(program);
  await withLocalStorage(async () => {
    await runtime.runInPulumiStack(async () => require(program)).catch(keep);
    await runtime.disconnect(true);
    if (log.hasErrors()) keep('it logged errors');
  });
  process.off('uncaughtException', keep).off('unhandledRejection', keep);
  return { code: faults.length === 0 ? 0 : 1, said: [...said, ...faults] };
}

/** The variables that the SDK reads what the flags of the host say from. */
function named(settings) {
  const pairs = Object.entries(settings);
  return Object.fromEntries(
    pairs.map(([flag, value]) => [`PULUMI_NODEJS_${flag.replace('-', '_').toUpperCase()}`, String(value)]),
  );
}

/** Has the modules of a program load anew. The bundle of the sources loads each once, also one that is a program. */
function forget(program) {
  const folder = join(dirname(program), '/');
  for (const path of Object.keys(require.cache)) {
    if (path.startsWith(folder) && !path.includes('/node_modules/')) delete require.cache[path];
  }
  require.extensions['.ts'] = (module, filename) => {
    if (filename === program) module['_compile'](compile(readFileSync(filename, 'utf8')), filename);
    else load(module, filename);
  };
}
