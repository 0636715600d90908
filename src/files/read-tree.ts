import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { suggestName } from '../base/name-suggestion';
import { DEFAULT_LIMITS, describeLargeTotal } from '../manifest/input-limits';
import type { FileReadings } from '../manifest/reuse-declarations';
import type { SourceFile } from '../manifest/source-file';
import { findManifests } from './find-manifests';
import { wrapFsErrors } from './fs-error';
import { readInventory } from './output-inventory';
import { decodeUtf8, readTextFile } from './read-file';

/** Options of reading manifests: exclusions, standard input and progress. */
export interface ReadTreeOptions {
  /** Files and folders to skip although they look like manifests: the lock, files that a resource refers to. */
  readonly exclude?: Iterable<string>;

  /** Whether `readManifests` reads links and named files that lead out of the folder of the fleet. Default: no. */
  readonly allowOutside?: boolean | undefined;

  /** Reads standard input. Default: that of the process. */
  readonly stdin?: () => string;

  /** Called for each file before it is parsed, with `reading us.yaml`. */
  readonly progress?: ((what: string) => void) | undefined;

  /** The content of files that were read before. Files with the same text are not parsed again. */
  readonly earlier?: FileReadings | undefined;
}

/**
 * Reads a file, all manifests in a folder, or standard input (`-`). A file that is passed directly can have any name.
 * Paths in the result start as the user typed them, in order.
 *
 * @param within the real path of a folder that links must not leave. Default: they may lead anywhere
 * @throws FleetwrightError with all missing and unreadable files
 */
export function readTree(
  target: string,
  { exclude = [], stdin = readStdin }: ReadTreeOptions = {},
  within?: string,
): SourceFile[] {
  if (target === '-') return [{ path: '-', text: stdin() }];
  const stat = wrapFsErrors('unreadable', target, () => statSync(target, { throwIfNoEntry: false }));
  if (!stat) throw new FleetwrightError([notFoundProblem(target)]);
  if (!stat.isDirectory()) return [{ path: target, text: readTextFile(target) }];

  const { paths, problems } = findManifests(target, resolveExcluded(target, exclude), within);
  const { files, problems: unread } = readWithinLimit(paths);
  const all = [...problems, ...unread];
  if (all.length > 0) throw new FleetwrightError(all);
  if (files.length === 0) throw new FleetwrightError([noManifestsProblem(target)]);
  return files;
}

/** The absolute paths to skip, with and without resolved links. Output files in the folder itself are skipped too. */
function resolveExcluded(folder: string, exclude: Iterable<string>): ReadonlySet<string> {
  const written = (readInventory(folder) ?? []).map((path) => join(folder, path));
  const paths = [...exclude, ...written];
  return new Set(paths.flatMap((path) => (existsSync(path) ? [resolve(path), realpathSync(path)] : [])));
}

function readWithinLimit(paths: readonly string[]): { files: SourceFile[]; problems: Diagnostic[] } {
  const files: SourceFile[] = [];
  const problems: Diagnostic[] = [];
  let total = 0;
  for (const path of paths) {
    try {
      const text = readTextFile(path);
      total += Buffer.byteLength(text);
      files.push({ path, text });
    } catch (error) {
      if (!(error instanceof FleetwrightError)) throw error;
      problems.push(...error.diagnostics);
    }
    // The rest can have any size, so reading stops.
    if (total > DEFAULT_LIMITS.totalBytes)
      return { files, problems: [...problems, describeLargeTotal(path, DEFAULT_LIMITS)] };
  }
  return { files, problems };
}

function readStdin(): string {
  return wrapFsErrors('unreadable', '-', () => decodeUtf8('-', readFileSync(0)));
}

function notFoundProblem(target: string): Diagnostic {
  const folder = dirname(target);
  const siblings = wrapFsErrors('unreadable', folder, () => (existsSync(folder) ? readdirSync(folder) : []));
  const meant = suggestName(basename(target), siblings);
  const hint = meant ? `Use '${join(folder, meant)}'` : 'Check the path';
  return errorAt('not-found', target, 'there is no such file or folder', hint);
}

function noManifestsProblem(target: string): Diagnostic {
  const hint = 'Use a folder with .yaml, .yml or .json files of a fleet';
  return errorAt('no-manifests', target, 'this folder has no manifests', hint);
}
