import type { Engine } from '../api/engine';
import { parseDuration } from '../base/duration';
import type { EngineProfile } from '../catalog/engines/engine-profile';

/**
 * How fast an engine reads weights from a file system that many nodes share, in MiB a second. The slow end of what
 * is seen: a basic Filestore of 1 TiB reads 100, EFS gives the loader of vLLM about 190.
 */
const READ_MIB_PER_SECOND = 100;

/** Compilation and capture of CUDA graphs take one to five minutes; twice that, for busy nodes. */
const COMPILE_SECONDS = 600;

/** Where weights come from the internet, of a size that nobody declared. */
const UNKNOWN_SIZE_SECONDS = 3600;

/** Images of engines have 10 to 25 GB. */
const PULL_SECONDS = 1800;

/** A new Filestore or EFS volume is there after several minutes; its claim is pending until then. */
const PROVISIONING_SECONDS = 900;

/** What counts of a cache. */
export interface CacheSize {
  readonly sizeGiB: number;
}

/**
 * How long an engine may load before its pod is started anew, in seconds: as declared, else by the size of its cache.
 * 15 GiB give 13 minutes, 140 GiB 34, 500 GiB 96.
 */
export function startupSecondsOf({ startup }: Engine, cache: CacheSize | undefined): number {
  if (startup.budget !== undefined) return Math.max(1, parseDuration(startup.budget));
  return cache ? roundUpToMinutes(COMPILE_SECONDS + readSecondsOf(cache)) : UNKNOWN_SIZE_SECONDS;
}

/** How long a new volume takes until it is there and the files of its cache are on it, in seconds. */
export function stagingSecondsOf(cache: CacheSize): number {
  return PROVISIONING_SECONDS + roundUpToMinutes(readSecondsOf(cache));
}

/**
 * How long a rollout of an engine may go without progress before it is called failed: until its image is there, its
 * storage made and filled, and its model loaded.
 */
export function progressSecondsOf(engine: Engine, cache: CacheSize | undefined): number {
  const storage = cache ? stagingSecondsOf(cache) : 0;
  return PULL_SECONDS + storage + startupSecondsOf(engine, cache);
}

function readSecondsOf({ sizeGiB }: CacheSize): number {
  return (sizeGiB * 1024) / READ_MIB_PER_SECOND;
}

function roundUpToMinutes(seconds: number): number {
  return Math.ceil(seconds / 60) * 60;
}

/** Until every proxy has heard that a pod gets no more requests. */
const DEREGISTRATION_SECONDS = 15;

/** What a pod does before its engine is told to end. */
export type PreStopHook =
  | { readonly sleep: { readonly seconds: number } }
  | { readonly exec: { readonly command: readonly string[] } };

/**
 * What keeps an engine running until proxies know that it leaves, and, where it would cut off what it is writing,
 * until that is done. Workers wait for the requests of their leader. Nothing where there is no time.
 *
 * @param grace how long the pod has to end, in seconds
 * @param address where the metrics of the engine are, for a shell: `localhost:8000`
 */
export function buildPreStop(
  grace: number,
  profile: EngineProfile,
  address: string,
): PreStopHook | undefined {
  const seconds = Math.min(DEREGISTRATION_SECONDS, Math.floor(grace / 2));
  if (seconds === 0) return undefined;
  const { inFlight, metrics } = profile;
  if (inFlight === undefined || !metrics) return { sleep: { seconds } };
  const busy = `curl -sf -m 5 "http://${address}${metrics.path}" | grep -qE '${inFlight}'`;
  return { exec: { command: ['sh', '-c', `sleep ${seconds}; while ${busy}; do sleep 2; done`] } };
}
