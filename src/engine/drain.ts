import type { EngineProfile } from '../catalog/engines/profile';

/** Until every proxy has heard that a pod gets no more requests. */
const DEREGISTRATION_SECONDS = 15;

/** What a pod does before its engine is told to end. */
export type PreStop =
  | { readonly sleep: { readonly seconds: number } }
  | { readonly exec: { readonly command: readonly string[] } };

/**
 * What keeps an engine running until proxies know that it leaves, and, where it would cut off what it is writing,
 * until that is done. Workers wait for the requests of their leader. Nothing where there is no time.
 *
 * @param grace how long the pod has to end, in seconds
 * @param address where the metrics of the engine are, for a shell: `localhost:8000`
 */
export function preStop(grace: number, profile: EngineProfile, address: string): PreStop | undefined {
  const seconds = Math.min(DEREGISTRATION_SECONDS, Math.floor(grace / 2));
  if (seconds === 0) return undefined;
  const { inFlight, metrics } = profile;
  if (inFlight === undefined || !metrics) return { sleep: { seconds } };
  const busy = `curl -sf -m 5 "http://${address}${metrics.path}" | grep -qE '${inFlight}'`;
  return { exec: { command: ['sh', '-c', `sleep ${seconds}; while ${busy}; do sleep 2; done`] } };
}
