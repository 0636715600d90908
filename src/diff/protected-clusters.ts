import type { Fleet } from '../fleet/fleet';
import { CONTROL_PLANE_KINDS } from '../provision/cloud-resources';
import { isManagedCloud, type ManagedCloud } from '../provision/managed-cloud';
import type { CloudChange } from './cloud-changes';

/** A cluster that a change deletes although its `deletionProtection` is on. */
export interface ProtectedCluster {
  readonly cluster: string;

  /** The cloud of the cluster. */
  readonly source: ManagedCloud;
}

/**
 * Finds the clusters that a change deletes, also to create them again, and that the earlier state protects. An edit of
 * the same change does not help: the protection is that of what runs.
 */
export function findProtectedClusters(cloud: readonly CloudChange[], before: Fleet): ProtectedCluster[] {
  const deleted = new Set(
    cloud.flatMap(({ cluster, kind, action }) =>
      CONTROL_PLANE_KINDS.has(kind) && (action === 'delete' || action === 'replace') ? [cluster] : [],
    ),
  );
  return before.clusters.flatMap(({ metadata: { name }, spec: { cluster, deletionProtection } }) =>
    deleted.has(name) && deletionProtection && isManagedCloud(cluster.source)
      ? [{ cluster: name, source: cluster.source }]
      : [],
  );
}
