import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCodeOf } from './fs-error';

/**
 * A process, as other processes can recognize it. A process ID alone is ambiguous: systems reuse it, and containers
 * and hosts that share a folder each have their own.
 */
export interface ProcessIdentity {
  readonly pid: number;

  /** The time of its start, in a unit of its system. */
  readonly start: string;

  /** A digest of where its process ID is valid: the host, the boot of its kernel, the namespaces of the container. */
  readonly space: string;
}

/** `unknown`: the process may run where this process cannot see it. */
export type ProcessState = 'running' | 'gone' | 'unknown';

interface OwnIdentity extends ProcessIdentity {
  /** Whether processes with the same `space` are visible to this process, with the time of their start. */
  readonly isExact: boolean;
}

let own: OwnIdentity | undefined;

/** The identity of this process. */
export function readOwnIdentity(): OwnIdentity {
  own ??= identifyByProc() ?? {
    pid: process.pid,
    start: String(Math.round(performance.timeOrigin * 1000)),
    space: digestOf([hostname()]),
    isExact: false,
  };
  return own;
}

/** The identity by /proc of Linux. Undefined on other systems, and where /proc belongs to another container. */
function identifyByProc(): OwnIdentity | undefined {
  const stat = readProcStat(process.pid);
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const space = tryRead(() => readlinkSync('/proc/self/ns/pid'));
  const isOwnProc = tryRead(() => readlinkSync('/proc/self')) === String(process.pid);
  if (!stat || boot === undefined || space === undefined || !isOwnProc) return undefined;
  // Start times depend on the time namespace. Kernels before 5.6 have none.
  const time = tryRead(() => readlinkSync('/proc/self/ns/time')) ?? '';
  return { pid: process.pid, start: stat.start, space: digestOf([hostname(), boot, space, time]), isExact: true };
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}

/** Finds whether a process runs. Only certain where it has the process IDs of this process, on Linux. */
export function findProcessState({ pid, start, space }: ProcessIdentity): ProcessState {
  const { isExact, ...self } = readOwnIdentity();
  if (pid === self.pid && start === self.start && space === self.space) return 'running';
  if (!isExact || space !== self.space) return 'unknown';
  const stat = readProcStat(pid);
  if (stat) return stat.start === start && !ENDED_STATES.has(stat.state) ? 'running' : 'gone';
  // Some systems hide processes of other users in /proc.
  return doesSystemKnow(pid) ? 'unknown' : 'gone';
}

/** Zombies and dead processes: they have ended, and their parent has not read their exit code yet. */
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/** The index of the start time in the fields after the command. It is field 22 of `/proc/PID/stat`, see proc(5). */
const START_TIME_INDEX = 19;

function readProcStat(pid: number): { readonly state: string; readonly start: string } | undefined {
  const text = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the command in parentheses, which can contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields?.[0], fields?.[START_TIME_INDEX]];
  return state === undefined || start === undefined ? undefined : { state, start };
}

function doesSystemKnow(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
