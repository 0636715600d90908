import { firstUnmet } from '../api/label-match';
import type { PolicyName } from '../api/placement';
import type { Assignment } from './fit';
import type { Site, Workload } from './model';
import type { Spread } from './spread';

/** What a policy may look at to compare clusters. */
export interface View {
  readonly workload: Workload;
  readonly spread: Spread;
  /** Where a replica would go on a cluster as it is now; nothing when it has no room. */
  readonly assignment: (site: Site) => Assignment | undefined;
  /** How full a cluster is, from 0 to 1. */
  readonly fullness: (site: Site) => number;
}

/** How well clusters suit a new replica. */
export interface Policy {
  /** The lowest wins, ties are settled by name. */
  readonly score: (site: Site, view: View) => number;
  /** No cluster scores lower: the first that scores this is the one. */
  readonly least: number;
}

/** Every policy by its name in `ModelDeployment.spec.placement`. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  /** The fewest replicas of the deployment first. */
  Spread: { score: (site, { spread }) => spread.own(site), least: 0 },
  /** The fullest cluster first, so that others stay empty. */
  Pack: { score: (site, { fullness }) => -fullness(site), least: -1 },
  /** The lowest price of what the replica takes; clusters without a price last. */
  Cheapest: { score: (site, { assignment }) => assignment(site)?.price ?? Infinity, least: 0 },
  /** The first of the listed clusters; those that are not listed last. */
  Preferred: { score: rankOf, least: 0 },
};

function rankOf({ labels }: Site, { workload }: View): number {
  const { preferred } = workload.placement;
  const rank = preferred.findIndex((selector) => !firstUnmet(selector, labels));
  return rank < 0 ? preferred.length : rank;
}
