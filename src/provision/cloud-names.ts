import { createHash } from 'node:crypto';
import type { InferenceCluster } from '../api/inference-cluster';
import type { Fleet } from '../fleet/fleet';

/** The pool for the system pods of a cluster. No declared pool can have this name. */
export const SYSTEM_POOL = 'system';

const DIGITS = 6;

/**
 * Joins the parts of a name. If the name is too long for the cloud, truncates it and appends a digest.
 *
 * @example
 * formatCloudName(['us', 'nodes'], 30); // 'us-nodes'
 */
export function formatCloudName(parts: readonly string[], longest: number): string {
  const name = parts.join('-');
  if (name.length <= longest) return name;
  const digest = createHash('sha256').update(parts.join('/')).digest('hex').slice(0, DIGITS);
  return `${name.slice(0, longest - DIGITS - 1).replace(/-+$/, '')}-${digest}`;
}

/** Returns the labels that identify the owner of a resource: the fleet, if it has a name, and the cluster. */
export function ownershipLabelsOf(
  cluster: InferenceCluster,
  { settings }: Pick<Fleet, 'settings'>,
): Record<string, string> {
  return {
    // Google Cloud does not allow dots in label values.
    ...(settings && { 'fleetwright-fleet': settings.metadata.name.replaceAll('.', '-').slice(0, 63) }),
    'fleetwright-cluster': cluster.metadata.name,
  };
}
