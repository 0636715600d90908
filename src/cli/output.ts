import { createColors } from 'picocolors';
import type { Diagnostic } from '../base/diagnostic';
import { type AnnotationFormat, formatAnnotations } from '../report/ci-annotations';
import type { Block } from '../report/document/document';
import type { Style } from '../report/document/terminal-style';
import { writeTerminal } from '../report/document/write-terminal';
import { wrapLines } from './terminal';

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
export function printResult<D extends JsonDocument = JsonDocument & Readonly<Record<string, unknown>>>(
  kind: D['kind'],
  fields: Omit<D, 'kind' | 'version'>,
  blocks: () => readonly Block[],
  run: Printing,
): void {
  run.io.out(run.flags.json ? formatJsonDocument(kind, fields) : formatBlocks(blocks(), run));
}

/** A command that prints. */
interface Printing {
  readonly flags: OutputFlags;
  readonly io: Io;

  /** Whether lines that are longer than the terminal is wide are broken. */
  readonly fit?: true;
}

/** A document as text for a person. */
export function formatBlocks(blocks: readonly Block[], { flags, io, fit }: Printing): string {
  if (blocks.length === 0) return '';
  const { width } = io;
  const text = writeTerminal(blocks, { style: createStyle(io, flags), width });
  return `${fit ? wrapLines(text, width) : text}\n`;
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
export function formatNotes(notes: readonly string[]): string[] {
  return notes.map((note) => `note: ${note}`);
}

function toJsonValue(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === 'bigint' ? value.toString() : value;
}
