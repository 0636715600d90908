import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, seconds } from '../kubernetes/harness/say';
import { SetupError } from '../kubernetes/harness/setup-error';
import { ACCESS } from './access';
import { CHANGE } from './change';
import type { Checks, Given, MapName } from './check';
import { startChromium } from './chromium';
import { COMPARING } from './comparing';
import { KEYS } from './keys';
import { LABELS_ON_NODES } from './labels';
import { LARGE } from './large';
import { MAPS } from './maps';
import { NARROW } from './narrow';
import { PICTURES } from './opened';
import { READING } from './reading';
import { SAFETY } from './safety';
import { SITE_CHECKS } from './site';

const CHECKS: Checks = {
  ...READING,
  ...COMPARING,
  ...KEYS,
  ...LABELS_ON_NODES,
  ...ACCESS,
  ...NARROW,
  ...SAFETY,
  ...LARGE,
  ...CHANGE,
  ...SITE_CHECKS,
};

/** Opens maps in a real browser, and sets the exit code by the result. An argument leaves only rows with it in their name. */
export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-browser-'));
  try {
    const browser = await startChromium();
    try {
      say(`Chromium ${browser.version()}`);
      mkdirSync(PICTURES, { recursive: true });
      const failed = await check({ browser, maps: write(folder), figure: (text) => say(`      ${text}`) });
      say(failed === 0 ? `pictures are in ${PICTURES}` : `${failed} failed`);
      process.exitCode = failed === 0 ? 0 : 1;
    } finally {
      await browser.close();
    }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`test:browser: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The maps, each written when a check first opens it. */
function write(folder: string): Given['maps'] {
  const written: Partial<Record<MapName, string>> = {};
  const maps = {};
  for (const name of Object.keys(MAPS) as MapName[]) {
    Object.defineProperty(maps, name, { get: () => (written[name] ??= timed(name, () => MAPS[name](folder))) });
  }
  return maps as Given['maps'];
}

function timed(name: string, run: () => string): string {
  const start = performance.now();
  const path = run();
  say(`      map ${name} written in ${seconds(performance.now() - start)}`);
  return path;
}

async function check(given: Given): Promise<number> {
  let failed = 0;
  const [only = ''] = process.argv.slice(2);
  for (const [name, run] of Object.entries(CHECKS)) {
    if (!name.includes(only)) continue;
    try {
      await run(given);
      say(`ok    ${name}`);
    } catch (error) {
      failed++;
      say(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed;
}
