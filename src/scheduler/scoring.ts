import { findUnmetRequirement } from '../api/label-matching';
import type { PlacementPolicy } from '../api/placement';
import type { CompiledCluster, CompiledDeployment } from './compiled-fleet';
import type { Assignment } from './fit-replica';
import type { TopologySpread } from './topology-spread';

/** What a policy may look at to compare clusters. */
export interface ScoringContext {
  readonly deployment: CompiledDeployment;
  readonly spread: TopologySpread;
  /** Where a replica would go on a cluster as it is now; nothing when it has no room. */
  readonly assignment: (cluster: CompiledCluster) => Assignment | undefined;
  /** How full a cluster is, from 0 to 1. */
  readonly fullness: (cluster: CompiledCluster) => number;
}

/** How well clusters suit a new replica. */
export interface ScoringPolicy {
  /** The lowest wins, ties are settled by name. */
  readonly score: (cluster: CompiledCluster, context: ScoringContext) => number;
  /** No cluster scores lower: the first that scores this is the one. */
  readonly least: number;
}

/** Every policy by its name in `ModelDeployment.spec.placement`. */
export const SCORING_POLICIES: Readonly<Record<PlacementPolicy, ScoringPolicy>> = {
  /** The fewest replicas of the deployment first. */
  Spread: { score: (cluster, { spread }) => spread.countOnCluster(cluster), least: 0 },
  /** The fullest cluster first, so that others stay empty. */
  Pack: { score: (cluster, { fullness }) => -fullness(cluster), least: -1 },
  /** The lowest price of what the replica takes; clusters without a price last. */
  Cheapest: { score: (cluster, { assignment }) => assignment(cluster)?.price ?? Infinity, least: 0 },
  /** The first of the listed clusters; those that are not listed last. */
  Preferred: { score: rankOf, least: 0 },
};

function rankOf({ labels }: CompiledCluster, { deployment }: ScoringContext): number {
  const { preferred } = deployment.placement;
  const rank = preferred.findIndex((selector) => !findUnmetRequirement(selector, labels));
  return rank < 0 ? preferred.length : rank;
}
