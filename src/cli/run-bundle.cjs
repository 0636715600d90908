/**
 * Runs a bundle, a CommonJS file that holds many modules, and keeps the code that V8 compiles of it in a file: to
 * compile the modules of a command takes longer than most commands. The file is read by the next run, and holds the
 * functions that the run before it used. Once a day, those that runs used since then are added.
 *
 * @param path the bundle. All its characters are Latin-1, as esbuild writes it by default
 * @param kept the file of the compiled code; undefined to keep nothing. What V8 refuses, such as the code of another
 *   release of Node, is compiled and kept anew
 * @param from the path from which the bundle loads packages. Default: `path`
 * @param keepsAfter whether to keep the code of a run that ends with this exit code. Default: always
 * @returns what the bundle exports
 */
function runBundle(path, kept, { from = path, keepsAfter = () => true } = {}) {
  const cachedData = kept ? readIfExists(kept) : undefined;
  const script = new Script(Module.wrap(readFileSync(path, 'latin1')), {
    filename: path,
    cachedData,
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (kept && (!cachedData || script.cachedDataRejected || ageOf(kept) > DAY)) {
    process.once('exit', (exitCode) => {
      if (keepsAfter(exitCode)) keepForRuns(kept, script.createCachedData());
    });
  }
  const bundle = new Module(path);
  bundle.filename = path;
  // What the bundle loads may load the bundle again, as a program loads the package.
  require.cache[path] = bundle;
  script.runInThisContext()(bundle.exports, Module.createRequire(from), bundle, path, dirname(path));
  bundle.loaded = true;
  return bundle.exports;
}

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { constants, Script } = require('node:vm');

const DAY = 24 * 60 * 60 * 1000;
const MONTH = 30 * DAY;

function readIfExists(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The folder for files that only save time. `NODE_DISABLE_COMPILE_CACHE=1` keeps nothing, as it does for Node's own cache. */
function findCacheFolder({ XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE }) {
  const folder = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return folder && !NODE_DISABLE_COMPILE_CACHE ? join(folder, 'fleetwright') : undefined;
}

/** Keeps a file for the next runs. What other releases keep stays for a while, for those who use them. */
function keepForRuns(path, content) {
  keepFile(path, content);
  removeOlder(dirname(path), MONTH);
}

/**
 * Writes a file that only saves time: where it cannot be written, nothing happens. A whole file is renamed into place,
 * because other processes read and write the same.
 */
function keepFile(path, content) {
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(part, content);
    renameSync(part, path);
  } catch {
    // The next run makes the content again.
  }
}

/** Removes the files of a folder that are older than `age`, in milliseconds. What cannot be removed only takes room. */
function removeOlder(folder, age) {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (ageOf(path) > age) rmSync(path, { force: true });
    }
  } catch {
    // The next run tries again.
  }
}

/** Milliseconds since a file was written. 0 if there is none: another run may have removed it. */
function ageOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : 0;
}

module.exports = { runBundle, findCacheFolder, keepFile, keepForRuns, readIfExists, removeOlder };
