import { deepEqual, equal, match } from 'node:assert/strict';
import type { Checks } from './check';
import { counts, openMap, picture, textOf } from './opened';

/** A reader of a pull request. */
export const COMPARING: Checks = {
  'before and after stand side by side, and what changes is marked': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.compared);
    const rows = page.locator('[data-cluster="1"] [role=row]');
    equal(await rows.count(), 2);
    const [before, after] = await Promise.all([0, 1].map((i) => rows.nth(i).boundingBox()));
    equal(before?.y, after?.y, 'both on one line');
    deepEqual(await page.locator('.card').nth(1).locator('.chip').allTextContents(), ['+1', '→1', '↻2']);
    await page.locator('[data-state="1"] .seg.move').hover();
    match(await textOf(page, '#panel-details'), /After.*Moved from eu\/0/s);
    await picture(page, 'compared');
    assertQuiet();
    await close();
  },

  'either of the two can be seen alone': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    await page.getByLabel('before', { exact: true }).check();
    await counts(page, '#map [data-state="1"]', 0);
    await page.getByLabel('after', { exact: true }).check();
    await counts(page, '#map [data-state="0"]', 0);
    await counts(page, '#map [data-state="1"]', 2);
    await close();
  },

  'changes are listed with the line of the declaration that they come from': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    await page.click('#tab-changes');
    for (const box of await page.locator('#panel-changes summary').all()) await box.click();
    await page.waitForFunction(() => document.querySelectorAll('#panel-changes ul').length === 2);
    match(await textOf(page, '#panel-changes .lines'), /^Cost in USD an hour: /);
    match(await textOf(page, '#panel-changes'), /us\/0 ↻Rolled in place, wave 1.*fleet\.yaml:\d+:\d+/s);
    await close();
  },

  'who asks for changes sees what stays step back': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.unplaced);
    const faded = (): Promise<boolean> =>
      page.evaluate(() => document.getElementById('map')?.classList.contains('changes') ?? false);
    equal(await faded(), false);
    await page.check('#changed');
    equal(await faded(), true);
    equal(await textOf(page, '#result'), '1 of 3 clusters, 4 replicas');
    await close();
  },

  'costs are there twice, before and after': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    await page.click('#tab-cost');
    const titles = await page.locator('#panel-cost details[open] thead th').allTextContents();
    deepEqual(titles.slice(1), ['before', 'USD an hour', 'a month', 'prices']);
    await close();
  },
};
