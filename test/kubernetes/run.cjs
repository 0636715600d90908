/** Runs the TypeScript of this folder as it is, with the product changed as FLEETWRIGHT_MUTATE says. */
const { readFileSync } = require('node:fs');
const { extname } = require('node:path');
const { compile } = require('../../scripts/typescript-hook.cjs');
const mutations = require('./mutations.cjs');

const mutation = mutations[process.env.FLEETWRIGHT_MUTATE ?? ''];

const load = require.extensions['.ts'];
require.extensions['.ts'] = (module, filename) => {
  if (mutation && filename.endsWith(mutation.file)) module['_compile'](compile(mutated(filename)), filename);
  else load(module, filename);
};

function mutated(filename) {
  const text = readFileSync(filename, 'utf8');
  if (!text.includes(mutation.from)) throw new Error(`${mutation.file} has no text '${mutation.from}'`);
  return text.replace(mutation.from, mutation.to);
}

if (extname(process.argv[1] ?? '') === '.cjs') require('./main').main(process.argv.slice(2));
