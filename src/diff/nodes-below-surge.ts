import { sortUnique } from '../base/order';
import { poolKeyOf } from '../cost/pool-prices';
import type { BrokenRule } from '../fleet/policy';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { ShortDeployment } from './added-replicas';
import { findCompiledPool, supposeNodes, type SupposedChange, type SupposedFleet } from './supposed-pools';

/** A supposed change, and what it has to cost less than a month. */
export interface TriedChange extends SupposedChange {
  /** Absent: whatever it costs. */
  readonly below?: number;
}

/** The numbers of nodes to add. */
const NODES = [1, 2];

/**
 * Lists nodes of one pool that may cost less than those for a surge on each pool whose replicas restart, those of the
 * cheapest pools first.
 *
 * @param states the fleet before and after the change, which must not undo what an earlier change adds
 */
export function listBelowSurge(
  { changes, room, serving }: ShortDeployment,
  alone: SupposedFleet,
  states: readonly CompiledFleet[],
): TriedChange[] {
  const below = costOfSurge(room);
  // A new replica of the change itself may come earlier.
  const isOther = serving.before !== serving.after || changes.some(({ nodes }) => nodes !== undefined);
  if (below === undefined || isOther) return [];
  const rolled = changes.filter(({ action }) => action === 'roll');
  const pools = sortUnique(
    rolled.flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => poolKeyOf(cluster, pool))),
  );
  const priceOf = (pool: string): number => alone.prices.get(pool)?.perHour ?? Number.MAX_VALUE;
  const places = pools
    .sort((a, b) => priceOf(a) - priceOf(b))
    .map((pool) => {
      const [cluster = '', name = ''] = pool.split('/');
      return { cluster, name };
    })
    .filter(({ cluster, name }) => {
      const sizes = states.map((model) => findCompiledPool(model, cluster, name)?.nodes);
      return new Set(sizes).size === 1;
    });
  return NODES.flatMap((count) =>
    places.flatMap((place) => {
      const supposed = supposeNodes(alone, { ...place, count });
      return supposed ? [{ ...supposed, below }] : [];
    }),
  );
}

/** Whether replicas that an earlier change adds cost less, and no policy denies them. */
export function isBelow(
  below: number,
  { cost, breaks }: { readonly cost?: { readonly most: number }; readonly breaks: readonly BrokenRule[] },
): boolean {
  return breaks.length === 0 && cost !== undefined && cost.most < below;
}

/** What the nodes for a surge cost a month, if it needs several. Undefined: not known, or one is enough. */
function costOfSurge(room: ShortDeployment['room']): number | undefined {
  if (!room || room.for !== 'surge' || room.nextTo) return undefined;
  const costs = room.missing.flatMap(({ cost }) => cost?.perMonth ?? []);
  const nodes = room.missing.reduce((sum, one) => sum + one.nodes, 0);
  return nodes < 2 || costs.length < room.missing.length ? undefined : costs.reduce((sum, one) => sum + one, 0);
}
