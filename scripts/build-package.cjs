/**
 * Bundles what the package runs into dist/fleetwright.js, with a file for each entry point of package.json that loads
 * its part, lets declarations import types that every compiler reads, and removes those that no entry point reaches. The
 * last step of `npm run build`.
 */
const { createHash } = require('node:crypto');
const { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, posix, relative } = require('node:path');
const bundle = require('./bundle.cjs');

const ROOT = join(__dirname, '..');
const DIST = join(ROOT, 'dist');
const BUNDLE = join(DIST, 'fleetwright.js');
const COMMAND = 'src/cli/main';

/** The program that Pulumi.yaml names. */
const PROGRAM = 'stacks/main';

/** The text of what a process starts with, from the digest of the bundle. */
const STARTS = {
  [COMMAND]: (digest) =>
    `#!/usr/bin/env node\nrequire('./start.cjs')('${digest}', '${COMMAND}', process.argv.slice(2));\n`,
  [PROGRAM]: (digest) =>
    `module.exports = require('../src/cli/start.cjs')('${digest}', '${PROGRAM}', ['stacks-main']);\n`,
};

/** A sixth less to install and to read than indented. Names stay, and lines are short enough for a stack to mean something. */
const FORMAT = { minifyWhitespace: true, lineLimit: 160 };

/** The part of zod's types that declarations use. */
const ZOD_TYPES = 'src/zod-types';

/** What starts the bundle, or runs in a process of its own. */
const ALONE = ['src/cli/run-bundle.cjs', 'src/cli/start.cjs', 'src/cli/supervise.cjs'];

main();

async function main() {
  const entries = [...listExports(), COMMAND, PROGRAM];
  const sources = Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`]));
  await bundle(sources, BUNDLE, folderOf, FORMAT);
  for (const file of ALONE) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(DIST, file));
  }
  for (const entry of entries) writeFileSync(join(DIST, `${entry}.js`), loaderOf(entry));
  replaceForeignTypes();
  removeUnreached(entries);
}

/** The expression of a folder of sources, from that of the bundle. */
function folderOf(folder) {
  return `require('node:path').join(__dirname, '${relative(ROOT, folder)}')`;
}

/** Compilers refuse the types of zod without `esModuleInterop`, and those of cel-js, an ES module, from CommonJS. */
function replaceForeignTypes() {
  copyFileSync(join(__dirname, 'zod-types.d.ts'), join(DIST, `${ZOD_TYPES}.d.ts`));
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = readFileSync(join(DIST, name), 'utf8');
    const path = posix.relative(dirname(name), ZOD_TYPES);
    const plain = text
      .replaceAll("from 'zod'", `from '${path.startsWith('.') ? path : `./${path}`}'`)
      .replace(
        /import (?:type )?(\{.*\}) from 'cel-js';/,
        "import type $1 from 'cel-js' with { 'resolution-mode': 'import' };",
      );
    if (plain !== text) writeFileSync(join(DIST, name), plain);
  }
}

/** The entry points that programs import, such as `stacks/gke`. */
function listExports() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((target) => /^\.\/dist\/(.*)\.js$/.exec(target.default)?.[1] ?? []);
}

function loaderOf(entry) {
  const start = STARTS[entry];
  if (start) return start(createHash('sha256').update(readFileSync(BUNDLE)).digest('hex').slice(0, 16));
  const load = require(BUNDLE)[entry];
  const path = posix.relative(dirname(entry), 'fleetwright.js');
  // ES modules can import what they find in the text alone.
  const names = Object.keys(load()).join(', ');
  return `module.exports = require('${path}')['${entry}']();\n0 && (module.exports = { ${names} });\n`;
}

/** Removes declarations that no entry point reaches, and modules of earlier builds. */
function removeUnreached(entries) {
  const reached = new Set(entries.map((entry) => join(DIST, `${entry}.d.ts`)));
  for (const path of reached) for (const imported of listImports(path)) reached.add(imported);
  for (const entry of entries) reached.add(join(DIST, `${entry}.js`));
  for (const file of ALONE) reached.add(join(DIST, file));
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const path = join(DIST, name);
    const isModule = /\.(d\.ts|js|cjs)$/.test(name) && /^(src|constructs|stacks)\b/.test(name);
    if (isModule && !reached.has(path)) rmSync(path);
  }
}

/** The declarations that a file of declarations imports, but for those of packages. */
function listImports(path) {
  const named = readFileSync(path, 'utf8').matchAll(/\b(?:from|import) ?\(?['"](\.[^'"]+)['"]/g);
  return [...named].map(([, name]) => {
    const target = join(dirname(path), name);
    return existsSync(`${target}.d.ts`) ? `${target}.d.ts` : join(target, 'index.d.ts');
  });
}
