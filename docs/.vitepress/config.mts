import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import packageFile from '../../package.json' with { type: 'json' };
import { slugOf } from '../../scripts/docs-page';
import sections from './navigation.json' with { type: 'json' };
import { normalizeBlocks, linkRepository } from './markdown.mjs';

const REPOSITORY = packageFile.repository.url.replace(/^git\+|\.git$/g, '');

/** The path of the site at its address, as `/docs/`. */
const BASE = process.env['DOCS_BASE'] ?? '/';

/** Sections of the navigation that are long. The one with the page that is open is unfolded. */
const FOLDED = new Set(['Guides', 'Kinds', 'Libraries', 'Contributing']);

interface Item {
  readonly text: string;
  readonly link: string;
}

function isPage({ link }: Item): boolean {
  return existsSync(fileURLToPath(new URL(`../${link}`, import.meta.url)));
}

function linked({ text, link }: Item): Item {
  return { text, link: `/${link.replace(/(index)?\.md$/, '')}` };
}

function withRules(markdown: Parameters<typeof linkRepository>[0]): void {
  linkRepository(markdown, REPOSITORY);
  normalizeBlocks(markdown);
}

export default defineConfig({
  title: 'Fleetwright',
  description: packageFile.description,
  lang: 'en',
  base: BASE,
  cleanUrls: true,
  outDir: '../out/site',
  cacheDir: '../out/cache/vitepress',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  markdown: { anchor: { slugify: slugOf }, config: withRules },
  // The index of the search is large.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    logo: '/logo.svg',
    nav: [],
    sidebar: sections.map(({ text, items }) => ({
      text,
      items: items.filter(isPage).map(linked),
      collapsed: FOLDED.has(text),
    })),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // Who searches wants a page that explains before a reference that mentions.
            boostDocument: (id) => (/\/((api|reference)\/|(json|diagnostics)\b)/.test(id) ? 0.2 : 1),
            // The beginnings of words that `a` matches would count more than the words of a title.
            prefix: (term) => term.length > 2,
          },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
});
