import { createColors } from 'picocolors';
import type { Diagnostic } from '../base/diagnostic';
import { redact } from '../base/redaction';
import { disarmCiCommands, showInvisible } from '../base/untrusted-text';
import { errorCodeOf, wrapFsErrors } from '../files/fs-error';
import { type AnnotationFormat, formatAnnotations } from '../report/ci-annotations';
import type { Block, Style } from '../report/document/document';
import { writeTerminal } from '../report/document/write-terminal';
import { guardLines, isUnchanged } from './guard-lines';
import { formatJsonLines } from './json-lines';
import type { RecordOpener } from './kept-records';
import { escapeSequences, wrapLines } from './terminal';

/** The input and output of the process, or of a test. */
export interface RawIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal: boolean;

  /** The columns of the terminal. Absent: unknown, or no terminal. */
  readonly width?: number | undefined;

  /** Reports progress. Absent: progress is not shown. */
  readonly progress?: ((what: string) => void) | undefined;

  /** Asks a question on the terminal. Absent: there is no person to ask. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: () => string;

  /** Opens records that only save time. Absent: none are kept. */
  readonly records?: RecordOpener | undefined;
}

/** The input and output of a command. Secrets never pass, and texts of users can neither style nor command anything. */
export interface Io extends RawIo {
  /** Prints commands to a CI on standard error. `err` escapes them. */
  readonly annotate: (text: string) => void;

  /** Prints manifests on standard output as they are. The caller makes sure that they hold no secret. */
  readonly outManifests: (text: string) => void;

  /** Prints a JSON document on standard output. */
  readonly outDocument: (kind: string, value: object) => void;

  /** Hides a secret of this run in everything that follows. */
  readonly hide: (secret: string) => void;

  /** Sets the arguments for the fleet of this run, which commands in later messages then name instead of `DIR`. */
  readonly nameFleet: (args: string) => void;

  /** Puts the fleet of this run into the commands of a text. */
  readonly completeCommands: (text: string) => string;
}

/**
 * Wraps the output of a command: secrets are hidden, and invisible characters and commands to a CI in names and files of
 * users are shown instead of executed: an escape as `\u001b`. Own colours, new lines and tabs are kept. JSON stays JSON
 * of the same values, except for secrets.
 */
export function guardOutput(raw: RawIo): Io {
  const secrets = new Set<string>();
  const { progress } = raw;
  let fleet: string | undefined;
  const completeCommands = (text: string): string =>
    // Millions of lines are asked, and to look for a word is faster than to look for a command.
    fleet === undefined || !text.includes('DIR')
      ? text
      : text.replaceAll(COMMAND_ON_FLEET, `$1 ${fleet.replaceAll('$', '$$$$')}`);
  const guardPart = (text: string): string => disarmCiCommands(escapeSequences(redact(text, secrets)));
  // Secrets of a run can have any form, so that only the whole text shows them.
  const guard = (text: string): string => (secrets.size > 0 ? guardPart(text) : guardLines(text, guardPart));
  // Quotes would break the strings of a JSON document.
  const out = (text: string): void => write(guard(fleet && /["'\\]/.test(fleet) ? text : completeCommands(text)));
  const write = (text: string): void => wrapFsErrors('not-written', STANDARD_OUTPUT, () => raw.out(text));
  const writeError = (text: string): void => ignoreFsErrors(() => raw.err(text));
  const isKept = (lines: string): boolean => completeCommands(lines) === lines && isUnchanged(lines, guardPart);
  return {
    ...raw,
    out,
    outDocument: (kind, value) => {
      const { parts, lines } = formatJsonLines(toDocument(kind, value));
      if (secrets.size === 0 && lines && inTexts(lines).every(isKept)) for (const part of parts) write(part);
      else out(parts.join(''));
    },
    err: (text) => writeError(guard(completeCommands(text))),
    nameFleet: (args) => void (fleet = args),
    completeCommands,
    annotate: (text) => writeError(showInvisible(redact(text, secrets))),
    outManifests: write,
    hide: (secret) => void secrets.add(secret),
    progress: progress && ((what) => progress(guard(what))),
  };
}

/** The lines that are guarded as one text: to ask about each costs more than to read it. */
const LINES_OF_TEXT = 256;

function inTexts(lines: readonly string[]): string[] {
  const count = Math.ceil(lines.length / LINES_OF_TEXT);
  return Array.from({ length: count }, (_, i) => lines.slice(i * LINES_OF_TEXT, (i + 1) * LINES_OF_TEXT).join(''));
}

/** What messages call the output of a run that cannot be written, such as to a full disk. */
export const STANDARD_OUTPUT = 'standard output';

/** Nothing is left to report a problem of the error stream to. */
function ignoreFsErrors(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (errorCodeOf(error) === undefined) throw error;
  }
}

/** A command in a message that does not know the folder of the fleet. */
const COMMAND_ON_FLEET = /\b(fleetwright [a-z-]+(?: --from modelplane| [\w.-]+(?:\/[\w.-]+){1,2})?) DIR\b/g;

export interface OutputFlags {
  readonly json?: boolean;
  /** False with `--no-color`. */
  readonly color?: boolean;

  /** The annotation format of the CI, to report problems there too. */
  readonly annotations?: AnnotationFormat;
}

/** The versions of JSON documents, 1 if not listed. They increase when a field goes or changes its meaning. */
const JSON_VERSIONS: Readonly<Record<string, number>> = { Explanation: 2, Plan: 2 };

/**
 * Creates the style of the output: colours on a terminal and with `FORCE_COLOR`, unless `--no-color` or `NO_COLOR` is
 * set. As in Node, `FORCE_COLOR` wins over `NO_COLOR`, and `FORCE_COLOR=0` means none.
 */
export function createStyle({ terminal, env }: Io, { color = true }: OutputFlags): Style {
  const forced = env.FORCE_COLOR === undefined ? undefined : !['0', 'false'].includes(env.FORCE_COLOR);
  const wanted = forced ?? (terminal && !env.NO_COLOR && env.TERM !== 'dumb');
  const { green, red, yellow, bold, dim } = createColors(color && wanted);
  return { add: green, remove: red, change: yellow, warn: yellow, strong: bold, faint: dim };
}

export function formatJsonDocument(kind: string, value: object): string {
  return formatJsonLines(toDocument(kind, value)).parts.join('');
}

function toDocument(kind: string, value: object): object {
  return { kind, version: JSON_VERSIONS[kind] ?? 1, ...value };
}

interface JsonDocument {
  readonly kind: string;
  readonly version: number;
}

/** Prints the result of a command: a JSON document with `--json`, else text. */
export function printResult<D extends JsonDocument = JsonDocument & Readonly<Record<string, unknown>>>(
  kind: D['kind'],
  fields: Omit<D, 'kind' | 'version'>,
  blocks: () => readonly Block[],
  run: Printing,
): void {
  if (run.flags.json) run.io.outDocument(kind, fields);
  else run.io.out(formatBlocks(blocks(), run));
}

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
  const text = io.completeCommands(writeTerminal(blocks, { style: createStyle(io, flags), width }));
  return `${fit ? wrapLines(text, width) : text}\n`;
}

/** Prints annotations to standard error, so that standard output stays complete. Calls `found` only if needed. */
export function printAnnotations(found: () => readonly Diagnostic[], { annotations }: OutputFlags, io: Io): void {
  if (annotations) io.annotate(formatAnnotations(found(), annotations));
}
