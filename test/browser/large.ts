import { equal, match, ok } from 'node:assert/strict';
import type { Checks } from './check';
import { megabytes } from './maps';
import { counts, focused, openMap, picture, textOf } from './opened';

/** A thousand clusters. */
export const LARGE: Checks = {
  'a hundred thousand replicas are less than 10 MB, and painted within two seconds': async (given) => {
    const { browser, maps, figure } = given;
    const size = megabytes(maps.large);
    const { page, assertQuiet, close } = await openMap(browser, maps.large);
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    const drawn = await page.evaluate(() => performance.getEntriesByName('drawn')[0]?.startTime);
    figure(`${size.toFixed(1)} MB, painted after ${paint?.toFixed(0)} ms, drawn after ${drawn?.toFixed(0)} ms`);
    ok(size < 10, `${size} MB`);
    ok(paint !== undefined && paint < 2000, `painted after ${paint} ms`);
    ok(drawn !== undefined && drawn < 5000, `drawn after ${drawn} ms`);
    equal(await textOf(page, '#result'), '1,000 of 1,000 clusters, 100,000 replicas');
    await picture(page, 'large');
    assertQuiet();
    await close();
  },

  'only what is near is drawn, however far one scrolls': async ({ browser, maps, figure }) => {
    const { page, close } = await openMap(browser, maps.large);
    const most: number[] = [];
    for (let at = 0; at <= 10; at++) {
      await page.evaluate((part) => {
        const middle = document.getElementById('middle');
        middle?.scrollTo(0, (middle.scrollHeight * part) / 10);
      }, at);
      await page.waitForTimeout(150);
      most.push(await page.evaluate(() => document.querySelectorAll('*').length));
    }
    figure(`at most ${Math.max(...most)} elements`);
    ok(Math.max(...most) < 40_000);
    equal(await page.locator('.card').last().locator('[role=row]').count(), 10);
    await close();
  },

  'only what is near is drawn after the window becomes as narrow as a phone': async ({ browser, maps, figure }) => {
    const { page, close } = await openMap(browser, maps.large);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(500);
    const drawn = await page.evaluate(() => document.querySelectorAll('*').length);
    figure(`${drawn} elements`);
    ok(drawn < 40_000, `${drawn} elements`);
    await close();
  },

  'a search takes no time that one notices': async ({ browser, maps, figure }) => {
    const { page, close } = await openMap(browser, maps.large);
    const took = await page.evaluate(async () => {
      const search = document.getElementById('search') as HTMLInputElement;
      const start = performance.now();
      search.value = 'cluster-00';
      search.dispatchEvent(new Event('input'));
      await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    figure(`${took.toFixed(0)} ms`);
    ok(took < 1000, `${took} ms`);
    match(await textOf(page, '#result'), /^1,000 of 1,000/);
    await page.fill('#search', 'cluster-00500');
    match(await textOf(page, '#result'), /^1 of 1,000/);
    await close();
  },

  'the tile of a cluster leads to its card, from where keys go on': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.large);
    await page.locator('#overview .cluster').nth(700).click();
    await page.waitForTimeout(200);
    const box = await page.locator('.card[aria-label="cluster cluster-00700"]').boundingBox();
    ok(box && box.y >= 0 && box.y + box.height <= 1000, JSON.stringify(box));
    equal(
      await page.evaluate(() => document.activeElement?.closest('.card')?.getAttribute('aria-label')),
      'cluster cluster-00700',
    );
    await page.keyboard.press('PageDown');
    equal(
      await page.evaluate(() => document.activeElement?.closest('.card')?.getAttribute('aria-label')),
      'cluster cluster-00701',
    );
    match(await focused(page), /node/);
    equal(await page.locator(':focus').locator('xpath=ancestor::*[@role="row"]').getAttribute('aria-rowindex'), '7011');
    await page.locator('#overview .cluster').first().focus();
    await page.keyboard.press('ArrowRight');
    match(await focused(page), /^cluster-00001: \d+ % of GPUs in use/);
    await close();
  },

  'the heat map of a thousand clusters shows the fullest, the most expensive or the changed first': async ({
    browser,
    maps,
  }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.wide);
    await page.uncheck('#changed');
    await counts(page, '#overview .cluster', 1000);
    await counts(page, '#overview .heat-region', 6);
    const parts = (): Promise<number[]> =>
      page
        .locator('#overview .cluster')
        .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).style.getPropertyValue('--part'))));
    for (const order of ['fullest', 'expensive']) {
      await page.click(`[data-order="${order}"]`);
      await counts(page, '#overview .heat-region', 0);
      const values = await parts();
      ok((values[0] ?? 0) > (values.at(-1) ?? 0), `${order}: not all are the same`);
      equal(String(values), String(values.toSorted((a, b) => b - a)), order);
    }
    await page.click('[data-order="changed"]');
    const changed = await page
      .locator('#overview .cluster')
      .evaluateAll((all) => all.map((one) => one.classList.contains('changed')));
    const count = changed.filter(Boolean).length;
    ok(count > 0 && count < 1000 && changed.indexOf(false) === count);
    equal(await page.inputValue('#order'), 'changed');
    await page.click('button[type=reset]');
    await counts(page, '#overview .heat-region', 6);
    await picture(page, 'wide');
    assertQuiet();
    await close();
  },
};
