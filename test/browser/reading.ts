import { equal, match, ok } from 'node:assert/strict';
import type { Checks } from './check';
import { counts, openMap, picture, textOf } from './opened';

const RESULT = '#result';
const DETAILS = '#panel-details';

/** A reader with a mouse. */
export const READING: Checks = {
  'the whole fleet is there at first, and nothing is asked for': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.small);
    equal(await textOf(page, RESULT), '3 of 3 clusters, 9 replicas');
    equal(await page.locator('.card h3').allTextContents().then(String), 'eks-us-east,gke-us-central,onprem');
    await counts(page, '#map .seg', 11);
    await picture(page, 'small');
    assertQuiet();
    await close();
  },

  'pointing at a pod tells whose it is, why it is there and what it costs': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.small);
    await page.locator('#map .seg', { hasText: 'llama-70b' }).first().hover();
    match(await textOf(page, DETAILS), /ml\/llama-70b.*eks-us-east\/0.*USD an hour.*the lock has it/s);
    await counts(page, '.same', 2, 'all of the deployment is set off');
    assertQuiet();
    await close();
  },

  'what is clicked stays until Escape': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    const [one, other] = ['llama-70b', 'qwen3-coder'].map((name) =>
      page.locator('#map .seg', { hasText: name }).first(),
    );
    await one?.click();
    await other?.hover();
    match(await textOf(page, DETAILS), /llama-70b/);
    await page.keyboard.press('Escape');
    await page.locator('#map .seg', { hasText: 'embeddings' }).or(page.locator('.seg.one')).first().hover();
    await other?.hover();
    match(await textOf(page, DETAILS), /qwen3-coder/);
    await close();
  },

  'a search, a namespace and a deployment each leave less, and a reset all': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.small);
    await page.fill('#search', 'BERLIN');
    equal(await textOf(page, RESULT), '1 of 3 clusters, 2 replicas');
    await counts(page, '.card', 1);
    await page.fill('#search', '');
    await page.selectOption('#namespace', 'search');
    match(await textOf(page, RESULT), /^\d of 3 clusters, 3 replicas$/);
    await counts(page, '#deployments input', 1, 'its deployments alone are listed');
    ok((await page.locator('#map .seg.dim').count()) > 0, 'others step back');
    await page.selectOption('#namespace', '');
    await page.locator('.deployment', { hasText: 'llama-70b' }).locator('input').check();
    equal(await textOf(page, RESULT), '2 of 3 clusters, 2 replicas');
    await page.click('button[type=reset]');
    await page.waitForFunction(() => document.getElementById('result')?.textContent?.includes('9 replicas'));
    await counts(page, '#map .seg.dim', 0);
    assertQuiet();
    await close();
  },

  'nothing left says so': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.fill('#search', 'no such cluster');
    equal(await page.locator('#none').isVisible(), true);
    await close();
  },

  'what costs what, and what nobody knows': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    await page.click('#tab-cost');
    match(await textOf(page, '#panel-cost'), /Cost: at least [\d.]+ to [\d.]+ USD an hour/);
    const rows = await page.locator('#panel-cost details[open] tbody tr').allTextContents();
    equal(rows.length, 3);
    ok(rows.at(-1)?.includes('unknown'), 'the unknown come last');
    await close();
  },

  'a replica without a place has its reasons, and what would help': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.unplaced);
    await page.click('#tab-unplaced');
    await page.click('#panel-unplaced summary');
    await page.waitForSelector('#panel-unplaced details details');
    const text = await textOf(page, '#panel-unplaced');
    match(text, /ml\/llama-70b: 1 replica without a place/);
    match(text, /Nearest: 1 more node in eks-us-east \/ p5en/);
    match(text, /taint: maintenance=true:NoSchedule is not tolerated \(1\)/);
    await page.click('#panel-unplaced details details summary');
    await page.waitForSelector('#panel-unplaced details details li');
    match(await textOf(page, '#panel-unplaced details details li'), /eks-us-east \/ p5en/);
    await picture(page, 'unplaced');
    assertQuiet();
    await close();
  },
};
