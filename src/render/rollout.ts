import type { Rollout } from '../api/rollout';
import type { JsonObject } from './manifest';

/**
 * How a Deployment replaces its pods. Without a surge the new pod waits for devices that only the old one can free, so
 * that goes first; the default of Kubernetes hangs on a full pool.
 */
export function deploymentStrategy({ strategy, surge }: Rollout): JsonObject {
  if (strategy === 'Recreate') return { type: 'Recreate' };
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 1 - surge } };
}

/** The same for the groups of a LeaderWorkerSet, which knows no other strategy than rolling. */
export function groupStrategy({ strategy, surge }: Rollout, groups: number): JsonObject {
  const maxUnavailable = strategy === 'Recreate' ? groups : 1 - surge;
  return { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable, maxSurge: surge } };
}
