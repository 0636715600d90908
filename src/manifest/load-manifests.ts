import { DEFAULT_LIMITS, type Limits } from './input-limits';
import type * as LoadFiles from './load-files';
import type { LoadedManifests } from './load-files';
import type { FileReadings } from './reuse-declarations';
import type { SourceFile } from './source-file';

/**
 * Reads manifests: all Fleetwright resources in the files, and all problems with their positions.
 *
 * @param limits default: `DEFAULT_LIMITS`
 * @param onFile called with the path of each file before it is parsed
 * @param earlier the content of files that were read before; files with the same text are not parsed again. Default:
 *   none
 * @example
 * const { resources, problems } = loadManifests([{ path: 'fleet.yaml', text }]);
 */
export function loadManifests(
  files: readonly SourceFile[],
  limits: Limits = DEFAULT_LIMITS,
  onFile?: (path: string) => void,
  earlier?: FileReadings,
): LoadedManifests {
  // Loaded on first use: programs read no manifests, and the YAML library is slow to load.
  const { loadFiles } = require('./load-files') as typeof LoadFiles;
  return loadFiles(files, limits, onFile, earlier);
}
