import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { SourceFile, SourceText } from './source-file';

/** Limits on the input of a run, so that a wrong path or a hostile file ends with a message. */
export interface Limits {
  /** Bytes in one file. */
  readonly fileBytes: number;

  /** Bytes in all files together. */
  readonly totalBytes: number;

  /** YAML documents, and items of a `List`, in all files together. */
  readonly documents: number;

  /** Tokens of the YAML lexer in one document. Each takes about 300 bytes of memory. */
  readonly tokens: number;

  /** Nesting depth of collections, counted through aliases. */
  readonly depth: number;

  /** Values that aliases repeat, in all files together: a few lines of aliases can expand to billions of values. */
  readonly aliasedValues: number;
}

const MIB = 1024 * 1024;

/** The limits of a normal run: about four times the needs of a fleet of 1,000 clusters and 10,000 deployments. */
export const DEFAULT_LIMITS: Limits = {
  fileBytes: 10 * MIB,
  totalBytes: 64 * MIB,
  documents: 100_000,
  tokens: 4_000_000,
  depth: 64,
  aliasedValues: 1_000_000,
};

/** No limits, for the declarations of a program, which are trusted and already in memory. */
export const UNLIMITED: Limits = {
  fileBytes: Infinity,
  totalBytes: Infinity,
  documents: Infinity,
  tokens: Infinity,
  depth: Infinity,
  aliasedValues: Infinity,
};

/** Formats a size for messages: `10 MiB`, `300 bytes`. */
function formatSize(bytes: number): string {
  return bytes >= MIB ? `${Math.ceil((bytes / MIB) * 10) / 10} MiB` : `${bytes} bytes`;
}

/** The conflict markers of git. Only the `diff3` style has bars. */
const CONFLICT_MARKER = /^(<{7} |\|{7} |={7}$|>{7} )/m;

/** The YAML library reads it as a part of the line: a comment would swallow the rest of the file. */
const LONE_CARRIAGE_RETURN = /\r(?!\n)/;

/**
 * Reports why a file cannot be parsed: merge-conflict markers, binary data or line ends of Mac OS 9. The single problem replaces the many
 * syntax errors that would follow.
 */
export function checkRawText(source: SourceText): Diagnostic | undefined {
  const marker = CONFLICT_MARKER.exec(source.text);
  if (marker) {
    const what = `'${marker[0].trim()}' is a merge-conflict marker`;
    return errorAt('conflict-markers', source.place(marker.index), what, 'Finish the merge and remove the markers');
  }
  const nul = source.text.indexOf('\0');
  if (nul !== -1) {
    const what = 'a NUL character is here, so this is not a text file';
    return errorAt('not-text', source.place(nul), what, 'Remove it, or save it as UTF-8');
  }
  const carriageReturn = LONE_CARRIAGE_RETURN.exec(source.text);
  if (!carriageReturn) return undefined;
  const what = 'a carriage return without a line feed is here, which only some programs read as the end of a line';
  return errorAt('not-text', source.place(carriageReturn.index), what, 'Save the file with LF or CRLF line ends');
}

/** Returns the files within the size limits, and adds a problem for each file beyond them. */
export function enforceSizeLimits(files: readonly SourceFile[], limits: Limits, problems: Diagnostic[]): SourceFile[] {
  const readable: SourceFile[] = [];
  let total = 0;
  for (const file of files) {
    const bytes = Buffer.byteLength(file.text);
    total += bytes;
    if (total > limits.totalBytes) {
      problems.push(describeLargeTotal(file.path, limits));
      break;
    }
    if (bytes > limits.fileBytes) problems.push(describeLargeFile(file.path, bytes, limits));
    else readable.push(file);
  }
  return readable;
}

export function describeLargeFile(path: string, bytes: number, limits: Limits): Diagnostic {
  const what = `the file has ${formatSize(bytes)}, and the limit is ${formatSize(limits.fileBytes)} a file`;
  return errorAt('too-large', path, what, 'Split it, or remove it');
}

export function describeLargeTotal(path: string, limits: Limits): Diagnostic {
  const what = `with this file the manifests exceed ${formatSize(limits.totalBytes)}, the limit of a run`;
  return errorAt('too-large', path, what, 'Use a folder that has only the fleet');
}
