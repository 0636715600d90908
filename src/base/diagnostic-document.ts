import type { Diagnostic } from './diagnostic';
import type { DiagnosticCode } from './diagnostic-codes';
import type { Excerpt } from './excerpt';
import { valueAt } from './json';

/** A diagnostic as JSON has it. */
export interface DiagnosticDocument {
  /** A stable, kebab-case name of the kind of problem, for machines: `unknown-field`, `bad-selector`. */
  readonly code: string;

  /** Where it is: `file:line:column`, a construct path, or a file name. */
  readonly where: string;

  /** What is wrong, with the value in question, as a clause without a full stop. */
  readonly what: string;

  /** What to do about it, as a clause without a full stop. */
  readonly hint?: string;

  /** The part of an expression that it is about. */
  readonly excerpt?: Excerpt;
}

/** What JSON calls the fields of a diagnostic. The severity follows from the list that it is in. */
const KEYS: Readonly<Record<string, keyof DiagnosticDocument>> = {
  code: 'code',
  at: 'where',
  message: 'what',
  hint: 'hint',
  excerpt: 'excerpt',
};

/** A diagnostic as JSON has it, with its fields in the same order. */
export function toDiagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const fields = Object.entries(diagnostic).flatMap(([name, value]: [string, unknown]) => {
    const key = KEYS[name];
    return key === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(fields) as unknown as DiagnosticDocument;
}

/** The error that a document was written from, by a version of Fleetwright that may know other codes. */
export function errorFrom({ code, where, what, hint, excerpt }: DiagnosticDocument): Diagnostic {
  return {
    code: code as DiagnosticCode,
    severity: 'error',
    at: where,
    message: what,
    ...(hint !== undefined && { hint }),
    ...(excerpt && { excerpt }),
  };
}

/** Whether a value of another process is a document that `errorFrom` reads. */
export function isDiagnosticDocument(value: unknown): value is DiagnosticDocument {
  const [code, where, what] = ['code', 'where', 'what'].map((key) => valueAt(value, [key]));
  const hint = valueAt(value, ['hint']) ?? '';
  const isExcerptValid = valueAt(value, ['excerpt']) === undefined || isExcerpt(valueAt(value, ['excerpt']));
  return [code, where, what, hint].every((text) => typeof text === 'string') && isExcerptValid;
}

function isExcerpt(value: unknown): boolean {
  const [column, width] = ['column', 'width'].map((key) => valueAt(value, [key]));
  return typeof valueAt(value, ['line']) === 'string' && [column, width].every(isColumn);
}

function isColumn(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) < MAX_COLUMN;
}

/** Excerpts are cut to the width of a terminal. */
const MAX_COLUMN = 1000;
