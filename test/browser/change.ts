import { ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createMarkdownRenderer } from 'vitepress';
import type { Checks } from './check';
import { documentedPicture } from './opened';
import { COMMENT } from './pictures';

/** The comment in the look of GitHub, next to the map of the same change. */
const STYLE = `
  body { margin: 0; display: flex; overflow: hidden; gap: 24px; padding: 24px; background: #f6f8fa; font: 14px/1.5 sans-serif; color: #1f2328 }
  article, iframe { background: #fff; border: 1px solid #d1d9e0; border-radius: 8px; box-sizing: border-box }
  article { width: 760px; height: 692px; flex: none; padding: 4px 20px; overflow: hidden }
  iframe { width: 1280px; height: 1083px; flex: none; transform: scale(0.639); transform-origin: 0 0 }
  h3 { font-size: 18px; margin: 14px 0 10px }
  p { margin: 10px 0 }
  table { border-collapse: collapse; margin: 12px 0; font-size: 12px }
  th, td { border: 1px solid #d1d9e0; padding: 5px 7px; vertical-align: top }
  code { background: #eff1f3; border-radius: 4px; padding: 1px 4px; font-size: 12px; white-space: nowrap }
  summary { margin: 7px 0 }
  .header-anchor { display: none }`;

/** What a reviewer sees of a change, for the README and the home page of the docs. */
export const CHANGE: Checks = {
  'the picture of the README has the comment and the map of one change': async ({ browser, maps }) => {
    const map = maps.compared;
    const renderer = await createMarkdownRenderer(dirname(COMMENT));
    const comment = renderer.render(readFileSync(COMMENT, 'utf8'));
    const path = join(dirname(map), 'change.html');
    const body = `<article>${comment}</article><iframe src="file://${map}"></iframe>`;
    writeFileSync(path, `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><body>${body}`);
    const page = await browser.newPage({ viewport: { width: 1640, height: 740 } });
    await page.goto(`file://${path}`);
    const frame = page.frame({ url: `file://${map}` });
    await frame?.waitForSelector('html[data-ready]');
    ok((await page.locator('article table').count()) >= 2, 'the comment has its tables');
    await page.locator('article').evaluate(leaveOutCut);
    await documentedPicture(page, 'change', map);
    await page.close();
  },
};

/** Leaves out the blocks of a comment that the end of the picture would cut. */
function leaveOutCut(article: HTMLElement): void {
  const { bottom } = article.getBoundingClientRect();
  const blocks = [...article.children].filter((block) => block.getBoundingClientRect().bottom > bottom);
  for (const block of blocks) block.remove();
}
