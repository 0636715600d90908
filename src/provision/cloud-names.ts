import { createHash } from 'node:crypto';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet/fleet';

/** The pool that is no user's: for what serves the cluster itself. No pool of a cluster may have this name. */
export const SYSTEM_POOL = 'system';

const DIGITS = 6;

/**
 * A name, or its beginning with a digest of the whole where it is longer than a cloud takes.
 *
 * @example
 * cloudName(['us', 'nodes'], 30); // 'us-nodes'
 */
export function formatCloudName(parts: readonly string[], longest: number): string {
  const name = parts.join('-');
  if (name.length <= longest) return name;
  const digest = createHash('sha256').update(parts.join('/')).digest('hex').slice(0, DIGITS);
  return `${name.slice(0, longest - DIGITS - 1).replace(/-+$/, '')}-${digest}`;
}

/** What says whose a resource is, in every account: the fleet, where it has a name, and the cluster. */
export function ownershipLabelsOf(
  cluster: InferenceCluster,
  { settings }: Pick<Fleet, 'settings'>,
): Record<string, string> {
  return {
    // Google takes no dots in values.
    ...(settings && { 'fleetwright-fleet': settings.metadata.name.replaceAll('.', '-').slice(0, 63) }),
    'fleetwright-cluster': cluster.metadata.name,
  };
}
