import { cacheReferencesOf } from '../api/cache/cache-references';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { roundCents } from '../base/money';
import { groupBy } from '../base/order';
import { computeCacheVolumes } from '../cost/cluster-costs';
import { sumParts } from '../cost/sum';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import { locateCaches, type MountingReplica } from '../replicas/cache-clusters';
import type { Placement } from '../scheduler/placement';
import { resolvePlacements } from './plan-cost';

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
    const ids = new Set(cachesOfOptional(deployment));
    if (ids.size === 0) return 0;
    if (!deployment || !cluster) return undefined;
    const own = { ...fleet, clusters: [cluster], caches: fleet.caches.filter((one) => ids.has(qualifiedNameOf(one))) };
    const present = byCluster.get(name) ?? [];
    const [before, after] = [present, [...present, { deployment, cluster }]].map((all) => priceAll(own, all));
    return before === undefined || after === undefined ? undefined : roundCents(after - before);
  };
}

/**
 * What the volumes of caches of deployments cost more a month once replicas are placed otherwise, which is tried only if
 * one of them mounts a cache. Undefined: it was not tried, or no price is known.
 */
export type PriceVolumeChange = (
  deployments: readonly string[],
  tryIt: () => { readonly before: readonly Placement[]; readonly placements: readonly Placement[] } | undefined,
) => number | undefined;

/** Creates a function that prices the volumes that replicas need at other places, without those that they leave. */
export function createVolumeChangePricer(fleet: FleetWithCaches): PriceVolumeChange {
  const deployments = indexDeploymentsById(fleet.deployments);
  return (changed, tryIt) => {
    const ids = new Set(changed.flatMap((id) => cachesOfOptional(deployments.get(id))));
    if (ids.size === 0) return 0;
    const trial = tryIt();
    if (!trial) return undefined;
    const caches = fleet.caches.filter((one) => ids.has(qualifiedNameOf(one)));
    const mounting = new Set(fleet.deployments.filter((one) => cachesOf(one).some((id) => ids.has(id))));
    const [old, next] = [trial.before, trial.placements].map((placements) => {
      const replicas = resolvePlacements(fleet, placements).filter(({ deployment }) => mounting.has(deployment));
      return groupBy(replicas, ({ cluster }) => cluster);
    });
    const parts = fleet.clusters.map((cluster) => {
      const [was = [], is = []] = [old?.get(cluster), next?.get(cluster)];
      if (namesOf(was) === namesOf(is)) return 0;
      const [less, more] = [was, is].map((all) => priceAll({ ...fleet, clusters: [cluster], caches }, all));
      return less === undefined || more === undefined ? undefined : more - less;
    });
    const known = parts.flatMap((part) => part ?? []);
    return known.length < parts.length ? undefined : roundCents(known.reduce((sum, part) => sum + part, 0));
  };
}

/** The deployments of replicas, as a text that is equal where these are. */
function namesOf(replicas: readonly MountingReplica[]): string {
  return replicas
    .map(({ deployment }) => qualifiedNameOf(deployment))
    .sort()
    .join(' ');
}

function cachesOfOptional(deployment: ModelDeployment | undefined): string[] {
  return deployment ? cachesOf(deployment) : [];
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
