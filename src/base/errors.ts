import { byPlace, type Diagnostic, distinct, formatDiagnostic } from './diagnostic';

/**
 * The input is wrong. Carries every error of the run once, sorted by place, so that a user can correct all at once.
 *
 * @example
 * throw new FleetwrightError([errorAt('bad-quantity', 'a.yaml:3:9', "'80 Gi' is no quantity", "Write '80Gi'")]);
 */
export class FleetwrightError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    const sorted = distinct([...diagnostics].sort(byPlace));
    super(sorted.map(formatDiagnostic).join('\n'), options);
    this.name = 'FleetwrightError';
    this.diagnostics = sorted;
  }

  /** The code of the first diagnostic. */
  get code(): string {
    return this.diagnostics[0]?.code ?? 'unknown';
  }
}
