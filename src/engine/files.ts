import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { Adapter } from './additions';

/** Where engines find the files of a cache, unless it says otherwise. Part of the API: args of users name it. */
const MODEL_PATH = '/mnt/models';

/** The folder with a folder for each adapter. Part of the API: scripts of users name it. */
export const ADAPTERS_PATH = '/mnt/adapters';

/** Files that the pods of an engine find on their disks, and that it is told of. */
export interface EngineFiles {
  /** The directory of the model. Absent: none is there. */
  readonly model?: string;
  readonly adapters: readonly Adapter[];
}

/** What engines find of which no cache is named. */
const NO_FILES: EngineFiles = { adapters: [] };

/** What the engines of a deployment find on their disks, by the caches that it names. */
export function filesOf({ metadata, spec }: ModelDeployment, caches: readonly ModelCache[]): EngineFiles {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  if (!modelCacheRef && loraAdapters.length === 0) return NO_FILES;
  const cache = caches.find(
    (one) => one.metadata.namespace === metadata.namespace && one.metadata.name === modelCacheRef?.name,
  );
  const adapters = loraAdapters.map(({ name }) => ({ name, path: adapterPath(name) }));
  return { ...(cache?.spec.content === 'Model' && { model: pathOf(cache) }), adapters };
}

/** Where the files of a cache are, other than an adapter's. */
export function pathOf({ spec }: ModelCache): string {
  return spec.mountPath ?? MODEL_PATH;
}

/** Where the files of an adapter are. */
export function adapterPath(name: string): string {
  return `${ADAPTERS_PATH}/${name}`;
}
