import { equal, match, notEqual } from 'node:assert/strict';
import type { Checks } from './check';
import { counts, focused, openMap, textOf } from './opened';

/** A reader with a keyboard. */
export const KEYS: Checks = {
  '/ leads to the search, and Tab to the map, which is one stop': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.keyboard.press('/');
    equal(await page.evaluate(() => document.activeElement?.id), 'search');
    await counts(page, '#map [tabindex="0"]', 1);
    await page.focus('#size');
    await page.keyboard.press('Tab');
    // A part that scrolls is a stop of its own in some browsers.
    if (!/node/.test(await focused(page))) await page.keyboard.press('Tab');
    match(await focused(page), /node/);
    await page.keyboard.press('Tab');
    equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY');
    await close();
  },

  'arrows, Home, End, PageUp and PageDown go about the nodes': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.small);
    await page.locator('#map [tabindex="0"]').focus();
    const first = await focused(page);
    match(first, /^1 node: ml\/llama-70b 4 gpu/);
    const steps: [string, RegExp][] = [
      ['ArrowRight', /node/],
      ['End', /free/],
      ['ArrowDown', /qwen3-coder/],
      ['PageDown', /qwen3-coder/],
      ['ArrowDown', /./],
      ['ArrowUp', /qwen3-coder/],
      ['PageUp', /qwen3-coder/],
      ['Home', /qwen3-coder/],
    ];
    for (const [key, want] of steps) {
      await page.keyboard.press(key);
      match(await focused(page), want, key);
      await counts(page, '#map [tabindex="0"]', 1, `one stop after ${key}`);
    }
    assertQuiet();
    await close();
  },

  'a node with the focus shows its details; Enter holds on to it, Escape lets go': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.locator('#map [tabindex="0"]').focus();
    const first = await textOf(page, '#panel-details');
    match(first, /onprem \/ l40s/);
    await page.keyboard.press('Enter');
    await counts(page, '[aria-selected="true"][role=gridcell]', 1);
    await page.keyboard.press('PageDown');
    equal(await textOf(page, '#panel-details'), first);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    notEqual(await textOf(page, '#panel-details'), first);
    await close();
  },

  'arrows go from tab to tab': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.focus('#tab-details');
    await page.keyboard.press('ArrowRight');
    equal(await page.locator('#panel-cost').isVisible(), true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    equal(await page.locator('#panel-remarks').isVisible(), true);
    await close();
  },
};
