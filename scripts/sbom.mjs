// `npm run sbom`: prints the bill of materials of what users install, from the lock and without a network. With
// `npm sbom --omit dev` alone, what a tool of this repository needs too would be missing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The fields of a manifest with packages that users do not get. */
const TOOLS = new Set(['devDependencies', 'peerDependencies', 'peerDependenciesMeta']);

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'fleetwright-sbom-'));

try {
  const manifest = read('package.json');
  // npm names the component by its folder.
  const folder = join(work, manifest.name);
  mkdirSync(folder);
  write(join(folder, 'package.json'), withoutTools(manifest));
  write(join(folder, 'package-lock.json'), lockOfUsers(read('package-lock.json')));
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(work, { recursive: true, force: true });
}

function lockOfUsers(lock) {
  const { '': self, ...others } = lock.packages;
  const installed = Object.entries(others).filter(([, one]) => !one.dev && !one.devOptional && !one.peer);
  return { ...lock, packages: { '': withoutTools(self), ...Object.fromEntries(installed) } };
}

function withoutTools(manifest) {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !TOOLS.has(field)));
}

function read(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function write(path, value) {
  writeFileSync(path, JSON.stringify(value));
}
