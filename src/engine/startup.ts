import type { Engine } from '../api/engine';
import { secondsOf } from '../api/seconds';

/**
 * How fast an engine reads weights from a file system that many nodes share, in MiB a second. The slow end of what
 * is seen: a basic Filestore of 1 TiB reads 100, EFS gives the loader of vLLM about 190.
 */
const READ_MIB_PER_SECOND = 100;

/** Compilation and capture of CUDA graphs take one to five minutes; twice that, for busy nodes. */
const COMPILE_SECONDS = 600;

/** Where weights come from the internet, of a size that nobody declared. */
const UNKNOWN_SECONDS = 3600;

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
export function startupSeconds({ startup }: Engine, cache: CacheSize | undefined): number {
  if (startup.budget !== undefined) return Math.max(1, secondsOf(startup.budget));
  return cache ? wholeMinutes(COMPILE_SECONDS + readingSeconds(cache)) : UNKNOWN_SECONDS;
}

/** How long a new volume takes until it is there and the files of its cache are on it, in seconds. */
export function stagingSeconds(cache: CacheSize): number {
  return PROVISIONING_SECONDS + wholeMinutes(readingSeconds(cache));
}

/**
 * How long a rollout of an engine may go without progress before it is called failed: until its image is there, its
 * storage made and filled, and its model loaded.
 */
export function progressSeconds(engine: Engine, cache: CacheSize | undefined): number {
  const storage = cache ? stagingSeconds(cache) : 0;
  return PULL_SECONDS + storage + startupSeconds(engine, cache);
}

function readingSeconds({ sizeGiB }: CacheSize): number {
  return (sizeGiB * 1024) / READ_MIB_PER_SECOND;
}

function wholeMinutes(seconds: number): number {
  return Math.ceil(seconds / 60) * 60;
}
