/** The steps of `.ci/run` after the install. */
const { runLanes } = require('./lanes.cjs');

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

/** What it writes is read by almost all others. */
const GENERATED = { name: 'generated', run: `${npm('generate')} && git diff --exit-code --stat` };

/** While they are built, VitePress keeps files of its own next to the pages, which tests read. */
const DOCS = { name: 'docs', run: `${npm('docs')} && ${npm('docs:site')} >/dev/null` };

/** Most of them run one program after the other. They write only what `dist` has already. */
const PACKAGE = [
  { name: 'lint', run: npm('lint') },
  { name: 'types', run: npm('typecheck') },
  { name: 'start', run: 'npm start' },
  { name: 'package', run: npm('test:package') },
  {
    name: 'publish, without publishing',
    run: `npm publish --dry-run --ignore-scripts --provenance=false --loglevel=error >/dev/null && ${npm('sbom')} >/dev/null`,
  },
  { name: 'bench, every case on a tiny fleet', run: `FLEETWRIGHT_BENCH=tiny ${npm('bench')} >/dev/null` },
];

const TESTS = [{ name: 'tests, with all inputs', run: npm('test:all') }];

const ATTACK = [{ name: 'attack', run: npm('test:attack') }];

const CLUSTERS = [
  {
    name: 'kubernetes',
    run: npm('test:kubernetes'),
    after: [GENERATED.name],
    when: GO,
    otherwise: 'there is no go command',
  },
  {
    name: 'scaling',
    run: npm('test:scaling'),
    after: [GENERATED.name],
    when: GO,
    otherwise: 'there is no go command',
  },
];

/**
 * They wait most of the time. Envoy's measures times, so that all others yield to it. The browser needs its time for
 * each row, but not so much that a control plane next to it stands still. It reads the site of the docs.
 */
const TIMED = [
  {
    name: 'envoy',
    run: npm('test:envoy'),
    when: ENVOY,
    otherwise: 'it needs go, python3 with pip, and namespaces of Linux of its own',
  },
  { name: 'chromium', run: `${CHROMIUM} || { ${INSTALL_CHROMIUM}\n} >/dev/null 2>&1` },
  {
    name: 'browser',
    niceness: 5,
    run: npm('test:browser'),
    after: [DOCS.name],
    when: CHROMIUM,
    otherwise: 'there is no chromium command and apt-get cannot install one',
  },
];

const yielding = (steps) => steps.map((step) => ({ ...step, niceness: 15 }));

/** The package comes before the tests, because it builds `dist`. The attack is in the lane that would end first. */
const LANES = [yielding([GENERATED, DOCS, ...PACKAGE, ...TESTS]), yielding(CLUSTERS), [...TIMED, ...yielding(ATTACK)]];

const print = (text) => process.stdout.write(text);

// Until all have passed: Node ends well where lanes wait for each other.
process.exitCode = 1;
runLanes(LANES, print, (name) => print(`-- ${name}\n`)).then((passed) => {
  process.exitCode = passed ? 0 : 1;
});
