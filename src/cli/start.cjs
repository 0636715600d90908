const { arch, env, version } = process;
const { join } = require('node:path');
const { findCacheFolder, runBundle } = require('./run-bundle.cjs');

/** Exit codes of bad input and of bugs. */
const FAILED = new Set([1, 70]);
const keepsAfter = (exitCode) => !FAILED.has(exitCode);

/**
 * Starts what a process of the package is for: runs the bundle of all sources, with the code that V8 compiled in an
 * earlier run of the same use. That code is in a folder that no other user writes, because Node runs what it finds
 * there. A run that fails keeps nothing: it may have stopped before it used what others of its use need.
 *
 * @param digest of the text of the bundle
 * @param entry the source to run
 * @param words what it runs for: the name of a subcommand, and what else is on the command line
 * @returns what the source exports
 */
module.exports = function start(digest, entry, words) {
  const folder = findCacheFolder(env);
  const use = words.some((word) => word === '--help' || word === '-h') ? 'help' : (words[0] ?? '');
  const [known] = /^[a-z-]{1,20}$/.exec(use) ?? ['other'];
  const name = `${digest}-${version}-${arch}-${known}.code`;
  const kept = folder && join(folder, name);
  return runBundle(join(__dirname, '../../fleetwright.js'), kept, { keepsAfter })[entry]();
};
