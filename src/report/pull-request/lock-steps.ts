import { formatCode } from '../document/write-markdown';

/** The commands that are run next for a fleet. */
export interface NextCommands {
  /** The command that writes the lock: `fleetwright lock fleet`. */
  readonly command: string;

  /** The command that writes the manifests that are in git: `fleetwright synth fleet --out manifests`. Absent: none are. */
  readonly synth?: string;

  /** The command that says which replicas serve: `fleetwright status fleet`. */
  readonly status: string;

  /** The command that compares a running cluster with its declaration: `fleetwright doctor us fleet`. */
  readonly doctorOf: (cluster: string) => string;
}

/** The commands where it is not known of which fleet. */
export const ANY_FLEET: NextCommands = {
  command: 'fleetwright lock',
  status: 'fleetwright status',
  doctorOf: (cluster) => `fleetwright doctor ${cluster}`,
};

/** ``run `fleetwright lock fleet` and `fleetwright synth fleet --out manifests`, and commit both``: how a lock gets into git. */
export function formatLockSteps(commands: readonly string[], synth: string | undefined): string {
  const all = [...commands, ...(synth === undefined ? [] : [synth])].map(formatCode);
  const both = commands.length === 1 ? 'both' : 'the lock and the manifests';
  const run = commands.length === 1 ? all.join(' and ') : all.join(', then ');
  return `run ${run}, and commit ${synth === undefined ? 'the lock' : both}`;
}
