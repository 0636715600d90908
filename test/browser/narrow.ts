import { equal, match, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Checks } from './check';
import { counts, openMap, picture, textOf } from './opened';

/** The screen of a phone. */
const PHONE = { viewport: { width: 390, height: 844 } };

/** Where the tabs begin at the bottom of this screen, at most. */
const TABS = 780;

/** Where an element begins and ends on the screen. */
async function extent(page: Page, selector: string): Promise<{ readonly top: number; readonly bottom: number }> {
  const box = await page.locator(selector).first().boundingBox();
  ok(box, `${selector} is drawn`);
  return { top: box.y, bottom: box.y + box.height };
}

/** A reader with a phone. */
export const NARROW: Checks = {
  'a narrow window has the parts below each other': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small, PHONE);
    const isWide = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    ok((await isWide()) <= 390, `${await isWide()} pixels wide`);
    await picture(page, 'narrow');
    for (const tab of await page.locator('[role=tab]').all()) {
      await tab.click();
      ok((await isWide()) <= 390, `${await isWide()} pixels wide with ${await tab.textContent()}`);
    }
    await close();
  },

  'the table of pools breaks no name, and scrolls sideways where it is wide': async ({ browser, maps }) => {
    for (const width of [390, 1024, 1440]) {
      const { page, close } = await openMap(browser, maps.compared, { viewport: { width, height: 844 } });
      await page.locator('#table summary').click();
      await page.locator('#table tbody th').first().waitFor();
      const heights = await page.locator('#table tbody :is(td:not(.names), th, .names span)').evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size;
        }),
      );
      ok(heights.length > 10 && Math.max(...heights) <= 2, `${width}: ${heights.join()}`);
      const heads = await page.locator('#table thead th').evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const words = cell.textContent?.split(' ').length ?? 0;
          return range.getClientRects().length <= words ? '' : (cell.textContent ?? '');
        }),
      );
      equal(heads.join(''), '', `${width}: headings break only between words`);
      ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `the page is wider than ${width}`);
      await close();
    }
  },

  'the sidebar breaks names of deployments only after the namespace, and shows what to search for': async ({
    browser,
    maps,
  }) => {
    const { page, close } = await openMap(browser, maps.small, { viewport: { width: 1024, height: 844 } });
    match(await page.locator('.deployment', { hasText: 'embeddings' }).innerHTML(), /search\/<wbr>embeddings/);
    const room = await page.locator('#search').evaluate((input: HTMLInputElement) => {
      const text = document.createElement('span');
      text.textContent = input.placeholder;
      text.style.position = 'absolute';
      text.style.whiteSpace = 'nowrap';
      text.style.font = getComputedStyle(input, '::placeholder').font;
      document.body.append(text);
      const { width } = text.getBoundingClientRect();
      text.remove();
      return input.clientWidth - 14 - width;
    });
    ok(room >= 0, `${room} pixels`);
    await close();
  },

  'on a phone a view that is chosen is on the screen, without scrolling': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional, PHONE);
    ok((await extent(page, '#overview .heat-region')).bottom < TABS, 'the first region of the heat map');
    await picture(page, 'phone');
    await page.click('#view-services');
    ok((await extent(page, '.service .gateways')).bottom < TABS, 'the first service');
    equal(await page.evaluate(() => scrollY), 0);
    await picture(page, 'phone-services');
    await page.click('#view-clusters');
    ok((await extent(page, '#overview .heat-region')).bottom < TABS);
    await close();
  },

  'on a phone a view that is chosen further down starts at its start': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional, { viewport: { width: 390, height: 420 } });
    await page.evaluate(() => scrollTo(0, 3000));
    await page.click('#tab-details');
    await page.getByRole('button', { name: '2 services' }).click();
    const { top } = await extent(page, '.service');
    ok(top >= 0 && top < 400, `${top}`);
    equal(await page.locator('#panels').isVisible(), false);
    await close();
  },

  'on a phone tabs are at the bottom, and open a sheet above the map': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.regional, PHONE);
    equal(await page.locator('#filters').isVisible(), false);
    equal(Math.round((await extent(page, '#right')).bottom), 844);
    ok((await extent(page, '#right')).top > TABS, 'only the tabs');
    await page.click('#tab-remarks');
    const { top, bottom } = await extent(page, '#panel-remarks');
    ok(top > 300 && bottom <= 844, `${top} to ${bottom}`);
    match(await textOf(page, '#panel-remarks'), /^Warning/);
    await page.click('#close-details');
    equal(await page.locator('#panels').isVisible(), false);
    await page.click('.tile button');
    equal(await page.locator('#panel-changes').isVisible(), true);
    assertQuiet();
    await close();
  },

  'on a phone the details of a node are a sheet below it, until it is closed': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional, PHONE);
    const node = page.locator('#map .node').nth(3);
    await node.click();
    match(await textOf(page, '#panel-details'), /^prod-ap-northeast-1-00/);
    const box = await node.boundingBox();
    ok(box && box.y + box.height <= (await extent(page, '#right')).top, 'the node is above the sheet');
    await page.click('#close-details');
    equal(await page.locator('#panels').isVisible(), false);
    await counts(page, '#map [aria-selected="true"]', 0);
    await close();
  },

  'on a phone a cluster of a list is on the screen once it is tapped': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional, PHONE);
    await page.click('#tab-details');
    const name = await textOf(page, '.ranking button');
    await page.locator('.ranking button').first().click();
    await page.waitForTimeout(200);
    const { top, bottom } = await extent(page, `.card[aria-label^="cluster ${name},"]`);
    ok(top >= 0 && bottom < 800, `${top} to ${bottom}`);
    await close();
  },
};
