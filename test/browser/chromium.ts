import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { yieldAlike } from '../kubernetes/harness/autogroup';
import { SetupError } from '../kubernetes/harness/setup-error';

/** What the browser is called, by who packages it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts the Chromium of this machine. Nothing is downloaded. */
export async function startChromium(): Promise<Browser> {
  const executablePath = installed();
  if (executablePath === undefined) {
    throw new SetupError('there is no Chromium here. Install it, as with: apt-get install chromium');
  }
  // Its sandbox cannot be had by root, as whom containers run.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const server = await chromium.launchServer({ executablePath, args });
  yieldAlike(server.process().pid!);
  const browser = await chromium.connect(server.wsEndpoint());
  return browser.on('disconnected', () => void server.close());
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
