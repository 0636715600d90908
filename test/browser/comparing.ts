import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Checks } from './check';
import { counts, documentedPicture, openMap, picture, textOf } from './opened';

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
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await documentedPicture(page, 'map', maps.compared);
    assertQuiet();
    await close();
  },

  'a pod of one device that changes has its sign and its label': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    equal(await textOf(page, '#map .seg.one.move'), '→em');
    const { height = 0 } = (await page.locator('#map .seg.one.move').boundingBox()) ?? {};
    const lines = await page.locator('#map .seg.one.move').evaluate((segment) => segment.scrollHeight);
    ok(lines <= height, `${lines} of ${height} pixels`);
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
    match(
      await textOf(page, '#panel-details'),
      /Total: 1 placed, 1 moved, 2 rolled in place, 1 unchanged; 1 old replica /,
    );
    await page.click('#tab-changes');
    for (const box of await page.locator('#panel-changes summary').all()) await box.click();
    await page.waitForFunction(() => document.querySelectorAll('#panel-changes .replicas').length === 2);
    match(await textOf(page, '#panel-changes .changes-list'), /^routes of ml\/chat.* because of edits 1, 2/);
    match(await textOf(page, '#panel-changes'), /↻ us\/0Rolled in place, wave 1.*fleet\.yaml:\d+:\d+/s);
    await close();
  },

  'changes show the shares of each target before and after, and lead to the edits that cause them': async ({
    browser,
    maps,
  }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.regional);
    await page.click('#tab-changes');
    const list = page.locator('#panel-changes .changes-list').first();
    deepEqual(await list.locator('.shares thead th').allTextContents(), ['requests to', 'before', 'after']);
    const rows = await list.locator('.shares tbody tr').allTextContents();
    equal(rows.length, 2);
    match(rows[0] ?? '', /ml\/llama-70b-chat90\.0 % 6 replicas70\.0 % 8 replicas$/);
    const text = await textOf(page, '#panel-changes');
    ok(!/because (?!of edit)|->.*->.*%/.test(text.slice(text.indexOf('Routes'))), 'no text of the terminal');
    await list.locator('.cited a').first().click();
    match(
      await textOf(page, '.causes li:target'),
      /^ModelService ml\/chat endpoints\[0\]\.weight: 9 -> 7.*fleet\.yaml:\d/,
    );
    await page.locator('.causes li:target').scrollIntoViewIfNeeded();
    await picture(page, 'changes');
    assertQuiet();
    await close();
  },

  'who asks for changes sees what stays step back': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.unplaced);
    const faded = (): Promise<boolean> =>
      page.evaluate(() => document.getElementById('map')?.classList.contains('changes') ?? false);
    equal(await faded(), false);
    await page.check('#changed');
    equal(await faded(), true);
    equal(await textOf(page, '#result'), '1 of 3 clusters, only those that change, 4 replicas');
    await close();
  },

  'costs are a month, with what changes of them, and fit into the pane': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    await page.click('#tab-cost');
    const titles = await page.locator('#panel-cost details[open] thead th').allTextContents();
    deepEqual(titles, ['', 'a month', 'change']);
    match(await textOf(page, '#panel-cost .amounts tbody'), /^Total≈\s\$330,000\+\$40,179/);
    for (const width of [1600, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const hidden = await page.locator('#right').evaluate((pane) => pane.scrollWidth - pane.clientWidth);
      equal(hidden, 0, `${width} pixels`);
    }
    await close();
  },

  'the totals of the fleet are on top, with what they were before': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    deepEqual(await page.locator('.tile h2').allTextContents(), [
      'GPUs',
      'Nodes',
      'Cost a month',
      'Replicas',
      'Changes',
    ]);
    const totals = (await page.locator('.tile').allTextContents()).join('; ');
    match(
      totals,
      /34 of 56 in use.*8 free as whole nodes.*before: 25 of 48.*7before: 6.*\+\$40,179before: ≈\u00a0\$290,000/,
    );
    match(totals, /5before: 4.*1 placed, 1 moved, 2 rolled in place/);
    ok(!totals.includes('priced as in'), 'a list of pools would fill the screen');
    await page.getByRole('button', { name: 'What ≈ means' }).click();
    match(await textOf(page, '#panel-cost'), /≈: pools without a known price are priced as in us-central1/);
    await page.getByRole('button', { name: 'Show changes' }).click();
    equal(await page.locator('#panel-changes').isVisible(), true);
    await close();
  },

  'services show their ingress gateways, and the shares of clusters and endpoints before and after': async ({
    browser,
    maps,
  }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.regional);
    await page.click('#view-services');
    equal(await page.locator('#map').isVisible(), false);
    const service = page.locator('.service').first();
    match(
      (await service.textContent()) ?? '',
      /ml\/chatchanged.*models\.example\.com\/ml\/chat\/ ingress gateway public on/,
    );
    const shares = await service.locator('tr.sum').allTextContents();
    match(shares.join('; '), /llama-70b-chat8 clusters90\.0 % 6 replicas70\.0 % 8 replicas; .*10\.0 %.*30\.0 %/);
    match(await service.locator('tr.sum th').first().innerHTML(), /ml\/<wbr>llama-70b-chat/);
    await counts(page, '.service:first-child tr.part:visible', 0);
    await service.locator('tr.sum button').first().click();
    await counts(page, '.service:first-child tr.part:visible', 8);
    const second = page.locator('.service:nth-child(2)');
    match((await second.locator('tr.sum').textContent()) ?? '', /100\.0 %/);
    match(
      (await second.textContent()) ?? '',
      /ml\/rentedendpoint outside the fleetfallback, 100\.0 %.*fallback, 100\.0 %/,
    );
    await picture(page, 'services');
    assertQuiet();
    await close();
  },
};
