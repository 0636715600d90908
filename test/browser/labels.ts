import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { Checks, MapName } from './check';
import { MAPS } from './maps';
import { openMap, textOf } from './opened';

/** The widths of a desktop, a tablet and a phone, in pixels. */
const WIDTHS = [1440, 1024, 390];

const SIZES = ['small', 'medium', 'large'];

const NAMES = Object.keys(MAPS) as MapName[];

/** What is written on nodes. */
const LABELS = '#map :is(.bay:not(.thin) .seg, .state)';

/** A reader of the names on nodes. */
export const LABELS_ON_NODES: Checks = {
  ...Object.fromEntries(
    NAMES.map((name) => [
      `no name on a node of the map ${name} is cut at any width, so that no number is another`,
      async ({ browser, maps }) => {
        for (const width of WIDTHS) await checkWidth(browser, maps[name], width);
      },
    ]),
  ),

  'names on nodes are as long as the width of the window allows': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared, viewportOf(1600));
    for (const [width, label] of [
      [1024, '→'],
      [1600, '→em'],
    ] as const) {
      await page.setViewportSize(viewportOf(width).viewport);
      await waitForFrames(page);
      equal(await textOf(page, '#map .seg.one.move'), label, `${width} pixels`);
    }
    await close();
  },
};

function viewportOf(width: number): { readonly viewport: { readonly width: number; readonly height: number } } {
  return { viewport: { width, height: 900 } };
}

async function checkWidth(browser: Browser, map: string, width: number): Promise<void> {
  const { page, close } = await openMap(browser, map, viewportOf(width));
  for (const size of SIZES) {
    await chooseSize(page, size);
    deepEqual(await listCut(page), [], `${width} pixels, ${size}`);
  }
  await close();
}

/** Chooses how large nodes are. On a phone the control is behind a button. */
async function chooseSize(page: Page, size: string): Promise<void> {
  await page.locator('#size').evaluate((select: HTMLSelectElement, value) => {
    select.value = value;
    select.dispatchEvent(new Event('input'));
  }, size);
  await page.waitForFunction(() => document.querySelectorAll('#map .node').length > 0);
  await waitForFrames(page);
}

/** Waits until the page has drawn what comes into view. */
async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Lists the texts on nodes that are wider or taller than what is seen of them. */
async function listCut(page: Page): Promise<string[]> {
  const labels = page.locator(LABELS);
  ok((await labels.count()) > 0);
  return labels.evaluateAll((all) => {
    const cut = all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight);
    return [...new Set(cut.map(({ className, textContent }) => `${className}: ${textContent}`))];
  });
}
