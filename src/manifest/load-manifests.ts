import { DEFAULT_LIMITS, type Limits } from './input-limits';
import type * as LoadFiles from './load-files';
import type { LoadedManifests } from './load-files';
import type { ReadBefore } from './reuse-declarations';
import type { SourceFile } from './source-file';

/**
 * Reads manifests: all Fleetwright resources in the files, and all problems with their positions.
 *
 * @param limits default: `DEFAULT_LIMITS`
 * @param onFile called with the path of each file before it is parsed
 * @param before the result of an earlier load of the fleet. Unchanged resources become the same objects, and files with
 *   the same text are not parsed again. Default: nothing
 * @example
 * const { resources, problems } = loadManifests([{ path: 'fleet.yaml', text }]);
 */
export function loadManifests(
  files: readonly SourceFile[],
  limits: Limits = DEFAULT_LIMITS,
  onFile?: (path: string) => void,
  before?: ReadBefore,
): LoadedManifests {
  // Loaded on first use: programs read no manifests, and the YAML library is slow to load.
  const { loadFiles } = require('./load-files') as typeof LoadFiles;
  return loadFiles(files, limits, onFile, before);
}
