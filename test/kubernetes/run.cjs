/** Runs the TypeScript of this folder as it is: each file is stripped of its types when it is loaded. */
const { readFileSync } = require('node:fs');
const { extname } = require('node:path');
const { transformSync } = require('@swc/core');
const mutations = require('./mutations.cjs');

const mutation = mutations[process.env.FLEETWRIGHT_MUTATE ?? ''];

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(sourceOf(filename), {
    filename,
    sourceMaps: 'inline',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs', ignoreDynamic: true },
    swcrc: false,
  });
  module['_compile'](code, filename);
};

function sourceOf(filename) {
  const text = readFileSync(filename, 'utf8');
  if (!mutation || !filename.endsWith(mutation.file)) return text;
  if (!text.includes(mutation.from)) throw new Error(`${mutation.file} has no text '${mutation.from}'`);
  return text.replace(mutation.from, mutation.to);
}

if (extname(process.argv[1] ?? '') === '.cjs') require('./main').main(process.argv.slice(2));
