import type { FleetSettings } from '../../api/fleet';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedName } from '../../api/resource';
import { adapterPath, type EngineFiles, pathOf } from '../../engine/files';
import type { CacheSize } from '../../engine/startup';
import type { Fleet } from '../../fleet';
import type { JsonObject } from '../manifest';
import { cacheClaimName } from '../names';
import { cacheImage } from './images';
import { folderOf, stagedCache } from './staged';
import { sharedStorageClass } from './storage-class';

/** A cache as the pods of a replica have it. */
export interface MountedCache {
  readonly content: ModelCache['spec']['content'];

  /** What pods call the volume. */
  readonly volume: string;
  readonly claimName: string;

  /** The folder of the volume that engines see. Absent: all of it. */
  readonly folder?: string;

  /** Where engines see it. */
  readonly mountPath: string;

  /** Adapters only: the name by which requests choose it. */
  readonly adapter?: string;

  /** The size of the volume. Absent where nobody says. */
  readonly sizeGiB?: number;

  /** The image that stages it. Absent: its files are there already. */
  readonly stagedBy?: string;
}

/** The caches of a fleet, by `namespace/name`, and its settings. */
export interface Caches {
  readonly byName: ReadonlyMap<string, ModelCache>;
  readonly settings?: FleetSettings | undefined;
}

/** The caches of a fleet, to find them by name. */
export function cachesOf({ caches, settings }: Pick<Fleet, 'caches' | 'settings'>): Caches {
  return { byName: new Map(caches.map((one) => [qualifiedName(one), one])), settings };
}

/** The caches that a deployment mounts on a cluster: its model first, then its adapters in their order. */
export function mountedCaches(
  { metadata, spec }: ModelDeployment,
  cluster: InferenceCluster,
  { byName, settings }: Caches,
): MountedCache[] {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  const mounted = (name: string, place: (cache: ModelCache) => Place): MountedCache[] => {
    const cache = byName.get(`${metadata.namespace}/${name}`);
    return cache ? [{ ...placed(cache, place(cache)), ...onVolume(cache, cluster, settings) }] : [];
  };
  return [
    ...mounted(modelCacheRef?.name ?? '', (cache) => ({ volume: 'model-cache', mountPath: pathOf(cache) })),
    ...loraAdapters.flatMap(({ name, modelCacheRef: ref }, index) =>
      mounted(ref.name, () => ({ volume: `adapter-${index}`, mountPath: adapterPath(name), adapter: name })),
    ),
  ];
}

function placed(
  { spec: { content, sizeGiB } }: ModelCache,
  place: Place,
): Place & Pick<MountedCache, 'content'> {
  return { content, ...(sizeGiB !== undefined && { sizeGiB }), ...place };
}

type Place = Pick<MountedCache, 'volume' | 'mountPath' | 'adapter'>;

function onVolume(
  cache: ModelCache,
  cluster: InferenceCluster,
  settings: Caches['settings'],
): Pick<MountedCache, 'claimName' | 'folder' | 'stagedBy'> {
  const staged = stagedCache(cache);
  if (staged) {
    return {
      claimName: cacheClaimName(cache.metadata, sharedStorageClass(cluster)),
      folder: folderOf(cache),
      stagedBy: cacheImage(staged.source, settings),
    };
  }
  const { claimName = '', path } = cache.spec.existingPVC ?? {};
  return { claimName, ...(path !== undefined && { folder: path }) };
}

/** What engines are told of: the model, and the adapters. */
export function engineFiles(caches: readonly MountedCache[]): EngineFiles {
  const model = modelOf(caches);
  const adapters = caches.flatMap(({ adapter, mountPath }) =>
    adapter === undefined ? [] : [{ name: adapter, path: mountPath }],
  );
  return { ...(model && { model: model.mountPath }), adapters };
}

/** How much an engine has to load, or nothing where nobody says. */
export function modelSize(caches: readonly MountedCache[]): CacheSize | undefined {
  const { sizeGiB } = modelOf(caches) ?? {};
  return sizeGiB === undefined ? undefined : { sizeGiB };
}

function modelOf(caches: readonly MountedCache[]): MountedCache | undefined {
  return caches.find(({ content, adapter }) => content === 'Model' && adapter === undefined);
}

/** The volume of a cache in a pod. Two caches of one claim are two volumes. */
export function cacheVolume({ volume, claimName }: MountedCache): JsonObject {
  return { name: volume, persistentVolumeClaim: { claimName } };
}

/** What an engine sees of a cache. Writable: engines put lock and compile files beside the weights. */
export function cacheMount({ volume, mountPath, folder }: MountedCache): JsonObject {
  return { name: volume, mountPath, ...(folder !== undefined && { subPath: folder }) };
}
