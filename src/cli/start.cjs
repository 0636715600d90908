const { arch, env, version } = process;
const { join } = require('node:path');
const { findCacheFolder, runBundle } = require('./run-bundle.cjs');

/**
 * Starts what a process of the package is for: runs the bundle of all sources, with the code that V8 compiled in an
 * earlier run of the same use. That code is in a folder that no other user writes, because Node runs what it finds
 * there.
 *
 * @param digest of the text of the bundle
 * @param entry the source to run
 * @param use what it runs for, such as the name of a subcommand
 * @returns what the source exports
 */
module.exports = function start(digest, entry, use = '') {
  const folder = findCacheFolder(env);
  const [known] = /^[a-z-]{1,20}$/.exec(use) ?? ['other'];
  const name = `${digest}-${version}-${arch}-${known}.code`;
  const kept = folder && join(folder, name);
  return runBundle(join(__dirname, '../../fleetwright.js'), kept)[entry]();
};
