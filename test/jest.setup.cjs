const buildPage = require('../scripts/build-page.cjs');
const bundleSources = require('../scripts/bundle-sources.cjs');

/** What all tests need before the first: the page of the map, and sources that processes load at once. */
module.exports = async function setUp() {
  buildPage();
  try {
    process.env['FLEETWRIGHT_SOURCES'] = await bundleSources();
  } catch {
    // A source does not compile. Processes load sources one by one, and the tests of that source fail.
  }
};
