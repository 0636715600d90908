import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted, say, seconds } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import bundleSources from '../../scripts/bundle-sources.cjs';
import { gatherCorpus, type Specimen } from './corpus';
import { attackFiles } from './attack-files';
import { attackInputs } from './attack-inputs';
import { SOURCES } from './command';
import { type Options, parseOptions } from './options';

/** Attacks the command line with inputs of a seed, and sets the exit code by what came of it. */
export async function main(args: readonly string[]): Promise<void> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-attack-'));
  // Two hundred processes would each load a thousand files.
  process.env[SOURCES] = await bundleSources();
  try {
    const failed = await attack(parseOptions(args), folder);
    say(failed === 0 ? `all held, in ${seconds(performance.now() - start)}` : `${counted(failed, 'failure')}`);
    process.exitCode = failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`test:attack: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    process.chdir(tmpdir());
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attack(options: Options, folder: string): Promise<number> {
  const corpus = await prepare(folder);
  say(`seed ${options.seed}, ${counted(corpus.length, 'fleet')}`);
  const files = options.only === undefined ? await attackFiles(corpus, folder) : 0;
  return files + (await attackInputs(options, corpus, folder));
}

async function prepare(folder: string): Promise<readonly Specimen[]> {
  const work = join(folder, 'corpus');
  mkdirSync(work);
  const corpus = await gatherCorpus(work);
  writeFileSync(join(folder, 'corpus.json'), JSON.stringify(corpus));
  return corpus;
}
