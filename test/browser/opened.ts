import { deepEqual, equal } from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type PictureName, recordDigest } from './pictures';

/** A map in a browser, and what went wrong with it there. */
export interface Opened {
  readonly page: Page;

  /** Fails where the page complained of anything, or asked for anything but itself. */
  readonly assertQuiet: () => void;
  readonly close: () => Promise<void>;
}

/** Opens the file of a map, and waits until its script has drawn it. */
export async function openMap(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== `file://${path}`) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  await page.waitForSelector('html[data-ready]');
  return {
    page,
    assertQuiet: () => deepEqual(complaints, []),
    close: () => context.close(),
  };
}

/** Where pictures of the pages are kept. */
export const PICTURES = join(__dirname, 'screenshots');

/** Keeps a picture of what is seen. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/**
 * Keeps a picture of the docs, which `WRITE_PICTURES=1` replaces.
 *
 * @param map the file of the map that it shows
 */
export async function documentedPicture(page: Page, name: PictureName, map: string): Promise<void> {
  await picture(page, name);
  if (process.env.WRITE_PICTURES !== '1') return;
  copyFileSync(join(PICTURES, `${name}.png`), join(__dirname, `../../docs/${name}.png`));
  recordDigest(name, map);
}

/** What is in the element with the focus, as a screen reader gets it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}

/** What an element says. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).first().textContent()) ?? '';
}

/** Holds a number of elements to what is wanted, and gives the page two seconds for it: it draws what comes into view. */
export async function counts(page: Page, selector: string, wanted: number, what = selector): Promise<void> {
  const found = (): Promise<number> => page.locator(selector).count();
  for (let waited = 0; waited < 2_000 && (await found()) !== wanted; waited += 50) await page.waitForTimeout(50);
  equal(await found(), wanted, what);
}
