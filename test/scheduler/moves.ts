import type { Placement } from '../../src/scheduler/placement';
import { modelOfFleet, runFleet } from './corpus';
import { chargesOf, ledgerOf } from './exhaustive';
import type { FleetSpec } from './fleets';

/** Every choice of placements is tried: so many are few enough. */
export const MOST_CHOSEN = 7;

/** A fleet of which nodes were lost: of each pool as many as a list says, over and over. */
export function shrunk(fleet: FleetSpec, lost: readonly number[]): FleetSpec {
  let next = 0;
  const clusters = fleet.clusters.map((cluster) => ({
    ...cluster,
    pools: cluster.pools.map((pool) => ({
      ...pool,
      nodes: Math.max(0, pool.nodes - lost[next++ % lost.length]!),
    })),
  }));
  return { ...fleet, clusters };
}

/** The replicas that had to move, by priority, the highest first. */
export function moved(fleet: FleetSpec, previous: readonly Placement[]): number[] {
  const { evictions } = runFleet({ next: fleet, previous });
  return byPriority(
    fleet,
    evictions.map(({ placement }) => placement),
  );
}

/** The fewest that have to, by priority: every choice of those that stay is tried. Room for rollouts moves none. */
export function fewestMoved(fleet: FleetSpec, previous: readonly Placement[]): number[] {
  const model = modelOfFleet({ next: fleet });
  const choices = Array.from({ length: 2 ** previous.length }, (_, bits) => previous.filter((_, i) => bits & (1 << i)));
  const counts = choices
    .filter((going) => {
      const staying = previous.filter((placement) => !going.includes(placement));
      const ledger = ledgerOf(model, staying);
      const charges = staying.flatMap((one) => chargesOf(model, one));
      ledger.remove(charges.map((charge) => ({ ...charge, pods: charge.surge })));
      return charges.every(({ pool }) => !ledger.isOvercommitted(pool));
    })
    .map((going) => byPriority(fleet, going));
  return counts.sort(fewerFirst)[0]!;
}

function byPriority({ deployments }: FleetSpec, placements: readonly Placement[]): number[] {
  return [1, 0].map(
    (priority) =>
      placements.filter(({ deployment }) => deployments.find(({ id }) => id === deployment)?.priority === priority)
        .length,
  );
}

function fewerFirst(a: readonly number[], b: readonly number[]): number {
  return a.map((count, i) => count - b[i]!).find((difference) => difference !== 0) ?? 0;
}
