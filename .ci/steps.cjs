/** The steps of `.ci/run` after the install. */
const { runStages } = require('./lanes.cjs');

const npm = (name) => `npm run --silent ${name}`;

const CHROMIUM = 'command -v chromium >/dev/null';

/** Debian's package, where it can be had: as root, and within five minutes. */
const INSTALL_CHROMIUM = `
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  timeout 300 sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends chromium' || true
fi`;

const GO = 'command -v go >/dev/null';
const ENVOY = `${GO} && python3 -m pip --version && unshare --net --mount --pid --fork true`;

const CHECKS = [
  { name: 'lint', run: npm('lint') },
  { name: 'types', run: npm('typecheck') },
  { name: 'generated', run: `${npm('generate')} && git diff --exit-code --stat` },
];

const TESTS = [
  { name: 'test, with all inputs of properties', run: 'FLEETWRIGHT_TIMES=1 npm test' },
  { name: 'processes', run: npm('test:processes') },
  { name: 'expressions', run: npm('test:expressions') },
  { name: 'stacks', run: npm('test:stacks') },
  { name: 'brute force', run: npm('test:brute') },
  { name: 'attack', run: npm('test:attack') },
];

const PACKAGE = [
  { name: 'start', run: 'npm start' },
  { name: 'package', run: npm('test:package') },
  {
    name: 'publish, without publishing',
    run: `npm publish --dry-run --ignore-scripts --provenance=false --loglevel=error >/dev/null && ${npm('sbom')} >/dev/null`,
  },
  { name: 'docs', run: `${npm('docs')} && ${npm('docs:site')} >/dev/null` },
  { name: 'bench, every case on a tiny fleet', run: `FLEETWRIGHT_BENCH=tiny ${npm('bench')} >/dev/null` },
];

const CLUSTERS = [
  { name: 'kubernetes', run: npm('test:kubernetes'), when: GO, otherwise: 'there is no go command' },
  { name: 'scaling', run: npm('test:scaling'), when: GO, otherwise: 'there is no go command' },
];

/** Alone, because they measure times. The browser reads the site of the docs. */
const TIMED = [
  {
    name: 'envoy',
    run: npm('test:envoy'),
    when: ENVOY,
    otherwise: 'it needs go, python3 with pip, and namespaces of Linux of its own',
  },
  {
    name: 'browser',
    run: npm('test:browser'),
    when: CHROMIUM,
    otherwise: 'there is no chromium command and apt-get cannot install one',
  },
];

const DOWNLOADS = [{ name: 'chromium', run: `${CHROMIUM} || { ${INSTALL_CHROMIUM}\n} >/dev/null 2>&1` }];

/** The package comes after the tests, because it builds `dist` and writes pages that they read. */
const STAGES = [[CHECKS, DOWNLOADS], [[...TESTS, ...PACKAGE], CLUSTERS], [TIMED]];

const print = (text) => process.stdout.write(text);

runStages(STAGES, print, (name) => print(`-- ${name}\n`)).then((passed) => {
  process.exitCode = passed ? 0 : 1;
});
