import { lazily } from '../base/memoize';
import { sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import { createUsageLookup } from '../plan/replica-usage';
import { placeMissing } from '../scheduler/applied-remedy';
import type { Placement } from '../scheduler/placement';
import { compareTotals, formatAddedCost } from './added-cost';
import { pricePlacements, type PricedFleet } from './priced-placements';

/** ` (room on us/h100; cost unchanged)`, or ` (there is no room for it yet)`, of replicas to add. Empty: that is not known. */
export type NoteRoom = (deployment: string, added: number) => string;

/** The most replicas to place in all trials together: a comparison has to be quick. */
const TRIED_REPLICAS = 30_000;

/** The most pools to name. */
const MAX_NAMED = 3;

/** Creates a function that tries whether further replicas have room next to all others. */
export function createRoomNotes({
  fleet,
  model,
  matcher,
  schedule: { placements },
}: Pick<PlacedFleet, 'fleet' | 'model' | 'matcher' | 'schedule'>): NoteRoom {
  const usageAt = lazily(() => createUsageLookup(model, matcher));
  const priceOf = (all: readonly Placement[]): PricedFleet => pricePlacements(fleet, all, usageAt());
  const before = lazily(() => priceOf(placements));
  let left = TRIED_REPLICAS;
  return (deployment, count) => {
    const compiled = model.deployments.find(({ id }) => id === deployment);
    left -= placements.length;
    if (!compiled || left < 0) return '';
    const replicas = compiled.replicas + count;
    const placed = placeMissing({ model, placements, deployment: { ...compiled, replicas } }, placements, matcher);
    if (placed.added.length < count) return ` (there is no room for ${count === 1 ? 'it' : 'all of them'} yet)`;
    const pools = placed.added.flatMap((one) => Object.values(one.pools).map((pool) => `${one.cluster}/${pool}`));
    const cost = formatAddedCost(compareTotals(before(), priceOf(placed.placements)));
    return ` (room on ${joinNames(sortUnique(pools), MAX_NAMED, ' and ')}; ${cost})`;
  };
}
