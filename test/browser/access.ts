import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Checks } from './check';
import { faintBorders, faintTexts } from './contrast';
import { counts, openMap, picture } from './opened';

/** What is wrong with the roles and names of a page. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
    const nameOf = (element: Element): string => {
      const labels =
        element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
      const named = element.getAttribute('aria-labelledby');
      const by = named ? document.getElementById(named)?.textContent : undefined;
      const label = [...(labels ?? [])].map((one) => one.textContent).join('');
      return (element.getAttribute('aria-label') ?? by ?? (label || element.textContent) ?? '').trim();
    };
    const ids = all('[id]').map(({ id }) => id);
    const wrong = (what: string, some: Element[]): string[] =>
      some.map((one) => `${what}: ${one.outerHTML.slice(0, 120)}`);
    const named =
      'button, input, select, summary, [role=grid], [role=rowgroup], [role=rowheader], [role=gridcell], [role=tab], [role=tabpanel], [role=tablist], [role=toolbar], [role=group], aside, th[scope=row]';
    return [
      ...wrong(
        'no name',
        all(named).filter((one) => nameOf(one) === ''),
      ),
      ...wrong(
        'a row outside of a grid',
        all('[role=row]').filter((one) => !one.closest('[role=rowgroup]')?.closest('[role=grid]')),
      ),
      ...wrong(
        'a cell outside of a row',
        all('[role=gridcell]').filter((one) => !one.closest('[role=row]')),
      ),
      ...wrong(
        'a row without a header',
        all('[role=row]').filter((one) => one.querySelectorAll('[role=rowheader]').length !== 1),
      ),
      ...wrong(
        'a row without cells',
        all('[role=row]').filter((one) => !one.querySelector('[role=gridcell]')),
      ),
      ...wrong(
        'hidden from readers and yet in the order of Tab',
        all('[aria-hidden] [tabindex], [aria-hidden] button'),
      ),
      ...wrong(
        'a table without headers',
        all('table').filter((one) => !one.querySelector('th[scope=col]')),
      ),
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id twice: ${id}`),
    ];
  });
}

/** A reader who hears the page, or who does not tell colours apart. */
export const ACCESS: Checks = {
  'everything has a role and a name, on every tab': async ({ browser, maps }) => {
    for (const path of [maps.small, maps.compared, maps.unplaced, maps.regional]) {
      const { page, close } = await openMap(browser, path);
      equal(await page.locator('html').getAttribute('lang'), 'en');
      await page.locator('#map .node').first().hover();
      await page.locator('#table summary').click();
      for (const tab of await page.locator('[role=tab]').all()) {
        await tab.click();
        deepEqual(await faults(page), []);
      }
      await page.click('#view-services');
      deepEqual(await faults(page), []);
      await close();
    }
  },

  'a screen reader hears what a node holds, and how many clusters a filter leaves': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    const labels = await page.locator('[role=gridcell]').evaluateAll((cells) => cells.map((cell) => cell.ariaLabel));
    ok(labels.includes('1 node: ml/llama-70b 4 gpu'), String(labels));
    ok(labels.includes('3 nodes, autoscaled, and not running'), String(labels));
    equal(await page.locator('#result').getAttribute('aria-live'), 'polite');
    equal(await page.locator('#map').getAttribute('aria-rowcount'), '5');
    await page.fill('#search', 'onprem');
    equal(await page.locator('[role=row]').getAttribute('aria-rowindex'), '1');
    await close();
  },

  'the map is there as a table too, of the clusters that are shown': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.locator('#table summary').click();
    await counts(page, '#table tbody tr', 5);
    await page.fill('#search', 'onprem');
    await counts(page, '#table tbody tr', 1);
    ok((await page.locator('#table tbody').textContent())?.includes('ml/llama-70b, search/embeddings'));
    await page.fill('#search', 'gke-us-central');
    await page.waitForFunction(() => document.querySelectorAll('#table tbody tr').length === 2);
    const row = page.locator('#table tbody tr', { hasText: 'gke-l4' });
    match((await row.textContent()) ?? '', /1 to 4.*\$2\.00 (\d)$/);
    const number = await row.locator('sup').textContent();
    const sources = await page.locator('#table ol li').count();
    equal(sources, 2, 'the sources of all prices are footnotes, also of rows that are not shown');
    ok(Number(number) >= 1 && Number(number) <= sources, 'the number of a price is that of its source');
    await close();
  },

  'texts and signs stand out, by day and by night': async ({ browser, maps, figure }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const name of ['small', 'compared', 'unplaced', 'regional', 'large'] as const) {
        const { page, close } = await openMap(browser, maps[name], { colorScheme });
        await page.locator('#map .node').first().click();
        await page.mouse.move(0, 0);
        await page.keyboard.press('Escape');
        deepEqual(await faintTexts(page), [], `${name}, ${colorScheme}`);
        deepEqual(await faintBorders(page), [], `${name}, ${colorScheme}`);
        await picture(page, `${name}-${colorScheme}`);
        await page.click('#show-legend');
        deepEqual(await faintTexts(page), [], `legend of ${name}, ${colorScheme}`);
        await page.click('#close-legend');
        await page.click('#view-services');
        await page.click('#tab-cost');
        deepEqual(await faintTexts(page), [], `services and cost of ${name}, ${colorScheme}`);
        await close();
      }
    }
    figure('texts at least 4.5 to 1, borders of nodes and pods at least 3 to 1');
  },

  'states of nodes and devices are distinguishable without colour': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.unplaced);
    const states = await page.locator('#map .state').allTextContents();
    deepEqual([...new Set(states)].sort(), ['empty', 'free']);
    ok((await page.locator('#map .seg.place b').allTextContents()).every((sign) => sign === '+'));
    await close();
  },

  'nothing moves for who asks for that': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small, { reducedMotion: 'reduce' });
    const durations = await page
      .locator('#map .seg')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).transitionDuration));
    deepEqual([...new Set(durations)], ['0s']);
    await close();
  },
};
