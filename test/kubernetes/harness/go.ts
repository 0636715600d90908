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

/**
 * The version of the installed Go: `1.26.8`. Throws where there is none, or one older than a module needs.
 *
 * @param program what is built from the module, in words
 */
export function goVersion(module = MODULE, program = 'a Kubernetes control plane'): string {
  const needed = /^go (\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '1.0';
  const found = installed(needed, program);
  if (older(found, needed)) {
    throw new SetupError(`go ${found} is too old: ${program} needs ${needed} or newer. ${INSTALL}`);
  }
  return found;
}

const INSTALL = 'Install it from https://go.dev/dl and put its bin folder on the PATH.';

function installed(needed: string, program: string): string {
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
      `there is no Go here, and these tests build ${program}: ${needed} or newer is needed. ${INSTALL}`,
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

/**
 * Runs a program until it ends, or until its input closes: then it, and all that it started, end with whoever held
 * the other end, even if that was killed. A shell gives what it starts in the background an empty input, so the
 * real one is kept as the third.
 */
const WITH_INPUT = `exec 3<&0
"$@" </dev/null 3<&- & child=$!
{ cat <&3 >/dev/null; kill -s KILL -- -$$; } & guard=$!
exec 3<&-
wait $child; code=$?
kill $guard
exit $code`;

/** Runs `go` and returns what it printed. Throws a {@link SetupError} that ends with its last words. */
export async function go(args: readonly string[], { cwd }: { cwd: string }): Promise<string> {
  const child = spawn('sh', ['-c', WITH_INPUT, 'sh', GO, ...args], {
    cwd,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  const untrack = track(child);
  child.on('exit', () => child.stdin.destroy());
  let [out, error] = ['', ''];
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (error += data));
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  untrack();
  if (code === 0) return out;
  throw new SetupError(failure(args, `${error}\n${out}`));
}

const NO_NETWORK = /dial tcp|no such host|i\/o timeout|connection refused|proxyconnect|network is unreachable/;

function failure(args: readonly string[], output: string): string {
  const lines = output.trim().split('\n');
  if (NO_NETWORK.test(output)) {
    const line = lines.find((line) => NO_NETWORK.test(line)) ?? '';
    return `Go modules cannot be downloaded (${line.trim()}). The first build needs the Go module proxy; check GOPROXY and the network.`;
  }
  return `go ${args[0]} ended with an error:\n${lines.slice(-15).join('\n')}`;
}
