import { join } from 'node:path';
import { type Ended, ended } from './commands';
import { HERE } from './paths';

const ROOT = join(HERE, '../..');

/** Runs the command line of this repository as a process of its own, with nothing in its environment but what is given. */
export function fleetwright(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = ['-r', join(ROOT, 'scripts/typescript-hook.cjs'), join(ROOT, 'src/cli/main.ts')];
  return ended(process.execPath, [...program, ...args], { env });
}
