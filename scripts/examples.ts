// `npm run examples`: writes the lock and the manifests of every example, as the command line does.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../package.json';
import type { RawIo } from '../src/cli/output';
import { runCommandLine } from '../src/cli/run';

async function writeExamples(): Promise<void> {
  for (const name of readdirSync('examples').filter(isFleet)) await writeExample(join('examples', name));
}

/** Other examples hold no fleet, or several. */
function isFleet(name: string): boolean {
  const folder = join('examples', name);
  return statSync(folder).isDirectory() && readdirSync(folder).some((file) => /\.(yaml|ts)$/.test(file));
}

/** An example without a lock is there to show a shortfall; what it yields once that is accepted is made aside. */
async function writeExample(folder: string): Promise<void> {
  const expected = join(folder, 'expected');
  rmSync(expected, { recursive: true, force: true });
  if (existsSync(join(folder, 'fleet.lock.yaml')) || existsSync(join(folder, 'cdk8s.yaml'))) {
    await fleetwright('lock', folder, '--quiet');
    await fleetwright('synth', folder, '--out', expected, '--quiet');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'example-'));
  cpSync(folder, work, { recursive: true });
  await fleetwright('lock', work, '--accept-unplaced', '--quiet');
  await fleetwright('synth', work, '--out', expected, '--quiet');
  rmSync(work, { recursive: true });
}

const io: RawIo = {
  out: () => {},
  err: (text) => void process.stderr.write(text),
  terminal: false,
  env: process.env,
  stdin: () => '',
};

async function fleetwright(...args: readonly string[]): Promise<void> {
  const code = await runCommandLine(args, io, version);
  if (code !== 0) throw new Error(`fleetwright ${args.join(' ')} ended with ${code}`);
}

void writeExamples();
