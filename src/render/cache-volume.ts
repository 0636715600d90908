import type { ModelDeployment } from '../api/model-deployment';
import { CACHE_PATH } from '../engine/fill';
import type { JsonObject } from './manifest';
import { cacheClaimName } from './names';

const VOLUME = 'model-cache';

/** A volume of a pod and where its container sees it. */
export interface MountedVolume {
  readonly volume: JsonObject;
  readonly mount: JsonObject;
}

/** The cache of a deployment as a volume, or nothing. Writable: engines put lock and compile files beside the weights. */
export function cacheVolume({ metadata: { namespace }, spec }: ModelDeployment): MountedVolume | undefined {
  const cache = spec.template.spec.modelCacheRef;
  if (!cache) return undefined;
  const claimName = cacheClaimName({ ...(namespace !== undefined && { namespace }), name: cache.name });
  return {
    volume: { name: VOLUME, persistentVolumeClaim: { claimName } },
    mount: { name: VOLUME, mountPath: CACHE_PATH },
  };
}
