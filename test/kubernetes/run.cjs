/** Runs the TypeScript of this folder as it is: each file is stripped of its types when it is loaded. */
const { readFileSync } = require('node:fs');
const { extname } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    sourceMaps: 'inline',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs', ignoreDynamic: true },
    swcrc: false,
  });
  module['_compile'](code, filename);
};

if (extname(process.argv[1] ?? '') === '.cjs') require('./main').main(process.argv.slice(2));
