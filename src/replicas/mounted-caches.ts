import type { FleetSettings } from '../api/fleet-settings';
import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { adapterPathOf, type EngineFiles, modelPathOf } from '../engine/model-files';
import type { Fleet } from '../fleet/fleet';
import type { JsonObject } from '../manifest/kubernetes/manifest';
import { type CacheVolume, describeCacheVolume } from './cache-volumes';

/** A cache that the pods of a replica mount. */
export interface MountedCache extends CacheVolume {
  readonly content: ModelCache['spec']['content'];

  /** The name of the volume in pods. */
  readonly volume: string;

  /** The path at which engines mount it. */
  readonly mountPath: string;

  /** For adapters only: the name by which requests choose it. */
  readonly adapter?: string;

  /** The size of the volume. Absent if it is not declared. */
  readonly sizeGiB?: number;

  /** The repository on Hugging Face that its files are from. */
  readonly repository?: string;
}

/** The caches of a fleet, by `namespace/name`, and its settings. */
export interface CacheIndex {
  readonly byName: ReadonlyMap<string, ModelCache>;
  readonly settings?: FleetSettings | undefined;
}

/** Indexes the caches of a fleet by name. */
export function indexCaches({ caches, settings }: Pick<Fleet, 'caches' | 'settings'>): CacheIndex {
  return { byName: new Map(caches.map((cache) => [qualifiedNameOf(cache), cache])), settings };
}

/** The caches that a deployment mounts on a cluster: its model first, then its adapters in their order. */
export function listMountedCaches(
  { metadata, spec }: ModelDeployment,
  cluster: InferenceCluster,
  { byName, settings }: CacheIndex,
): MountedCache[] {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  const mounted = (name: string, place: (cache: ModelCache) => MountPoint): MountedCache[] => {
    const cache = byName.get(`${metadata.namespace}/${name}`);
    if (!cache) return [];
    const { content, sizeGiB, huggingFace } = cache.spec;
    const size = sizeGiB === undefined ? {} : { sizeGiB };
    const from = huggingFace === undefined ? {} : { repository: huggingFace.repo };
    return [{ content, ...size, ...from, ...place(cache), ...describeCacheVolume(cache, { cluster, settings }) }];
  };
  return [
    ...mounted(modelCacheRef?.name ?? '', (cache) => ({ volume: 'model-cache', mountPath: modelPathOf(cache) })),
    ...loraAdapters.flatMap(({ name, modelCacheRef: ref }, index) =>
      mounted(ref.name, () => ({ volume: `adapter-${index}`, mountPath: adapterPathOf(name), adapter: name })),
    ),
  ];
}

type MountPoint = Pick<MountedCache, 'volume' | 'mountPath' | 'adapter'>;

/** The files that the arguments of engines name: the model, and the adapters. */
export function mountedEngineFilesOf(caches: readonly MountedCache[]): EngineFiles {
  const model = modelCacheOf(caches);
  const adapters = caches.flatMap(({ adapter, mountPath }) =>
    adapter === undefined ? [] : [{ name: adapter, path: mountPath }],
  );
  return { ...(model && { model: model.mountPath }), adapters };
}

/** The size in GiB of the model that an engine loads, or nothing if it is not declared. */
export function modelSizeOf(caches: readonly MountedCache[]): number | undefined {
  return modelCacheOf(caches)?.sizeGiB;
}

/** The cache of the model that an engine loads. */
export function modelCacheOf(caches: readonly MountedCache[]): MountedCache | undefined {
  return caches.find(({ content, adapter }) => content === 'Model' && adapter === undefined);
}

/** The volume of a cache in a pod. Two caches of one claim are two volumes. */
export function cacheVolumeOf({ volume, volumeSource }: MountedCache): JsonObject {
  return { name: volume, ...volumeSource };
}

/**
 * The mount of a cache in an engine. It is writable where the volume is, because engines put lock and compile files
 * next to the weights.
 */
export function cacheMountOf({ volume, mountPath, folder, readOnly }: MountedCache): JsonObject {
  return {
    name: volume,
    mountPath,
    ...(folder !== undefined && { subPath: folder }),
    ...(readOnly && { readOnly }),
  };
}
