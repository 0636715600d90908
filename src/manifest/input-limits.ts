import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { SourceFile, SourceText } from './source-file';

/** How much input a run takes before it refuses, so that a wrong path or a hostile file ends with a message. */
export interface Limits {
  /** Bytes of one file. */
  readonly fileBytes: number;

  /** Bytes of all files together. */
  readonly totalBytes: number;

  /** YAML documents, and items of a `List`, of all files together. */
  readonly documents: number;

  /** Words and signs of one document, as the parser counts them: its nodes take some 300 bytes each. */
  readonly tokens: number;

  /** Collections around one value, counted through aliases. */
  readonly depth: number;

  /** Values that aliases repeat, of all files together: a few lines of aliases can stand for billions. */
  readonly aliasedValues: number;
}

const MIB = 1024 * 1024;

/** The limits of a normal run: some four times what a fleet of 1,000 clusters and 10,000 deployments needs. */
export const DEFAULT_LIMITS: Limits = {
  fileBytes: 10 * MIB,
  totalBytes: 64 * MIB,
  documents: 100_000,
  tokens: 4_000_000,
  depth: 64,
  aliasedValues: 1_000_000,
};

/** For what a program declares: it is in memory already, and no wrong path or hostile file makes it large. */
export const UNLIMITED: Limits = {
  fileBytes: Infinity,
  totalBytes: Infinity,
  documents: Infinity,
  tokens: Infinity,
  depth: Infinity,
  aliasedValues: Infinity,
};

/** A size in words, as messages give it: `10 MiB`, `300 bytes`. */
export function formatSize(bytes: number): string {
  return bytes >= MIB ? `${Math.ceil((bytes / MIB) * 10) / 10} MiB` : `${bytes} bytes`;
}

/** A line that git leaves in a file it could not merge; `diff3` style adds the one with bars. */
const CONFLICT_MARKER = /^(<{7} |\|{7} |={7}$|>{7} )/m;

/**
 * What makes a file unfit to parse: a merge that was not finished, or binary data.
 * One problem stands for the cascade of syntax errors that would follow.
 */
export function checkRawText(source: SourceText): Diagnostic | undefined {
  const marker = CONFLICT_MARKER.exec(source.text);
  if (marker) {
    return errorAt(
      'conflict-markers',
      source.place(marker.index),
      `'${marker[0].trim()}' is a merge-conflict marker`,
      'Finish the merge and remove the markers',
    );
  }
  const nul = source.text.indexOf('\0');
  if (nul === -1) return undefined;
  return errorAt(
    'not-text',
    source.place(nul),
    'a NUL character stands here, so this is no text file',
    'Leave it out, or save it as UTF-8',
  );
}

/** The files that are small enough, alone and together; a problem for each that is not. */
export function enforceSizeLimits(
  files: readonly SourceFile[],
  limits: Limits,
  problems: Diagnostic[],
): SourceFile[] {
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

/** The problem of one file that is over the limit. */
export function describeLargeFile(path: string, bytes: number, limits: Limits): Diagnostic {
  return errorAt(
    'too-large',
    path,
    `the file has ${formatSize(bytes)}, and the limit is ${formatSize(limits.fileBytes)} a file`,
    'Split it, or leave it out',
  );
}

/** The problem of the file that brings the sum over the limit. */
export function describeLargeTotal(path: string, limits: Limits): Diagnostic {
  return errorAt(
    'too-large',
    path,
    `with this file the manifests pass ${formatSize(limits.totalBytes)}, the limit for one run`,
    'Name a folder that holds only the fleet',
  );
}
