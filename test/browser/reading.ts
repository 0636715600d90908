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
    equal(await page.locator('.card h3').allTextContents().then(String), 'onprem,gke-us-central,eks-us-east');
    await counts(page, '#map .seg', 11);
    await picture(page, 'small');
    assertQuiet();
    await close();
  },

  'pointing at a pod tells whose it is, why it is there and what it costs': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.small);
    await page.locator('#map .seg', { hasText: 'llama-70b' }).last().hover();
    match(await textOf(page, DETAILS), /ml\/llama-70b.*eks-us-east\/0.*a month.*the lock file has it/s);
    await counts(page, '.same', 2, 'all of the deployment is set off');
    assertQuiet();
    await close();
  },

  'free devices have the color of their part of the bar, and say whether a pod has a place': async ({
    browser,
    maps,
  }) => {
    const { page, close } = await openMap(browser, maps.unplaced);
    match(await textOf(page, '.gpu-key'), /32 free as whole nodes.*21 free on other nodes/);
    for (const part of ['whole', 'shared']) {
      const colors = await page.evaluate((name) => {
        const imageOf = (selector: string): string => {
          const element = document.querySelector(selector);
          const { backgroundImage = '', backgroundColor = '' } = element ? getComputedStyle(element) : {};
          return `${backgroundImage} ${backgroundColor}`;
        };
        return [`.gpu.${name}`, `#map .free.${name}`].map((one) => imageOf(one).match(/oklch\([^)]*\)/)?.[0]);
      }, part);
      equal(colors[0], colors[1], part);
      ok(colors[0]);
    }
    await page.locator('#map .node', { hasText: 'free' }).first().click();
    match(await textOf(page, DETAILS), /free8 gpu as a whole node: .*2 nodes, 2 always free of pods/s);
    await page.locator('#map .node', { hasText: 'empty' }).first().click();
    match(await textOf(page, DETAILS), /free8 gpu not guaranteed as a whole node: .*'fleetwright explain DEPLOYMENT'/s);
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

  'a cluster of a list is shown although a filter hides it': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional);
    await page.fill('#search', 'no such cluster');
    await counts(page, '.card', 0);
    const name = await textOf(page, '.ranking button');
    await page.locator('.ranking button').first().click();
    await page.waitForSelector(`.card[aria-label^="cluster ${name},"]`, { state: 'visible' });
    equal(await page.inputValue('#search'), '');
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
    match(await textOf(page, '#panel-cost'), /Total≥\s\$[\d,]+ to \$[\d,]+/);
    match(await textOf(page, '#panel-cost'), /Without a price \(2\)/);
    const rows = await page.locator('#panel-cost details[open] tbody tr').allTextContents();
    equal(rows.length, 3);
    ok(rows.at(-1)?.includes('unknown'), 'the unknown come last');
    await close();
  },

  'a replica without a place has its reasons, and what would help': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.unplaced);
    await page.click('#tab-changes');
    match(await textOf(page, '#panel-changes'), /ml\/llama-70b: 1 placed: .*, 1 without a place/);
    await page.click('#tab-unplaced');
    await page.waitForSelector('#panel-unplaced details details');
    const text = await textOf(page, '#panel-unplaced');
    match(text, /ml\/llama-70b: 1 replica without a place/);
    match(text, /Cheapest: set packing: BinPack on eks-us-east \/ p5en .*Or: 1 more node in eks-us-east \/ p5en/);
    match(text, /taint: the taint maintenance=true:NoSchedule is not tolerated \(1 cluster\)/);
    await page.click('#panel-unplaced details details summary');
    await page.waitForSelector('#panel-unplaced details details li');
    match(await textOf(page, '#panel-unplaced details details li'), /eks-us-east \/ p5en/);
    await picture(page, 'unplaced');
    assertQuiet();
    await close();
  },

  'the pane is an overview of the fleet until a node is pointed at, and again after Escape': async ({
    browser,
    maps,
  }) => {
    const { page, close } = await openMap(browser, maps.unplaced);
    match(await textOf(page, DETAILS), /1 replica without a place.*Fullest clusters.*Most expensive clusters/s);
    await page.locator('#map .node').first().click();
    equal(await textOf(page, '#tab-details'), 'Details');
    await page.keyboard.press('Escape');
    equal(await textOf(page, '#tab-details'), 'Overview');
    await page.locator(DETAILS).getByRole('button', { name: 'without a place' }).click();
    equal(await page.locator('#panel-unplaced').isVisible(), true);
    await close();
  },

  'the overview counts the warnings that their tab has, and notes apart': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.compared);
    const overview = await textOf(page, DETAILS);
    const tab = /\((\d+)\)/.exec(await textOf(page, '#tab-remarks'))?.[1];
    equal(/(\d+) warnings?/.exec(overview)?.[1], tab);
    match(overview, /[1-9]\d* notes?/);
    await close();
  },

  'warnings are cards that say what, where and what to do, and many of a kind are one': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.warned);
    await page.click('#tab-remarks');
    const card = page.locator('.remarks > .message', { hasText: 'clusters are applied independently' });
    match((await card.locator('> .kind').textContent()) ?? '', /^Warning 7 of this kind$/);
    match((await card.locator('> .what').textContent()) ?? '', /^0 replicas of ml\/[\w-]+ serve if .*\.$/);
    match((await card.locator('> .place').textContent()) ?? '', /fleet\.yaml:\d+:\d+$/);
    await counts(page, '.others li:visible', 0, 'the others are folded');
    await card.locator('summary').click();
    await counts(page, '.others li:visible', 6);
    match((await card.locator('summary').textContent()) ?? '', /^6 more of this kind: ml\//);
    await picture(page, 'warnings');
    assertQuiet();
    await close();
  },

  'a device that keeps its replica has room for a label': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional);
    await page.selectOption('#size', 'large');
    await page.fill('#search', 'l40s');
    ok((await page.locator('#map .seg.one').allTextContents()).includes('q8'));
    await close();
  },

  'clusters are grouped by region, with the totals of each': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional);
    const regions = await page.locator('#map .region').allTextContents();
    equal(regions.length, 6);
    match(
      regions[0] ?? '',
      /^ap-northeast-15 clusters . \d+ of 180 GPUs in use(?: . \d+ of them for rollouts)? . \$[\d,]+ to \$[\d,]+ a month$/,
    );
    await page.selectOption('#order', 'name');
    await counts(page, '#map .region', 0);
    await close();
  },

  'names on nodes are distinguished, and prefill and decode are marked': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.regional);
    const labels = await page.locator('#deployments .swatch').allTextContents();
    equal(new Set(labels).size, 7);
    const phases = await page.locator('#map .seg .phase').allTextContents();
    equal([...new Set(phases)].sort().join(), 'D,P');
    const shown = await page.locator('#map .seg[title^="ml/llama-70b"]').allTextContents();
    ok(new Set(shown).size > 1, String(shown));
    await close();
  },

  'buttons show the legend and the warnings, and reset all': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.compared);
    equal(await page.locator('#legend').isVisible(), false);
    await page.click('#show-legend');
    match(await textOf(page, '#legend'), /prefill.*reserved for rollouts.*draining/s);
    await page.click('#close-legend');
    equal(await page.locator('#legend').isVisible(), false);
    await page.click('#show-legend');
    await page.keyboard.press('Escape');
    equal(await page.locator('#legend').isVisible(), false);
    await page.getByRole('button', { name: /^(Warnings|Notes) \([1-9]\d*\)$/ }).click();
    equal(await page.locator('#panel-remarks').isVisible(), true);
    await page.click('#view-services');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.waitForSelector('#map', { state: 'visible' });
    equal(await page.locator('#panel-details').isVisible(), true);
    assertQuiet();
    await close();
  },
};
