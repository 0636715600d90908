/** `npm run build`: makes dist, where it is not already what the sources come to. */
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

process.chdir(join(__dirname, '..'));

const DECLARATIONS = 'out/cache/declarations';

/** Each needs what the one before it writes. */
const STEPS = [
  `tsc -p tsconfig.build.json --incremental --tsBuildInfoFile ${DECLARATIONS}/build.tsbuildinfo --outDir ${DECLARATIONS}`,
  'node scripts/build-page.cjs',
  'node scripts/build-package.cjs',
];

const SCRIPTS = [
  'build.cjs',
  'build-page.cjs',
  'build-package.cjs',
  'bundle.cjs',
  'shake-declarations.cjs',
  'zod-types.d.ts',
];

/** What dist follows from. The lock file says which packages are installed. */
const INPUTS = [
  'src',
  'constructs',
  'stacks',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
  ...SCRIPTS.map((name) => `scripts/${name}`),
];

/** A digest of all inputs and of dist as the last build left it. */
const BUILT = 'out/cache/built';

if (!existsSync(BUILT) || readFileSync(BUILT, 'utf8') !== digest()) {
  rmSync(BUILT, { force: true });
  STEPS.forEach(run);
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, digest());
}

function run(step) {
  const { status } = spawnSync(step, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function digest() {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...INPUTS, 'dist'].flatMap(filesOf)) hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
