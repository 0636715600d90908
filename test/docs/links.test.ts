import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listMarkdown, proseOf, slugOf } from '../../scripts/docs-page';
import sections from '../../docs/.vitepress/navigation.json';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...listMarkdown('docs'),
  ...listMarkdown('examples').filter((path) => path.endsWith('README.md')),
];

/** Links and pictures of Markdown, without those in code. */
const LINK = /\]\((?<target>[^()\s]+)\)/g;

/** Names with capitals stand for others. */
const TEST_FILE = /\btest\/[a-z0-9/.-]+\.test\.ts\b/g;

test.each(PAGES)('every link of %s leads to a file, and to a heading of it', (page) => {
  expect(targetsOf(page).filter((target) => !leadsSomewhere(page, target))).toEqual([]);
});

test.each(PAGES)('the tests that %s names exist', (page) => {
  const named = readFileSync(page, 'utf8').match(TEST_FILE) ?? [];
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('every page of docs is in the navigation once', () => {
  const linked = sections.flatMap(({ items }) => items.map(({ link }) => `docs/${link}`));
  expect(linked.filter((path) => existsSync(path)).toSorted()).toEqual(listMarkdown('docs'));
});

test('docs/index.md links to every page of docs', () => {
  expect(
    listMarkdown('docs').filter((page) => page !== 'docs/index.md' && !linksOf('docs/index.md').includes(page)),
  ).toEqual([]);
});

test('no page has two headings with one anchor, but in references', () => {
  const twice = PAGES.filter((page) => !page.startsWith('docs/api/')).flatMap((page) => {
    const anchors = anchorsOf(page);
    return anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i).map((anchor) => `${page}#${anchor}`);
  });
  expect(twice).toEqual([]);
});

test.each(listMarkdown('docs'))('%s has no diagram, which the site shows as its source', (page) => {
  expect(readFileSync(page, 'utf8')).not.toMatch(/^```mermaid/m);
});

/** What the links of a page lead to, without those to the web. */
function targetsOf(page: string): string[] {
  const prose = proseOf(readFileSync(page, 'utf8')).replaceAll(/`[^`]*`/g, '');
  const targets = [...prose.matchAll(LINK)].map(({ groups }) => groups?.['target'] ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The files that a page links to. */
function linksOf(page: string): string[] {
  return targetsOf(page).map((target) => join(dirname(page), target.replace(/#.*$/, '')));
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

/** The anchors of the headings of a page, as GitHub and the site make them. */
function anchorsOf(page: string): string[] {
  const headings = proseOf(readFileSync(page, 'utf8')).matchAll(/^#{1,6} (?<text>.+)$/gm);
  return [...headings].map(({ groups }) => slugOf((groups?.['text'] ?? '').replaceAll(/\]\([^)]*\)/g, ']')));
}
