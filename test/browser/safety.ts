import { deepEqual, equal } from 'node:assert/strict';
import type { Checks } from './check';
import { HOSTILE } from './maps';
import { counts, openMap } from './opened';

/** What the page can do, and cannot be made to do. */
export const SAFETY: Checks = {
  'texts that look like markup stay texts': async ({ browser, maps }) => {
    const { page, assertQuiet, close } = await openMap(browser, maps.hostile);
    for (const tab of await page.locator('[role=tab]').all()) await tab.click();
    await page.locator('#map .node').first().hover();
    await page.locator('#table summary').click();
    equal(await page.title(), `Fleet ${HOSTILE[0]}`);
    await counts(page, 'main img, main svg, aside img, aside svg', 0);
    deepEqual(await page.locator('.remarks .what').allTextContents(), HOSTILE);
    assertQuiet();
    await close();
  },

  'its policy refuses other scripts, requests and markup': async ({ browser, maps }) => {
    const { page, close } = await openMap(browser, maps.small);
    const refused = await page.evaluate(async () => {
      const threw = async (action: () => unknown): Promise<boolean> => {
        try {
          await action();
          return false;
        } catch {
          return true;
        }
      };
      const inline = document.createElement('script');
      inline.append('document.title = "harmed"');
      return {
        fetch: await threw(() => fetch('https://example.com')),
        markup: await threw(() => {
          document.body.innerHTML = '<p>';
        }),
        script: await threw(() => document.body.append(inline)).then(() => document.title !== 'harmed'),
      };
    });
    deepEqual(refused, { fetch: true, markup: true, script: true });
    await close();
  },
};
