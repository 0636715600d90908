import { createColors } from 'picocolors';
import type { Diagnostic } from '../base/diagnostic';
import { type AnnotationFormat, formatAnnotations } from '../report/ci-annotations';
import type { Style } from '../report/document/terminal-style';

/** The input and output of a command: those of the process, or of a test. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether the output is a terminal. */
  readonly terminal: boolean;

  /** The columns of the terminal. Absent: unknown, or no terminal. */
  readonly width?: number | undefined;

  /** Reports progress. Absent: progress is not shown. */
  readonly progress?: ((what: string) => void) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => string;
}

/** Flags of all commands that print. */
export interface OutputFlags {
  readonly json?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;

  /** The annotation format of the CI, to report problems there too. */
  readonly annotations?: AnnotationFormat;
}

/**
 * The versions of the JSON documents that commands print; 1 if not listed. A version increases when a field is
 * removed or changes its meaning.
 */
const JSON_VERSIONS: Readonly<Record<string, number>> = { Explanation: 2, Plan: 2 };

/** Creates the style of the output: colours on a terminal, unless `NO_COLOR` or `--no-color` is set. */
export function createStyle({ terminal, env }: Io, { color = true }: OutputFlags): Style {
  const { green, red, yellow, bold, dim } = createColors(
    terminal && color && !env.NO_COLOR && env.TERM !== 'dumb',
  );
  return { add: green, remove: red, change: yellow, warn: yellow, strong: bold, faint: dim };
}

/** Formats a JSON document: its kind, its version, and its fields. */
export function formatJsonDocument(kind: string, value: object): string {
  const text = JSON.stringify({ kind, version: JSON_VERSIONS[kind] ?? 1, ...value }, toJsonValue, 2);
  return `${text}\n`;
}

/** The fields that `formatJsonDocument` adds to a document. */
interface JsonDocument {
  readonly kind: string;
  readonly version: number;
}

/** Prints the result of a command: a JSON document with `--json`, else text. */
export function printResult<D extends JsonDocument>(
  kind: D['kind'],
  fields: Omit<D, 'kind' | 'version'>,
  text: (style: Style) => string,
  { flags, io }: { readonly flags: OutputFlags; readonly io: Io },
): void {
  io.out(flags.json ? formatJsonDocument(kind, fields) : text(createStyle(io, flags)));
}

/**
 * Prints annotations for a CI if requested. They go to standard error, so standard output stays complete.
 *
 * @param found returns the diagnostics. Called only if annotations are requested
 */
export function printAnnotations(
  found: () => readonly Diagnostic[],
  { annotations }: OutputFlags,
  io: Io,
): void {
  if (annotations) io.err(formatAnnotations(found(), annotations));
}

/** Formats notes, one in a line. */
export function formatNotes(notes: readonly string[]): string {
  return notes.map((note) => `note: ${note}\n`).join('');
}

function toJsonValue(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === 'bigint' ? value.toString() : value;
}
