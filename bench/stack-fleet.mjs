import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routedFleet } from './routed-fleet.mjs';

const { run } = createRequire(import.meta.url)('../test/stacks/engine.cjs');
const root = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(root, 'dist/src/cli/main.js');
const USAGE_HOOK = join(root, 'bench/tell-usage.cjs');

/** Works on a fleet with a lock in a folder of its own. */
export async function inStackFleet({ clusters, nodes, services, deployments }, work) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const fleet = join(folder, 'fleet');
    mkdirSync(fleet);
    writeFileSync(join(fleet, 'fleet.yaml'), routedFleet({ clusters, nodes, services, models: deployments }));
    execFileSync(process.execPath, [CLI, 'lock', fleet], { stdio: 'ignore' });
    process.env.FLEETWRIGHT_USAGE = join(folder, 'usage.json');
    return await work(fleet);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs the program of Pulumi.yaml in the language host of Pulumi, against the small engine of the tests. What it takes
 * is that of the process of the program: the engine is this one.
 *
 * @param options `cluster` for a stack of one, `preview`
 */
export async function programShare(fleet, { cluster, preview }) {
  const config = { 'fleetwright:fleet': fleet, ...(cluster && { 'fleetwright:cluster': cluster }) };
  const { registered, ...share } = await hosted('dist/stacks/main.js', { config, preview });
  return { ...share, resources: registered.length, registered };
}

/**
 * What a program takes that registers the same resources with the SDK alone, and decides nothing. It has the
 * defaults of the SDK: it sends debug messages and takes stack traces, which ours does not.
 *
 * @param registered what the other program registered
 */
export async function plainShare(registered, { preview }) {
  const list = registered.filter(({ type }) => type !== 'pulumi:pulumi:Stack').map(toRegistration);
  process.env.FLEETWRIGHT_REGISTRATIONS = `${process.env.FLEETWRIGHT_USAGE}.registrations`;
  writeFileSync(process.env.FLEETWRIGHT_REGISTRATIONS, JSON.stringify(list));
  const { registered: same, ...share } = await hosted('bench/plain-program.cjs', { config: {}, preview });
  if (same.length !== registered.length) throw new Error(`${same.length} resources, not ${registered.length}`);
  return share;
}

function toRegistration({ type, name, urn, parent, provider, inputs, message }) {
  // A provider is referred to by its URN and its ID.
  const [, ofProvider] = /^(.*)::[^:]*$/.exec(provider) ?? [];
  return { type, name, urn, parent, provider: ofProvider, inputs, custom: message.getCustom() };
}

async function hosted(path, { config, preview }) {
  const program = { program: join(root, path), root, project: 'fleetwright' };
  const { code, said, registered, ms } = await run({ ...program, config, preview, require: USAGE_HOOK });
  if (code !== 0) throw new Error(said.join('\n'));
  return { ms, ...usage(), registered };
}

/** Runs `fleetwright synth` of a fleet, as a process. */
export function synthShare(fleet) {
  const start = performance.now();
  const args = ['-r', USAGE_HOOK, CLI, 'synth', fleet, '--out', join(fleet, '../out')];
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return { ms: performance.now() - start, ...usage() };
}

/** The processor time and the memory of the process that ended last. */
function usage() {
  return JSON.parse(readFileSync(process.env.FLEETWRIGHT_USAGE, 'utf8'));
}
