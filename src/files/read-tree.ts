import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FleetwrightError, type Problem } from '../errors';
import type { ReadBefore } from '../manifest/file-reading';
import { LIMITS } from '../manifest/limits';
import { totalTooLarge } from '../manifest/raw-text';
import type { SourceFile } from '../manifest/source';
import { nearest } from '../nearest';
import { findManifests } from './find-manifests';
import { orProblem } from './fs-error';
import { readInventory } from './inventory';
import { readTextFile } from './read-file';

/** What to leave out, and where standard input comes from. */
export interface ReadOptions {
  /**
   * Files and folders that are not read though they look like manifests: the lock, files that a resource names.
   *
   * @default - none
   */
  readonly exclude?: Iterable<string>;

  /**
   * Reads standard input.
   *
   * @default - that of the process
   */
  readonly stdin?: () => string;

  /**
   * Told of each file before it is parsed: `reading us.yaml`.
   *
   * @default - nobody
   */
  readonly progress?: ((what: string) => void) | undefined;

  /**
   * What was read of the fleet at another time: what did not change becomes the same object.
   *
   * @default - nothing
   */
  readonly before?: ReadBefore | undefined;
}

/**
 * Reads a file, every manifest in a folder, or standard input (`-`). A file that is named is read whatever
 * it is called. Paths in the result start as the user typed them, in order.
 *
 * @throws FleetwrightError with everything that is missing or cannot be read
 */
export function readTree(
  target: string,
  { exclude = [], stdin = readStdin }: ReadOptions = {},
): SourceFile[] {
  if (target === '-') return [{ path: '-', text: stdin() }];
  const stat = orProblem('unreadable', target, () => statSync(target, { throwIfNoEntry: false }));
  if (!stat) throw new FleetwrightError([missing(target)]);
  if (!stat.isDirectory()) return [{ path: target, text: readTextFile(target) }];

  const { paths, problems } = findManifests(target, excludedFrom(target, exclude));
  const { files, problems: unread } = readAll(paths);
  const all = [...problems, ...unread];
  if (all.length > 0) throw new FleetwrightError(all);
  if (files.length === 0) throw new FleetwrightError([empty(target)]);
  return files;
}

/** Absolute paths, links followed and not. What the folder itself was given as output is not read either. */
function excludedFrom(folder: string, exclude: Iterable<string>): ReadonlySet<string> {
  const written = (readInventory(folder) ?? []).map((path) => join(folder, path));
  const paths = [...exclude, ...written];
  return new Set(paths.flatMap((path) => (existsSync(path) ? [resolve(path), realpathSync(path)] : [])));
}

function readAll(paths: readonly string[]): { files: SourceFile[]; problems: Problem[] } {
  const files: SourceFile[] = [];
  const problems: Problem[] = [];
  let total = 0;
  for (const path of paths) {
    try {
      const text = readTextFile(path);
      total += Buffer.byteLength(text);
      files.push({ path, text });
    } catch (error) {
      if (!(error instanceof FleetwrightError)) throw error;
      problems.push(...error.problems);
    }
    // Stops here: the rest could be any amount.
    if (total > LIMITS.totalBytes) return { files, problems: [...problems, totalTooLarge(path, LIMITS)] };
  }
  return { files, problems };
}

function readStdin(): string {
  return orProblem('unreadable', '-', () => readFileSync(0, 'utf8'));
}

function missing(target: string): Problem {
  const folder = dirname(target);
  const siblings = orProblem('unreadable', folder, () => (existsSync(folder) ? readdirSync(folder) : []));
  const meant = nearest(basename(target), siblings);
  return {
    code: 'not-found',
    where: target,
    what: 'there is no such file or folder',
    hint: meant ? `Use '${join(folder, meant)}'` : 'Check the path',
  };
}

function empty(target: string): Problem {
  return {
    code: 'no-manifests',
    where: target,
    what: 'this folder holds no manifests',
    hint: 'Name a folder with .yaml, .yml or .json files of a fleet',
  };
}
