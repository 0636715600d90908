import { deepEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Checks } from './check';
import { picture } from './opened';

const ROOT = join(__dirname, '../..');
const SITE = join(ROOT, 'out/site');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** How the site of the docs behaves. `npm run docs:site` builds it; if it is not there, it is built. */
export const SITE_CHECKS: Checks = {
  'docs: every page opens without errors, asks no other host, and its links lead to pages and headings': ({
    browser,
  }) =>
    visit(browser, {}, async (page, address) => {
      const pages = pagesOfSite();
      const anchors = new Map<string, ReadonlySet<string>>();
      const links: [string, string][] = [];
      for (const path of pages) {
        await page.goto(`${address}${path}`);
        await page.waitForSelector('h1');
        const seen = await page.evaluate(readPage);
        anchors.set(path, new Set(seen.ids));
        deepEqual(seen.broken, [], `pictures of ${path}`);
        for (const link of seen.links.filter((one) => one.startsWith(address)))
          links.push([path, link.slice(address.length)]);
      }
      const dead = links.filter(([, link]) => !leadsSomewhere(anchors, link));
      deepEqual(dead, []);
    }),

  'docs: search lists the page that a question names first, and opens it': ({ browser }) =>
    visit(browser, {}, async (page, address) => {
      await page.goto(address);
      const input = page.locator('input#localsearch-input');
      // A page answers to keys once its script runs.
      for (let tries = 0; tries < 20 && !(await input.isVisible()); tries++) {
        await page.keyboard.press('Control+k');
        await page.waitForTimeout(500);
      }
      await page.fill('input#localsearch-input', 'drain a cluster');
      const first = page.locator('.VPLocalSearchBox .result').first();
      await first.filter({ hasText: /^\W*Drain a cluster\W*$/ }).click();
      await page.waitForURL('**/how-to/drain-a-cluster*');
    }),

  'docs: on a phone no page is wider than the screen, and the menu leads on': ({ browser }) =>
    visit(browser, { viewport: { width: 390, height: 844 } }, async (page, address) => {
      for (const path of pagesOfSite()) {
        await page.goto(`${address}${path}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        ok(width <= 390, `${path} is ${width} pixels wide`);
      }
      await page.goto(`${address}/start/no-cloud`);
      await page.click('.VPLocalNav .menu');
      await page.click('.VPSidebar a:has-text("Placement")');
      await page.waitForURL('**/placement');
      // The address changes before the page does.
      await page.locator('h1').filter({ hasText: 'Placement' }).waitFor();
    }),

  'docs: pages are drawn light and dark, wide and narrow': async ({ browser }) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const)
        await visit(browser, { viewport: { width, height }, colorScheme }, async (page, address) => {
          for (const path of [
            '/',
            '/start/no-cloud',
            '/how-to/make-room',
            '/reference/model-deployment',
            '/troubleshooting',
          ]) {
            await page.goto(`${address}${path}`);
            await picture(page, `docs-${path.split('/').at(-1) || 'home'}-${width}-${colorScheme}`);
          }
        });
  },
};

/** What a page has, read in the browser. */
function readPage(): { ids: string[]; links: string[]; broken: string[] } {
  const all = <T extends Element>(selector: string): T[] => [...document.querySelectorAll<T>(selector)];
  return {
    ids: all('[id]').map(({ id }) => id),
    links: all<HTMLAnchorElement>('a[href]').map(({ href }) => href),
    broken: all<HTMLImageElement>('img')
      .filter(({ complete, naturalWidth, src }) => complete && naturalWidth === 0 && !src.startsWith('data:'))
      .map(({ src }) => src),
  };
}

function leadsSomewhere(anchors: ReadonlyMap<string, ReadonlySet<string>>, link: string): boolean {
  const [path = '', anchor = ''] = link.split('#');
  const ids = anchors.get(path.replace(/\.html$/, ''));
  if (ids === undefined) return existsSync(join(SITE, path)) && extname(path) !== '';
  return anchor === '' || ids.has(decodeURIComponent(anchor));
}

/** The addresses of all pages. */
function pagesOfSite(): string[] {
  build();
  return readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && path !== '404.html')
    .map((path) => `/${path.replace(/(index)?\.html$/, '')}`)
    .sort();
}

function build(): void {
  if (existsSync(SITE)) return;
  execFileSync('npm', ['run', '--silent', 'docs:site'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Opens the site in a browser, and fails if a page complains, or asks for what is not there or elsewhere. */
async function visit(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page, address: string) => Promise<void>,
): Promise<void> {
  build();
  const server = await serve();
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()} answers ${response.status()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      complaints.push(`asks ${request.url()}`);
  });
  try {
    await use(page, address);
    deepEqual(complaints, []);
  } finally {
    await context.close();
    server.close();
  }
}

/** Serves the site as GitHub Pages does: `/placement` is `placement.html`. */
function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
    const file = [path, `${path}.html`, join(path, 'index.html')].find(
      (one) => extname(one) !== '' && existsSync(join(SITE, one)),
    );
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': TYPES[extname(file ?? '')] ?? 'text/plain' });
    response.end(file === undefined ? '' : readFileSync(join(SITE, file)));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
