import type { InferenceCluster } from '../api/inference-cluster';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedName } from '../api/resource';
import { type KnownCosts, NO_COSTS } from '../cost/cost-of';
import { replicasByDeployment } from '../render/grouped-replicas';
import type { ComputedReplica } from '../render/replica';
import { isReadAlike } from '../scheduler/common-ground';
import type { Decision, Placed } from './decide';

/**
 * The costs of another state of the fleet that hold in this one: those of deployments of which all replicas are the same
 * objects, as what was decided beside the other takes them from there, and those of clusters that did not change and
 * have such replicas alone. Anything by which prices, volumes and shares are read differently leaves none.
 */
export function knownCosts(placed: Placed, { plan: { cost }, ...other }: Decision): KnownCosts {
  if (!isReadAlike(placed.fleet, other.fleet)) return NO_COSTS;
  const [own, theirs] = [placed, other].map(({ replicas }) => replicasByDeployment(replicas));
  const changed = [...changedIn(own, theirs), ...changedIn(theirs, own)];
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
  };
}

type Replicas = ReadonlyMap<ModelDeployment, readonly ComputedReplica[]>;

/** The deployments of a state of which another has other replicas, with their own. */
function changedIn(
  own: Replicas = new Map(),
  others: Replicas = new Map(),
): [ModelDeployment, readonly ComputedReplica[]][] {
  return [...own].filter(([deployment, replicas]) => {
    const theirs = others.get(deployment);
    return !replicas.every((one, i) => one === theirs?.[i]);
  });
}

/** The names of clusters that only one of two states has as they are. */
function changedClusters(placed: Placed, other: Placed): Set<string> {
  const here: ReadonlySet<InferenceCluster> = new Set(placed.fleet.clusters);
  return new Set(other.fleet.clusters.filter((one) => !here.has(one)).map(({ metadata }) => metadata.name));
}
