import type { InferenceCluster } from '../api/inference-cluster';
import { qualifiedName } from '../api/resource';
import { type KnownCosts, NO_COSTS } from '../cost/cost-of';
import { changedReplicas } from '../render/changed-replicas';
import { isReadAlike } from '../scheduler/common-ground';
import type { Decision, Placed } from './decide';

/**
 * The costs of another state of the fleet that hold in this one: those of deployments of which all replicas are the same
 * objects, as what was decided beside the other takes them from there, and those of clusters that did not change and
 * have such replicas alone. Anything by which prices, volumes and shares are read differently leaves none but the places
 * of sources.
 */
export function knownCosts(placed: Placed, { plan: { cost }, ...other }: Decision): KnownCosts {
  if (!isReadAlike(placed.fleet, other.fleet)) return { ...NO_COSTS, sources: cost.sources };
  const changed = [
    ...changedReplicas(placed.replicas, other.replicas),
    ...changedReplicas(other.replicas, placed.replicas),
  ];
  const ids = new Set(changed.map(([deployment]) => qualifiedName(deployment)));
  const clusters = changedClusters(placed, other);
  for (const [, replicas] of changed) for (const { cluster } of replicas) clusters.add(cluster.metadata.name);
  return {
    clusters: new Map(
      cost.clusters.filter(({ cluster }) => !clusters.has(cluster)).map((one) => [one.cluster, one]),
    ),
    deployments: new Map(
      cost.deployments.filter(({ deployment }) => !ids.has(deployment)).map((one) => [one.deployment, one]),
    ),
    sources: cost.sources,
  };
}

/** The names of clusters that only one of two states has as they are. */
function changedClusters(placed: Placed, other: Placed): Set<string> {
  const here: ReadonlySet<InferenceCluster> = new Set(placed.fleet.clusters);
  return new Set(other.fleet.clusters.filter((one) => !here.has(one)).map(({ metadata }) => metadata.name));
}
