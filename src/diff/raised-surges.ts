import { groupBy } from '../base/order';
import { findPoolPrices, poolKeyOf, type PoolPrices } from '../cost/pool-prices';
import { HOURS_PER_MONTH } from '../cost/sum';
import type { Fleet } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { createUsageLookup } from '../plan/replica-usage';
import { type Accelerators, acceleratorsOfNodes } from '../scheduler/compile/shapes';
import { groupByDeployment } from '../scheduler/placement';
import type { DeclarationChange } from './declaration-changes';

/** What a deployment reserves for rollouts only since a change of its surge. */
export interface RaisedSurge {
  /** `namespace/name`. */
  readonly deployment: string;
  readonly reserved: readonly RaisedReserve[];
}

/** What a raised surge reserves of a pool. */
export interface RaisedReserve extends ReservedForRollouts {
  /** Whether the pool scales, so that nodes of it may run for rollouts only. */
  readonly scales?: true;
}

/** Devices that are idle between rollouts, and that no other replica can use. */
export interface ReservedForRollouts extends Accelerators {
  /** `cluster/pool`. */
  readonly pool: string;

  /** What they cost. Absent: no price is known. */
  readonly cost?: { readonly perMonth: number; readonly currency: string };
}

/** Finds what deployments reserve whose surge a change raises. */
export function findRaisedSurges(
  declarations: readonly DeclarationChange[],
  before: PlacedFleet,
  after: PlacedFleet,
): RaisedSurge[] {
  const ids = declarations.flatMap(({ id, action, fields }) => {
    const raises = fields.some((one) => one.field === SURGE && Number(one.after ?? 0) > Number(one.before ?? 0));
    return action === 'changed' && raises ? [id.slice(KIND.length)] : [];
  });
  if (ids.length === 0) return [];
  const prices = findPoolPrices(after.fleet);
  const scaling = listScalingPools(after.fleet);
  return ids.flatMap((deployment) => {
    const [was = NOTHING, is = NOTHING] = [before, after].map((one) => sumReserved(deployment, one));
    const reserved = [...is].flatMap(([pool, { nodes, node }]): RaisedReserve[] => {
      const more = nodes - (was.get(pool)?.nodes ?? 0);
      if (more <= 0) return [];
      return [{ ...toReserved({ pool, nodes: more, node }, prices), ...(scaling.has(pool) && { scales: true }) }];
    });
    return reserved.length > 0 ? [{ deployment, reserved }] : [];
  });
}

const [KIND, SURGE] = ['ModelDeployment ', 'spec.rollout.surge'];

function listScalingPools({ clusters }: Fleet): ReadonlySet<string> {
  const pools = clusters.flatMap(({ metadata, spec }) =>
    spec.nodePools
      .filter(({ maxNodeCount }) => maxNodeCount !== undefined)
      .map(({ name }) => poolKeyOf(metadata.name, name)),
  );
  return new Set(pools);
}

interface ReservedNodes {
  /** As a sum of fractions. */
  readonly nodes: number;
  readonly node: Parameters<typeof acceleratorsOfNodes>[0];
}

const NOTHING: ReadonlyMap<string, ReservedNodes> = new Map();

/** Describes reserved parts of nodes as accelerators, with their cost. */
export function toReserved(
  { pool, nodes, node }: ReservedNodes & { readonly pool: string },
  prices: PoolPrices,
): ReservedForRollouts {
  const price = prices.get(pool);
  const perMonth = Math.round(nodes * (price?.perHour ?? 0) * HOURS_PER_MONTH * 100) / 100;
  const { gpus, ...name } = acceleratorsOfNodes(node, nodes);
  return {
    pool,
    gpus: Math.ceil(Number(gpus.toFixed(6))),
    ...name,
    ...(price && { cost: { perMonth, currency: price.currency } }),
  };
}

/** The parts of nodes that the replicas of a deployment reserve, by `cluster/pool`. */
function sumReserved(id: string, { model, matcher, schedule }: PlacedFleet): ReadonlyMap<string, ReservedNodes> {
  const usageAt = createUsageLookup(model, matcher);
  const nodes = new Map(
    model.clusters.flatMap(({ pools }) => pools.map((one) => [poolKeyOf(one.cluster, one.name), one.node])),
  );
  const parts = (groupByDeployment(schedule.placements).get(id) ?? []).flatMap((placement) =>
    usageAt(placement).flatMap(({ pool, surgeShare }) => {
      const key = poolKeyOf(placement.cluster, pool);
      const node = nodes.get(key);
      return surgeShare && node ? [{ key, node, surgeShare }] : [];
    }),
  );
  const sums = [...groupBy(parts, ({ key }) => key)].flatMap(([key, all]): [string, ReservedNodes][] => {
    const share = all.reduce((sum, one) => sum + one.surgeShare, 0);
    return all.slice(0, 1).map(({ node }) => [key, { nodes: share, node }]);
  });
  return new Map(sums);
}
