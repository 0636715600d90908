import { formatCode } from '../document/write-markdown';

/** The commands that are run next for a fleet. */
export interface NextCommands {
  /** The command that writes the lock: `fleetwright lock fleet`. */
  readonly command: string;

  /** The command that writes the manifests that are in git: `fleetwright synth fleet --out manifests`. Absent: none are. */
  readonly synth?: string;

  /** The command that says which replicas serve: `fleetwright status fleet`. */
  readonly status: string;
}

/** The commands where it is not known of which fleet. */
export const ANY_FLEET: NextCommands = { command: 'fleetwright lock', status: 'fleetwright status' };

/** ``run `fleetwright lock fleet` and commit it. Then renew the manifests …``: how the lock gets into git, and what follows. */
export function formatLockSteps(commands: readonly string[], synth: string | undefined): string {
  return `run ${commands.map(formatCode).join(', then ')}${commands.length > 1 ? ',' : ''} and commit it.${formatSynthStep(synth)}`;
}

function formatSynthStep(synth: string | undefined): string {
  return synth === undefined ? '' : ` Then renew the manifests with ${formatCode(synth)}, and commit them too.`;
}
