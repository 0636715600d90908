import { compareByPlace, type Diagnostic, removeRepeated, formatDiagnostic, limitListed } from './diagnostic';

/**
 * The input is wrong. Carries every error of the run once, sorted by place, so that a user can correct all at once.
 *
 * @example
 * const wrong = new FleetwrightError([
 *   { code: 'bad-quantity', severity: 'error', at: 'a.yaml:3:9', message: "'80 Gi' is not a quantity", hint: "Write '80Gi'" },
 * ]);
 * wrong.message; // a.yaml:3:9: '80 Gi' is not a quantity. Write '80Gi'.
 */
export class FleetwrightError extends Error {
  /** All of them. The message lists the first 500. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: { readonly cause?: unknown }) {
    const sorted = removeRepeated([...diagnostics].sort(compareByPlace));
    super(limitListed(sorted).map(formatDiagnostic).join('\n'), options);
    this.name = 'FleetwrightError';
    this.diagnostics = sorted;
  }

  /** The code of the first diagnostic. */
  get code(): string {
    return this.diagnostics[0]?.code ?? 'unknown';
  }
}

/** Returns the message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Reports whether a step ends without an error. */
export function succeeds(step: () => unknown): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
