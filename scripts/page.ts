import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformSync } from '@swc/core';
import { writeFileAtomic } from '../src/files/write-file';

const FOLDER = join(__dirname, '../src/report/map');
const ENTRY = 'page/main';
const HEAD = '// Written by `npm run page` from src/report/map/page. Changes made here are lost.';

/** The script and the style of the page, which the package carries as text. */
export function pageTexts(): { readonly script: string; readonly style: string } {
  return { script: script(), style: readFileSync(join(FOLDER, 'page/page.css'), 'utf8').trimEnd() };
}

function moduleText(): string {
  const { script, style } = pageTexts();
  const parts = [
    '/** What the page of a map runs. */',
    `export const PAGE_SCRIPT = ${literal(script)};`,
    '/** How the page of a map looks. */',
    `export const PAGE_STYLE = ${literal(style)};`,
  ];
  return `${HEAD}\n\n${parts.join('\n')}\n`;
}

/** A line of the text a line of the source, so that changes can be reviewed. */
function literal(text: string): string {
  return `[\n${text
    .split('\n')
    .map((line) => `${JSON.stringify(line)},`)
    .join('\n')}\n].join('\\n')`;
}

/** The modules of the page as one script: each is a function that is called when it is first required. */
function script(): string {
  const modules = [...modulesFrom(ENTRY)].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = modules.map(([name, code]) => `'${name}'(exports, require) {\n${code}\n},`);
  return `'use strict';
(() => {
const modules = {
${parts.join('\n')}
};
const loaded = {};
const load = (name) => {
if (!loaded[name]) modules[name]((loaded[name] = {}), load);
return loaded[name];
};
load('${ENTRY}');
})();`;
}

/** A module and all that it requires, by their paths. */
function modulesFrom(name: string, known = new Map<string, string>()): Map<string, string> {
  if (known.has(name)) return known;
  known.set(name, '');
  const code = compiled(name).replaceAll(/require\("([^"]+)"\)/g, (_, path: string) => {
    const other = relative(FOLDER, join(FOLDER, dirname(name), path));
    modulesFrom(other, known);
    return `require('${other}')`;
  });
  return known.set(name, code);
}

function compiled(name: string): string {
  const filename = join(FOLDER, `${name}.ts`);
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript' },
      target: 'es2022',
      minify: { compress: false, mangle: false, format: { comments: false } },
    },
    minify: true,
    module: { type: 'commonjs', strictMode: false },
  });
  return code.trimEnd();
}

if (require.main === module) writeFileAtomic(join(FOLDER, 'page-text.ts'), moduleText());
