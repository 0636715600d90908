/** Runs the TypeScript of this folder as it is. */
require('../../scripts/typescript-hook.cjs');

require('./main').main(process.argv.slice(2));
