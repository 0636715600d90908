import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODULE } from './paths';
import { SetupError } from './setup-error';
import { track } from './shutdown';

/** The Go that a run uses: a toolchain that fetches another by itself would hide which one it is. */
const ENVIRONMENT = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' };

/** What `go` is called where a test puts another in its place. */
const GO = process.env['FLEETWRIGHT_GO'] ?? 'go';

/** The version of the installed Go: `1.26.8`. Throws where there is none, or one older than the module needs. */
export function goVersion(): string {
  const needed = /^go (\S+)$/m.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1] ?? '1.0';
  const found = installed(needed);
  if (older(found, needed)) {
    throw new SetupError(`go ${found} is too old: the control plane needs ${needed} or newer. ${INSTALL}`);
  }
  return found;
}

const INSTALL = 'Install it from https://go.dev/dl and put its bin folder on the PATH.';

function installed(needed: string): string {
  try {
    const text = execFileSync(GO, ['env', 'GOVERSION'], {
      cwd: tmpdir(),
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
    return text
      .trim()
      .replace(/^go/, '')
      .replace(/[ -].*/, '');
  } catch {
    throw new SetupError(
      `there is no Go here, and these tests build a Kubernetes control plane: ${needed} or newer is needed. ${INSTALL}`,
    );
  }
}

function older(found: string, needed: string): boolean {
  const [a, b] = [found, needed].map((version) => version.split(/\.|rc|beta/).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Runs `go` and returns what it printed. Throws a {@link SetupError} that ends with its last words. */
export async function go(args: readonly string[], { cwd }: { cwd: string }): Promise<string> {
  const child = spawn(GO, args, { cwd, env: ENVIRONMENT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const untrack = track(child);
  let [out, error] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (error += data));
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  untrack();
  if (code === 0) return out;
  throw new SetupError(failure(args, `${error}\n${out}`));
}

const NO_NETWORK =
  /dial tcp|no such host|i\/o timeout|connection refused|proxyconnect|network is unreachable/;

function failure(args: readonly string[], output: string): string {
  const lines = output.trim().split('\n');
  if (NO_NETWORK.test(output)) {
    const line = lines.find((line) => NO_NETWORK.test(line)) ?? '';
    return `Go modules cannot be downloaded (${line.trim()}). The first build needs the Go module proxy; check GOPROXY and the network.`;
  }
  return `go ${args[0]} ended with an error:\n${lines.slice(-15).join('\n')}`;
}
