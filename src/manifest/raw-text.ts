import type { Problem } from '../errors';
import { sizeText, type Limits } from './limits';
import type { Source, SourceFile } from './source';

/** A line that git leaves in a file it could not merge; `diff3` style adds the one with bars. */
const CONFLICT_MARKER = /^(<{7} |\|{7} |={7}$|>{7} )/m;

/**
 * What makes a file unfit to parse: a merge that was not finished, or binary data.
 * One problem stands for the cascade of syntax errors that would follow.
 */
export function rawTextProblem(source: Source): Problem | undefined {
  const marker = CONFLICT_MARKER.exec(source.text);
  if (marker) {
    return {
      code: 'conflict-markers',
      where: source.place(marker.index),
      what: `'${marker[0].trim()}' is a merge-conflict marker`,
      hint: 'Finish the merge and remove the markers',
    };
  }
  const nul = source.text.indexOf('\0');
  if (nul === -1) return undefined;
  return {
    code: 'not-text',
    where: source.place(nul),
    what: 'a NUL character stands here, so this is no text file',
    hint: 'Leave it out, or save it as UTF-8',
  };
}

/** The files that are small enough, alone and together; a problem for each that is not. */
export function withinLimits(
  files: readonly SourceFile[],
  limits: Limits,
  problems: Problem[],
): SourceFile[] {
  const readable: SourceFile[] = [];
  let total = 0;
  for (const file of files) {
    const bytes = Buffer.byteLength(file.text);
    total += bytes;
    if (total > limits.totalBytes) {
      problems.push(totalTooLarge(file.path, limits));
      break;
    }
    if (bytes > limits.fileBytes) problems.push(fileTooLarge(file.path, bytes, limits));
    else readable.push(file);
  }
  return readable;
}

/** The problem of one file that is over the limit. */
export function fileTooLarge(path: string, bytes: number, limits: Limits): Problem {
  return {
    code: 'too-large',
    where: path,
    what: `the file has ${sizeText(bytes)}, and the limit is ${sizeText(limits.fileBytes)} a file`,
    hint: 'Split it, or leave it out',
  };
}

/** The problem of the file that brings the sum over the limit. */
export function totalTooLarge(path: string, limits: Limits): Problem {
  return {
    code: 'too-large',
    where: path,
    what: `with this file the manifests pass ${sizeText(limits.totalBytes)}, the limit for one run`,
    hint: 'Name a folder that holds only the fleet',
  };
}
