export const EXIT = {
  ok: 0,
  /** The input is wrong. */
  badInput: 1,
  /** Changes are pending; only with `--detailed-exitcode`. */
  pending: 2,
  /** Replicas do not fit, and the shortfall is not accepted. */
  unplaced: 3,
  /** A policy, a gate or the guard of removals refuses the change. */
  refused: 4,
  /** The lock differs from the current decision. */
  outOfDate: 5,
  /** A running cluster, service or provider is not as it should be, or cannot be seen. */
  amiss: 6,
  /** A bug in Fleetwright. */
  bug: 70,
} as const;

/** What each exit code means, the same in every command. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'fine',
  badInput: 'the input has errors',
  pending: 'changes are pending; only with `plan --detailed-exitcode` and `migrate --check`',
  unplaced: 'replicas do not fit, and no flag accepts that',
  refused: 'a policy, the gate, `survive --require`, or the guard of removals in `lock` refuses the change',
  outOfDate: 'the lock file is out of date',
  amiss:
    'a running cluster, service or provider differs from its declaration, or cannot be read; only from `status`, `doctor` and `smoke`',
  bug: 'a bug in Fleetwright',
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An exit code, and what it means. */
export function describeExit(
  name: keyof typeof EXIT,
  meaning = EXIT_MEANINGS[name],
): { readonly code: ExitCode; readonly meaning: string } {
  return { code: EXIT[name], meaning };
}

/** Formats the exit codes for the help text. */
export function formatExitCodes(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  const lines = names.map((name) => `  ${String(EXIT[name]).padStart(2)}  ${EXIT_MEANINGS[name].replaceAll('`', '')}`);
  return ['Exit codes:', ...lines].join('\n');
}

/** The precedence of exit codes. The first one that applies is used. */
const PRECEDENCE: readonly ExitCode[] = [
  EXIT.bug,
  EXIT.badInput,
  EXIT.outOfDate,
  EXIT.refused,
  EXIT.amiss,
  EXIT.unplaced,
  EXIT.pending,
  EXIT.ok,
];

export function chooseExitCode(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.ok;
}
