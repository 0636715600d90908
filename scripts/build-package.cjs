/**
 * Bundles what the package runs into dist/fleetwright.js, with a file for each entry point of package.json that loads
 * its part, and copies the declarations that entry points reach, so that every compiler reads the types that they import.
 * The last step of `npm run build`. The compiler keeps its declarations between builds, and writes those that change.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, posix, relative } = require('node:path');
const bundle = require('./bundle.cjs');
const shakeDeclarations = require('./shake-declarations.cjs');

const ROOT = join(__dirname, '..');
const DIST = join(ROOT, 'dist');
const DECLARATIONS = join(ROOT, 'out/cache/declarations');
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

/** A fifth less to install and to read than indented. Names stay, and lines end, so that a stack still means something. */
const FORMAT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 1000 };

/** The part of zod's types that declarations use. */
const ZOD_TYPES = 'src/zod-types';

/** What starts the bundle, or runs in a process of its own. */
const ALONE = ['src/cli/run-bundle.cjs', 'src/cli/start.cjs', 'src/cli/supervise.cjs'];

main();

async function main() {
  const entries = [...listExports(), COMMAND, PROGRAM];
  const sources = Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`]));
  await bundle(sources, BUNDLE, folderOf, FORMAT);
  const files = new Map([
    ...ALONE.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
    ...entries.map((entry) => [`${entry}.js`, loaderOf(entry)]),
    ...reachedDeclarations(entries),
    [`${ZOD_TYPES}.d.ts`, readFileSync(join(__dirname, 'zod-types.d.ts'), 'utf8')],
  ]);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(DIST, name)), { recursive: true });
    writeFileSync(join(DIST, name), text);
  }
  removeOthers(new Set([...files.keys()].map((name) => join(DIST, name))));
}

/** The expression of a folder of sources, from that of the bundle. */
function folderOf(folder) {
  return `require('node:path').join(__dirname, '${relative(ROOT, folder)}')`;
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

/** The declarations that entry points reach, by name such as `src/index`. */
function reachedDeclarations(entries) {
  const names = entries.map((entry) => `${entry}.d.ts`);
  return [...shakeDeclarations(names, readDeclaration)].map(([name, text]) => [name, declarationOf(name, text)]);
}

function readDeclaration(name) {
  const path = join(DECLARATIONS, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** How the compiler indents. Types of schemas are deep, and nobody reads them. */
const FOUR_SPACES = /^(?: {4})+/gm;
const MOST_TABS = 1;

/** Compilers refuse the types of zod without `esModuleInterop`, and those of cel-js, an ES module, from CommonJS. */
function declarationOf(name, text) {
  const path = posix.relative(dirname(name), ZOD_TYPES);
  return text
    .replaceAll(FOUR_SPACES, (spaces) => '\t'.repeat(Math.min(MOST_TABS, spaces.length / 4)))
    .replaceAll("from 'zod'", `from '${path.startsWith('.') ? path : `./${path}`}'`)
    .replace(
      /import (?:type )?(\{.*\}) from 'cel-js';/,
      "import type $1 from 'cel-js' with { 'resolution-mode': 'import' };",
    );
}

/** Removes modules and declarations of earlier builds. */
function removeOthers(kept) {
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const path = join(DIST, name);
    const isModule = /\.(d\.ts|js|cjs)$/.test(name) && /^(src|constructs|stacks)\b/.test(name);
    if (isModule && !kept.has(path)) rmSync(path);
  }
}
