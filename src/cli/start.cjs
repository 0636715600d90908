const { arch, argv, env, version } = process;
const { join } = require('node:path');
const { runBundle } = require('./run-bundle.cjs');

/**
 * Starts the `fleetwright` command of the package: runs the bundle of all sources, with the code that V8 compiled in
 * an earlier run of the same subcommand. That code is in a folder that no other user writes, because Node runs what it
 * finds there. `NODE_DISABLE_COMPILE_CACHE=1` keeps nothing, as it does for Node's own cache.
 *
 * @param digest of the text of the bundle
 */
module.exports = function start(digest) {
  const folder = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  const [subcommand] = /^[a-z-]{1,20}$/.exec(argv[2] ?? '') ?? ['other'];
  const name = `${digest}-${version}-${arch}-${subcommand}.code`;
  const kept = folder && !env.NODE_DISABLE_COMPILE_CACHE ? join(folder, 'fleetwright', name) : undefined;
  runBundle(join(__dirname, '../../fleetwright.js'), kept)['src/cli/main']();
};
