import type { JsonObject } from './manifest';

/** A volume of a pod and where its container sees it. */
export interface MountedVolume {
  readonly volume: JsonObject;
  readonly mount: JsonObject;
}
