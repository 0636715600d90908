/**
 * Bundles sources, with the packages that they depend on, into one file: a process reads one file at once faster than a
 * thousand. Peers stay outside, because a program and the package share their classes.
 */
const { build, transform } = require('esbuild');
const { readFileSync, renameSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = join(__dirname, '..');

/**
 * Writes a bundle that exports, by the name of each source, a function that loads it.
 *
 * @param sources paths by names, both relative to the root
 * @param folderOf the expression of the folder of a source, where it asks for `__dirname`
 * @param format options of esbuild for the text. Default: a statement a line, indented
 */
module.exports = async function bundle(sources, outfile, folderOf, format = {}) {
  const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const table = Object.entries(sources).map(([name, path]) => `${JSON.stringify(name)}: () => require('./${path}'),\n`);
  const part = `${outfile}.${process.pid}`;
  await build({
    stdin: { contents: `module.exports = {\n${table.join('')}};\n`, resolveDir: ROOT },
    outfile: part,
    bundle: true,
    platform: 'node',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    ...format,
    external: ['fleetwright', ...Object.keys(peerDependencies), ...Object.keys(devDependencies)],
    plugins: [
      { name: 'folders', setup: (plugin) => keepFolders(plugin, folderOf) },
      { name: 'locales', setup: keepEnglish },
      { name: 'version', setup: keepVersion },
      { name: 'schemas', setup: leaveOutSchemaTools },
      { name: 'executables', setup: leaveOutExecutables },
      ...(format.minifyWhitespace ? [{ name: 'libraries', setup: shortenLibraries }] : []),
    ],
  });
  renameSync(part, outfile);
};

/** Leaves out the messages of zod in fifty other languages, which it loads with the first schema and nothing uses. */
function keepEnglish({ onLoad }) {
  onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
    contents: "export { default as en } from './en.js';",
    loader: 'js',
  }));
}

/** Leaves out two parts of zod that nothing calls: the compiler of schemas, and the reader of JSON Schema. */
function leaveOutSchemaTools({ onLoad }) {
  onLoad({ filter: /[\\/]zod[\\/]v4[\\/](core[\\/]compile|classic[\\/]from-json-schema)\.js$/ }, ({ path }) => {
    const exported = readFileSync(path, 'utf8').matchAll(/^export (?:const|class|function) (\w+)/gm);
    return {
      contents: `export const ${Array.from(exported, ([, name]) => `${name} = undefined`).join(', ')};`,
      loader: 'js',
    };
  });
}

/** Leaves out what commander runs executables of subcommands with, and loads at once. The command line has none. */
function leaveOutExecutables({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ importer }) => {
    return /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'left-out' } : undefined;
  });
  onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: '' }));
}

/** Shortens names of large libraries where no class or function is known by its name. Own names stay. */
function shortenLibraries({ onLoad }) {
  onLoad({ filter: /[\\/]node_modules[\\/](commander|re2js|yaml|zod)[\\/].*\.c?js$/ }, async ({ path }) => {
    const text = readFileSync(path, 'utf8');
    // Without a format, names of the top level would stay, because scripts could share them.
    const format = /^(?:im|ex)port\b/m.test(text) ? 'esm' : 'cjs';
    const { code } = await transform(text, { minifyIdentifiers: true, target: 'es2022', format });
    return { contents: code, loader: 'js' };
  });
}

/** Includes package.json: to find it by the name of the package, Node would load its resolver of ES modules. */
function keepVersion({ onResolve }) {
  onResolve({ filter: /^fleetwright\/package\.json$/ }, ({ kind }) => {
    return kind === 'require-call' ? { path: join(ROOT, 'package.json') } : undefined;
  });
}

function keepFolders({ onLoad }, folderOf) {
  onLoad({ filter: /\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(/\b__dirname\b/g, folderOf(dirname(path))),
    loader: 'ts',
  }));
}
