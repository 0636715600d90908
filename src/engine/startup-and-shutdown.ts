import type { Engine } from '../api/engine';
import { parseDuration } from '../base/duration';
import type { EngineProfile } from '../catalog/engines/engine-profile';
import { READ_MIB_PER_SECOND } from '../catalog/start-times';

/** Compilation and capture of CUDA graphs take one to five minutes; doubled for busy nodes. */
const COMPILE_SECONDS = 600;

/** For weights from the internet whose size is not declared. */
const UNKNOWN_SIZE_SECONDS = 3600;

/** Images of engines have 10 to 25 GB. */
const PULL_SECONDS = 1800;

/** A new Filestore or EFS volume exists after several minutes. Its claim is pending until then. */
const PROVISIONING_SECONDS = 900;

/**
 * The time that an engine may load before its pod is restarted, in seconds: as declared, else by the size of its
 * cache. 15 GiB give 13 minutes, 140 GiB 34, 500 GiB 96.
 */
export function startupSecondsOf({ startup }: Engine, cacheGiB: number | undefined): number {
  if (startup.budget !== undefined) return Math.max(1, parseDuration(startup.budget));
  if (cacheGiB === undefined) return UNKNOWN_SIZE_SECONDS;
  return roundUpToMinutes(COMPILE_SECONDS + readSecondsOf(cacheGiB));
}

/** The same for an engine without a declared budget that reads files of a size, or downloads them first. */
export function estimateStartupSeconds(filesGiB: number, cached: boolean): number {
  const download = cached ? 0 : readSecondsOf(filesGiB);
  return roundUpToMinutes(COMPILE_SECONDS + download + readSecondsOf(filesGiB));
}

/** The time until a new volume exists and holds the files of its cache, in seconds. */
export function stagingSecondsOf(cacheGiB: number): number {
  return PROVISIONING_SECONDS + roundUpToMinutes(readSecondsOf(cacheGiB));
}

/**
 * The time that a rollout of an engine may go without progress before it counts as failed, in seconds: until its
 * image is pulled, its storage is created and filled, and its model is loaded.
 */
export function progressSecondsOf(engine: Engine, cacheGiB: number | undefined): number {
  const storage = cacheGiB === undefined ? 0 : stagingSecondsOf(cacheGiB);
  return PULL_SECONDS + storage + startupSecondsOf(engine, cacheGiB);
}

function readSecondsOf(cacheGiB: number): number {
  return (cacheGiB * 1024) / READ_MIB_PER_SECOND.least;
}

function roundUpToMinutes(seconds: number): number {
  return Math.ceil(seconds / 60) * 60;
}

/** The time until every proxy knows that a pod gets no more requests. */
const DEREGISTRATION_SECONDS = 15;

type PreStopHook =
  | { readonly sleep: { readonly seconds: number } }
  | { readonly exec: { readonly command: readonly string[] } };

/**
 * A hook that keeps an engine running until proxies stop sending requests and, if the engine would abort them,
 * until the requests in progress are done. Workers wait for the requests of their leader. Nothing if there is no
 * time for it.
 *
 * @param grace the termination grace period of the pod, in seconds
 * @param address the address of the engine's metrics in a shell: `localhost:8000`
 */
export function buildPreStop(grace: number, profile: EngineProfile, address: string): PreStopHook | undefined {
  const seconds = Math.min(DEREGISTRATION_SECONDS, Math.floor(grace / 2));
  if (seconds === 0) return undefined;
  const { inFlight, metrics } = profile;
  if (inFlight === undefined || !metrics) return { sleep: { seconds } };
  const busy = `curl -sf -m 5 "http://${address}${metrics.path}" | grep -qE '${inFlight}'`;
  return { exec: { command: ['sh', '-c', `sleep ${seconds}; while ${busy}; do sleep 2; done`] } };
}
