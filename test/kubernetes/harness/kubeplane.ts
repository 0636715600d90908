import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { go, goVersion } from './go';
import { CACHE, MODULE } from './paths';
import { say, seconds } from './say';
import { atEnd } from './shutdown';

/** The version of Kubernetes that the module pins. */
export const KUBERNETES =
  /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1] ?? '';

/**
 * The path of the control plane's program, built where this version of it is not at hand yet. The caller has
 * claimed the cache folder.
 */
export async function kubeplane(): Promise<string> {
  const version = goVersion();
  const folder = join(CACHE, keyOf(version));
  const program = join(folder, 'kubeplane');
  if (existsSync(program)) return program;

  say(`building Kubernetes ${KUBERNETES} with Go ${version}; the first time takes several minutes`);
  const start = Date.now();
  const unfinished = freshFolder();
  await go(['build', ...FLAGS, '-o', join(unfinished, 'kubeplane'), '.'], { cwd: MODULE });
  // In one step, so that the cache never holds half a program.
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  removeOthers(folder);
  say(`built in ${seconds(Date.now() - start)}`);
  return program;
}

/**
 * Packages that are compiled without inlining, which takes two thirds of the time. Those that selectors run in are
 * not among them: their speed is measured.
 */
const PLAIN = ['k8s.io/api/...', 'k8s.io/client-go/...', 'k8s.io/kubernetes/...'];

/** A program without symbols and debugging data, which nobody reads. */
const FLAGS = [
  '-trimpath',
  `-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=${KUBERNETES}`,
  '-gcflags=all=-dwarf=false',
  ...PLAIN.map((packages) => `-gcflags=${packages}=-dwarf=false -l`),
];

/** Hexadecimal digits over everything that the program is made from. */
function keyOf(version: string): string {
  const hash = createHash('sha256').update(version).update(FLAGS.join(' '));
  const files = readdirSync(MODULE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(go|mod|sum)$/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(MODULE, file)));
  return `kubeplane-${hash.digest('hex').slice(0, 12)}`;
}

function freshFolder(): string {
  const folder = join(CACHE, 'unfinished');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function removeOthers(kept: string): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    if (name.startsWith('kubeplane-') && folder !== kept) rmSync(folder, { recursive: true, force: true });
  }
}
