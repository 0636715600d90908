import { DEFAULT_LIMITS, type Limits } from './input-limits';
import type * as LoadFiles from './load-files';
import type { LoadedManifests } from './load-files';
import type { FileReadings } from './reuse-declarations';
import type { SourceFile } from './source-file';

/**
 * Reads manifests: every resource of ours that the files hold, and every problem with its place.
 *
 * @param limits - default: `LIMITS`
 * @param onFile is told of each file before it is parsed, by its path
 * @param earlier what files held when they were read before: those of the same text are not parsed again. Default: none
 * @example
 * const { resources, problems } = loadManifests([{ path: 'fleet.yaml', text }]);
 */
export function loadManifests(
  files: readonly SourceFile[],
  limits: Limits = DEFAULT_LIMITS,
  onFile?: (path: string) => void,
  earlier?: FileReadings,
): LoadedManifests {
  // Loaded on first use: programs have nothing to read, and the YAML library takes its time.
  const { loadFiles } = require('./load-files') as typeof LoadFiles;
  return loadFiles(files, limits, onFile, earlier);
}
