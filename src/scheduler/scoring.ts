import { findUnmetRequirement } from '../api/label-matching';
import type { PlacementPolicy } from '../api/placement';
import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { AssignmentCache } from './feasible-clusters';
import type { TopologySpread } from './topology-spread';

/** A policy that scores clusters for a new replica of the deployment that `spread` counts. */
interface ScoringPolicy {
  /** The score of a cluster. The lowest score wins. */
  readonly score: (cluster: CompiledCluster, spread: TopologySpread, assignments: AssignmentCache) => number;
  /** The lowest possible score. The search stops at the first cluster that has it. */
  readonly least: number;
  /** What settles ties: the most free room for the deployment and then names, or names alone. */
  readonly ties: 'room' | 'name';
}

/** Every policy by its name in `ModelDeployment.spec.placement`. */
export const SCORING_POLICIES: Readonly<Record<PlacementPolicy, ScoringPolicy>> = {
  /** Prefers the cluster with the fewest replicas of the deployment. */
  Spread: { score: (cluster, spread) => spread.countOnCluster(cluster), least: 0, ties: 'room' },
  /** Prefers the fullest cluster, so that others stay empty. */
  Pack: { score: (cluster, _, assignments) => -assignments.fullness(cluster), least: -1, ties: 'name' },
  /** Prefers the lowest price of the replica; clusters without a price come last. */
  Cheapest: {
    score: (cluster, { deployment }, assignments) =>
      assignments.choose(deployment, cluster)?.assignment.price ?? Infinity,
    least: 0,
    ties: 'name',
  },
  /** Prefers the clusters in the order of the list; clusters that are not on it come last. */
  Preferred: {
    score: ({ labels }, { deployment }) => rankOf(labels, deployment.placement.preferred),
    least: 0,
    ties: 'name',
  },
};

/** The place of the first selector that a cluster matches in a list of preferred ones. The length of it: none. */
export function rankOf(
  labels: CompiledCluster['labels'],
  preferred: CompiledDeployment['placement']['preferred'],
): number {
  const rank = preferred.findIndex((selector) => !findUnmetRequirement(selector, labels));
  return rank < 0 ? preferred.length : rank;
}
