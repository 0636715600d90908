import { findUnmetRequirement } from '../api/label-matching';
import type { PlacementPolicy } from '../api/placement';
import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { Assignment } from './fit-replica';
import type { TopologySpread } from './topology-spread';

/** The data that a policy compares clusters by. */
export interface ScoringContext {
  readonly deployment: CompiledDeployment;
  readonly spread: TopologySpread;
  /** The assignment of a replica on a cluster in its present state; nothing if it has no room. */
  readonly assignment: (cluster: CompiledCluster) => Assignment | undefined;
  /** The charged share of a cluster, from 0 to 1. */
  readonly fullness: (cluster: CompiledCluster) => number;
}

/** A policy that scores clusters for a new replica. */
interface ScoringPolicy {
  /** The score of a cluster. The lowest score wins, and names settle ties. */
  readonly score: (cluster: CompiledCluster, context: ScoringContext) => number;
  /** The lowest possible score. The search stops at the first cluster that has it. */
  readonly least: number;
}

/** Every policy by its name in `ModelDeployment.spec.placement`. */
export const SCORING_POLICIES: Readonly<Record<PlacementPolicy, ScoringPolicy>> = {
  /** Prefers the cluster with the fewest replicas of the deployment. */
  Spread: { score: (cluster, { spread }) => spread.countOnCluster(cluster), least: 0 },
  /** Prefers the fullest cluster, so that others stay empty. */
  Pack: { score: (cluster, { fullness }) => -fullness(cluster), least: -1 },
  /** Prefers the lowest price of the replica; clusters without a price come last. */
  Cheapest: { score: (cluster, { assignment }) => assignment(cluster)?.price ?? Infinity, least: 0 },
  /** Prefers the clusters in the order of the list; clusters that are not on it come last. */
  Preferred: { score: rankOf, least: 0 },
};

function rankOf({ labels }: CompiledCluster, { deployment }: ScoringContext): number {
  const { preferred } = deployment.placement;
  const rank = preferred.findIndex((selector) => !findUnmetRequirement(selector, labels));
  return rank < 0 ? preferred.length : rank;
}
