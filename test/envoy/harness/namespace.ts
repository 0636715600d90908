import { type ChildProcess, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { track } from '../../kubernetes/harness/shutdown';
import { works } from './commands';

/**
 * Namespaces of networks, mounts and processes of its own: ports are free, names resolve as the run says, and all
 * that it starts ends with its first process.
 */
const FLAGS = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Who is not root is root within a namespace of users. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** Throws a {@link SetupError} that says what this machine cannot. */
export function needNamespaces(): void {
  if (platform() !== 'linux') throw new SetupError('these tests need namespaces of Linux, and this is none.');
  const missing = [
    ['unshare', '--version'],
    ['nsenter', '--version'],
    ['mount', '--version'],
    ['ip', '-V'],
  ].find(([command = '', flag = '']) => !works(command, [flag]));
  if (missing) {
    throw new SetupError(
      `there is no ${missing[0]} command here. Install it: unshare, nsenter and mount are of util-linux, ip is of iproute2.`,
    );
  }
  if (!works('unshare', [...AS_ROOT, ...FLAGS, 'sh', '-c', TRIAL])) {
    throw new SetupError(
      'this machine does not let a process make a network of its own. Run as root, or in a container with the capabilities SYS_ADMIN and NET_ADMIN.',
    );
  }
}

const TRIAL =
  'ip link set lo up && ip link add name trial type bridge && ip link add name one type veth peer name other && mount -t tmpfs none /dev/shm';

/** Runs a program of Node in namespaces of its own and returns its exit code. Its input closes with this process. */
export async function inNamespaces(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const child: ChildProcess = spawn('unshare', [...AS_ROOT, ...FLAGS, process.execPath, ...args], {
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  track(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
