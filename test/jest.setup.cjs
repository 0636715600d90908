const { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const buildPage = require('../scripts/build-page.cjs');
const bundleSources = require('../scripts/bundle-sources.cjs');

/** What all tests need before the first: the page of the map, and sources that processes load at once. */
module.exports = async function setUp() {
  if (!process.env['TMPDIR'] && isUsable(MEMORY)) {
    const folder = mkdtempSync(join(MEMORY, 'fleetwright-'));
    // Some tests write as another user.
    chmodSync(folder, 0o1777);
    process.env['TMPDIR'] = folder;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  buildPage();
  try {
    process.env['FLEETWRIGHT_SOURCES'] = await bundleSources();
  } catch {
    // A source does not compile. Processes load sources one by one, and the tests of that source fail.
  }
};

/** Where Linux keeps files in memory: tests that write files are a quarter faster where they wait for no disk. */
const MEMORY = '/dev/shm';

const GIB = 2 ** 30;

/** Whether files can be written and run there, and have room. In containers, it may be 64 MiB. */
function isUsable(folder) {
  const file = join(folder, `fleetwright-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(file, '', { mode: 0o700 });
    accessSync(file, constants.X_OK);
    return bavail * bsize > 2 * GIB;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}
