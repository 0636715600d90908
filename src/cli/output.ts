import { createColors } from 'picocolors';
import type { Diagnostic } from '../base/diagnostic';
import { type AnnotationFormat, formatAnnotations } from '../report/ci-annotations';
import type { Style } from '../report/document/terminal-style';

/** Where a command reads and writes: the process itself, or a test. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person looks at the output. */
  readonly terminal: boolean;

  /** Columns of the terminal. Absent: nobody knows, or it is none. */
  readonly width?: number | undefined;

  /** Tells a person who waits what is done from now on. Absent: nobody waits. */
  readonly progress?: ((what: string) => void) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => string;
}

/** Flags of all commands that print. */
export interface OutputFlags {
  readonly json?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;

  /** The CI to tell of problems besides. */
  readonly annotations?: AnnotationFormat;
}

/** The versions of the JSON documents that the command prints: 1 of others. It grows when a field goes or changes meaning. */
const JSON_VERSIONS: Readonly<Record<string, number>> = { Explanation: 2, Plan: 2 };

/** Colours, on a terminal and unless `NO_COLOR` or `--no-color` says otherwise. */
export function createStyle({ terminal, env }: Io, { color = true }: OutputFlags): Style {
  const { green, red, yellow, bold, dim } = createColors(
    terminal && color && !env.NO_COLOR && env.TERM !== 'dumb',
  );
  return { add: green, remove: red, change: yellow, warn: yellow, strong: bold, faint: dim };
}

/** One JSON document: what kind of document it is, its version, and its fields. */
export function formatJsonDocument(kind: string, value: object): string {
  const text = JSON.stringify({ kind, version: JSON_VERSIONS[kind] ?? 1, ...value }, toJsonValue, 2);
  return `${text}\n`;
}

/** What `jsonDocument` adds to the fields of a document. */
interface JsonDocument {
  readonly kind: string;
  readonly version: number;
}

/** What a command found out, as a JSON document where that is asked for, else as text for a person. */
export function printResult<D extends JsonDocument>(
  kind: D['kind'],
  fields: Omit<D, 'kind' | 'version'>,
  text: (style: Style) => string,
  { flags, io }: { readonly flags: OutputFlags; readonly io: Io },
): void {
  io.out(flags.json ? formatJsonDocument(kind, fields) : text(createStyle(io, flags)));
}

/**
 * Tells a CI of what is wrong, where that is asked for. On standard error: what a command prints stays whole.
 *
 * @param found asked only then
 */
export function printAnnotations(
  found: () => readonly Diagnostic[],
  { annotations }: OutputFlags,
  io: Io,
): void {
  if (annotations) io.err(formatAnnotations(found(), annotations));
}

/** Notes, one a line. */
export function formatNotes(notes: readonly string[]): string {
  return notes.map((note) => `note: ${note}\n`).join('');
}

function toJsonValue(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === 'bigint' ? value.toString() : value;
}
