import { cacheReferencesOf } from '../api/cache/cache-references';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import { computeCacheVolumes } from '../cost/cluster-costs';
import { sumParts } from '../cost/sum';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import { locateCaches, type MountingReplica } from '../replicas/cache-clusters';

type FleetWithCaches = Pick<Fleet, 'caches' | 'clusters' | 'deployments' | 'hardware'>;

/** What the volumes of caches cost more a month with a further replica on a cluster. Undefined: no price is known. */
export type PriceVolumes = (deployment: string, cluster: string) => number | undefined;

/**
 * Creates a function that prices the volumes that a further replica of a deployment needs on a cluster, next to those
 * that are there: of a cache on a file system one, of a cache on disks of pods one a pod.
 *
 * @param replicas those that are placed
 */
export function createVolumePricer(fleet: FleetWithCaches, replicas: readonly MountingReplica[]): PriceVolumes {
  const deployments = indexDeploymentsById(fleet.deployments);
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  return (id, name) => {
    const deployment = deployments.get(id);
    const cluster = fleet.clusters.find(({ metadata }) => metadata.name === name);
    const ids = new Set(deployment && cachesOf(deployment));
    if (ids.size === 0) return 0;
    if (!deployment || !cluster) return undefined;
    const own = { ...fleet, clusters: [cluster], caches: fleet.caches.filter((one) => ids.has(qualifiedNameOf(one))) };
    const present = byCluster.get(name) ?? [];
    const [before, after] = [present, [...present, { deployment, cluster }]].map((all) => priceAll(own, all));
    return before === undefined || after === undefined ? undefined : Math.round((after - before) * 100) / 100;
  };
}

/** The IDs of the caches that the replicas of a deployment mount. */
function cachesOf(deployment: ModelDeployment): string[] {
  return cacheReferencesOf(deployment).map(({ name }) => `${deployment.metadata.namespace}/${name}`);
}

/** What the volumes of all caches of a fleet cost a month. Undefined: a price is not known. */
function priceAll(fleet: FleetWithCaches, replicas: readonly MountingReplica[]): number | undefined {
  const volumes = locateCaches(fleet, replicas).flatMap((one) => computeCacheVolumes(one, fleet.hardware.prices));
  const { perMonth, unknown } = sumParts(volumes.map(({ cost }) => cost));
  return unknown > 0 ? undefined : perMonth;
}
