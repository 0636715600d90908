import type { AssignmentCache } from '../feasible-clusters';
import { spreadsByRoom } from '../place-replicas';
import type { SchedulingState } from '../scheduling-state';
import { SCORING_POLICIES } from '../scoring';
import type { TopologySpread } from '../topology-spread';
import type { Relaxation } from './relaxation';
import type { CandidatePlacement } from './candidate-placement';

/**
 * The places of a deployment that have room when every movable replica is away, in the order of its policy.
 *
 * @param assignments a cache that nothing else uses, because the ledger may hold what is only tried
 */
export function listCandidates(
  state: SchedulingState,
  relaxation: Relaxation,
  spread: TopologySpread,
  assignments: AssignmentCache,
): CandidatePlacement[] {
  const { deployment } = spread;
  const { demand, placement, avoids } = deployment;
  const { score } = SCORING_POLICIES[placement.policy];
  const ranked = relaxation.choicesOf(deployment).map(({ cluster, choices }) => ({
    cluster,
    choices,
    rank: [
      avoids?.has(cluster.name) ? 1 : 0,
      spread.countInDomain(cluster),
      score(cluster, spread, assignments),
      spreadsByRoom(state.filledInOrder, deployment) ? -state.freeRoom.of(demand, cluster) : 0,
    ],
  }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  return ranked.flatMap(({ cluster, choices }) => choices.map((choice) => ({ cluster, ...choice })));
}

/** Compares figures in turn. An unknown price is infinite, and two of these are equal. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i < 0 ? 0 : (a[i] ?? 0) < (b[i] ?? 0) ? -1 : 1;
}
