import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import packageFile from '../../package.json' with { type: 'json' };
import sections from './navigation.json' with { type: 'json' };
import { slugOf } from './slug.mjs';
import { linkRepository } from './repository-links.mjs';

const REPOSITORY = packageFile.repository.url.replace(/^git\+|\.git$/g, '');

/** The path of the site at its address, as `/docs/`. */
const BASE = process.env['DOCS_BASE'] ?? '/';

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

export default defineConfig({
  title: 'Fleetwright',
  description: packageFile.description,
  lang: 'en',
  base: BASE,
  cleanUrls: true,
  outDir: '../out/site',
  cacheDir: '../node_modules/.cache/vitepress',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  markdown: { anchor: { slugify: slugOf }, config: (markdown) => linkRepository(markdown, REPOSITORY) },
  themeConfig: {
    logo: '/logo.svg',
    nav: [],
    sidebar: sections.map(({ text, items }) => ({ text, items: items.filter(isPage).map(linked), collapsed: false })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
});
