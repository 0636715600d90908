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

/** How well a cluster suits a new replica: the lowest number wins, ties are settled by name. */
export type Policy = (site: Site, view: View) => number;

/** Every policy by its name in `ModelDeployment.spec.placement`. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  /** The fewest replicas of the deployment first. */
  Spread: (site, { spread }) => spread.own(site),
  /** The fullest cluster first, so that others stay empty. */
  Pack: (site, { fullness }) => -fullness(site),
  /** The lowest price of what the replica takes; clusters without a price last. */
  Cheapest: (site, { assignment }) => assignment(site)?.price ?? Infinity,
  /** The first of the listed clusters; those that are not listed last. */
  Preferred: (site, { workload }) => {
    const { preferred } = workload.placement;
    const rank = preferred.findIndex((selector) => !firstUnmet(selector, site.labels));
    return rank < 0 ? preferred.length : rank;
  },
};
