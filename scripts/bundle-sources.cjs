/**
 * Bundles all sources, and keeps the code that V8 makes of the bundle. A process of `typescript-hook.cjs` takes it where
 * FLEETWRIGHT_SOURCES names it: the tests start hundreds of processes, and each would load a thousand files.
 */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { removeOlder } = require('../src/cli/run-bundle.cjs');
const bundle = require('./bundle.cjs');

const ROOT = join(__dirname, '..');
const CACHE = join(ROOT, 'out/cache/sources');
const HOOK = join(__dirname, 'typescript-hook.cjs');
const FOLDERS = ['src', 'constructs', 'stacks'];

/** The page of the map runs in browsers. */
const PAGE = join('src', 'report', 'map', 'page');

/** Everything else that decides what a bundle is. */
const MAKERS = [
  'package.json',
  'package-lock.json',
  'scripts/bundle.cjs',
  'scripts/bundle-sources.cjs',
  'scripts/typescript-hook.cjs',
  'src/cli/run-bundle.cjs',
];

const DAY = 24 * 60 * 60 * 1000;

/** The path of the bundle of the sources as they are. */
module.exports = async function bundleSources() {
  const paths = sources();
  const path = join(CACHE, `${digestOf([...paths, ...MAKERS])}.cjs`);
  if (!existsSync(`${path}.code`)) {
    mkdirSync(CACHE, { recursive: true });
    // Other runs may use the bundles of today.
    removeOlder(CACHE, DAY);
    const named = Object.fromEntries(paths.map((source) => [join(ROOT, source), source]));
    await bundle(named, path, JSON.stringify);
    keepCode(path);
  }
  return path;
};

function sources() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.endsWith('.ts') && !path.startsWith(PAGE)),
  ).sort();
}

/** A bundle names the folder that it was made in, and a copy of that folder may hold the bundles of the first. */
function digestOf(paths) {
  const hash = createHash('sha256').update(`${process.version}\0${ROOT}\0`);
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs a command that uses most of it. The hook keeps the code at the end, also where the command fails. */
function keepCode(path) {
  const command = ['src/cli/main.ts', 'plan', 'examples/quickstart'];
  const env = { ...process.env, FLEETWRIGHT_SOURCES: path };
  spawnSync(process.execPath, ['-r', HOOK, ...command], { cwd: ROOT, env, stdio: 'ignore' });
}
