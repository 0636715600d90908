import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claim } from '../kubernetes/harness/exclusive';
import { say } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import { atEnd, guardProcess } from '../kubernetes/harness/shutdown';
import { inNamespaces, needNamespaces } from './harness/namespace';
import { CACHE, HERE } from './harness/paths';
import { tools } from './harness/tools';
import { inside } from './inside';
import { SCENARIOS } from './scenarios';

const USAGE = `usage: npm run test:envoy -- [${SCENARIOS.map(({ name }) => name).join('|')}]...`;

/** Sends traffic through real gateways, in namespaces of its own, and ends the process with what came of it. */
export async function main(args: readonly string[]): Promise<void> {
  guardProcess();
  try {
    process.exitCode = args[0] === INSIDE ? await inside(args.slice(1)) : await outside(args);
  } catch (error) {
    const words = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`test:envoy: ${words}\n`);
    process.exitCode = 1;
  }
  process.exit();
}

const INSIDE = '--inside';

/** This program, as npm starts it. */
const PROGRAM = ['-r', join(HERE, '../../scripts/typescript-hook.cjs'), join(HERE, 'run.ts')];

async function outside(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new SetupError(USAGE);
  needNamespaces();
  claim(CACHE);
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-envoy-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const built = await tools();
  const code = await inNamespaces([...PROGRAM, INSIDE, ...names], {
    FLEETWRIGHT_ENVOY_RUN: JSON.stringify({ folder, tools: built }),
  });
  if (code !== 0) keepLogs(folder);
  return code;
}

function keepLogs(folder: string): void {
  const logs = join(folder, 'log');
  const kept = join(CACHE, 'logs-of-failed-run');
  rmSync(kept, { recursive: true, force: true });
  if (!existsSync(logs)) return;
  cpSync(logs, kept, { recursive: true });
  say(`the logs are kept in ${kept}`);
}
