import type { DiagnosticCode } from './diagnostic-codes';
import { type Excerpt, formatExcerpt } from './excerpt';
import { redact } from './redaction';
import { disarmCiCommands, showOnOneLine } from './untrusted-text';

/**
 * How bad it is. An error stops or refuses something, a warning does not. Checks of running clusters also report
 * what is `ok`, and what is `unknown` because it could not be read.
 */
export type Severity = 'error' | 'warning' | 'ok' | 'unknown';

/** Something wrong with what a user declared, or something that a check found, with its position and the remedy. */
export interface Diagnostic<At = string> {
  /** A stable, kebab-case name of the kind of problem, for machines: `unknown-field`. Listed in docs/diagnostics.md. */
  readonly code: DiagnosticCode;
  readonly severity: Severity;

  /**
   * Where it is, as the layer that found it knows: a path in a resource, an offset in a text, an object of a
   * cluster. `relocate` turns it into what users read: `file:line:column`, a construct path or a file name.
   */
  readonly at: At;

  /** Where else an edit of a change causes it. Absent: nowhere, or it is not about a change. */
  readonly alsoAt?: readonly string[];

  /** What is wrong, with the value in question, as a clause without a full stop. */
  readonly message: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;

  /** The part of an expression that it is about. */
  readonly excerpt?: Excerpt;

  /** The ID of the resource that it is about, as `resourceIdOf` returns it. Absent: unknown, or not one resource. */
  readonly subject?: string;

  /** The field of a document that it is about: `spec.endpoints[1].weight`. Absent: another position, or none. */
  readonly field?: string;

  /** The node pool that it is about: `us/h100`. Absent: unknown, or not one pool. @internal */
  readonly pool?: string;
}

/** A part of a text: the offsets of its first character, and behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * An error, which stops a run or refuses a plan.
 *
 * @example
 * errorAt('bad-quantity', 'a.yaml:3:9', "'80 Gi' is not a quantity", "Write '80Gi'");
 */
export function errorAt<At>(code: DiagnosticCode, at: At, message: string, hint: string): Diagnostic<At> {
  return { code, severity: 'error', at, message, hint };
}

/** A warning, which stops nothing. */
export function warningAt<At>(code: DiagnosticCode, at: At, message: string, hint: string): Diagnostic<At> {
  return { code, severity: 'warning', at, message, hint };
}

/**
 * The same diagnostic at a position that another layer knows. The only way from a position to the next.
 *
 * @example
 * relocate(diagnostic, (offset) => source.place(offset));
 */
export function relocate<From, To>({ at, ...rest }: Diagnostic<From>, toPlace: (at: From) => To): Diagnostic<To> {
  return { at: toPlace(at), ...rest };
}

/** The same diagnostic as a warning, for input that loads although a rule is broken. */
export function asWarning<At>(diagnostic: Diagnostic<At>): Diagnostic<At> {
  return { ...diagnostic, severity: 'warning' };
}

/**
 * One line: `place: what is wrong. What to do.` Below it the part of an expression, if it is about one. Files and values
 * of users can be named in all of them: secrets are hidden, and control characters and commands of a CI are escaped.
 *
 * @example
 * const { problems } = loadManifests([{ path: 'fleet.yaml', text }]);
 * const lines = problems.map(formatDiagnostic);
 */
export function formatDiagnostic({ at, message, hint, excerpt }: Diagnostic): string {
  const line = redact(`${at}: ${message}.${hint ? ` ${hint}${hint.endsWith('?') ? '' : '.'}` : ''}`);
  const shown = disarmCiCommands(showOnOneLine(line));
  return excerpt ? `${shown}\n${redact(formatExcerpt(excerpt))}` : shown;
}

/** Diagnostics, each once: two rules may find the same, and an alias repeats what is wrong with its anchor. */
export function removeRepeated(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [formatDiagnostic(one), one])).values()];
}

/** A reader gets through no more than this, and a hostile file can have millions. */
const MOST_LISTED = 500;

/** The first diagnostics of a run and, where there are more, how many. */
export function limitListed(diagnostics: readonly Diagnostic[], most = MOST_LISTED): readonly Diagnostic[] {
  const next = diagnostics[most];
  if (!next) return diagnostics;
  const what = `${diagnostics.length - most} more problems are not shown`;
  return [...diagnostics.slice(0, most), errorAt('more-problems', next.at, what, 'Fix the problems above first')];
}

/** Made when problems are sorted: to load its data takes longer than a short command has. */
let collator: Intl.Collator | undefined;

/** Sorts by file, then line and column as numbers, then text. */
export function compareByPlace(a: Diagnostic, b: Diagnostic): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a.at, b.at) || collator.compare(a.message, b.message);
}
