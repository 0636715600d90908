import type { NodePool } from '../api/node-pool';
import { poolKeyOf, type PoolPrices } from '../cost/pool-prices';
import type { Fleet } from '../fleet/fleet';
import { changePools, copyPool, resizePool } from '../plan/changed-clusters';
import { addNodes, addPool, changeCompiledCluster } from '../scheduler/changed-demands';
import type { CompiledFleet, Pool } from '../scheduler/compiled-fleet';
import type { Cause } from './replica-causes';

/** What a change that is only supposed declares of pools. */
export interface SupposedEdits {
  /** More nodes of a pool, which the earlier change declares too. Absent: there is room without. */
  readonly nodes?: { readonly pool: string; readonly field: 'nodeCount' | 'maxNodeCount'; readonly to: number };

  /** A node pool that the earlier change declares too, like another one. Absent: there is room without. */
  readonly newPool?: {
    readonly name: string;

    /** `cluster/pool`. */
    readonly like: string;
    readonly nodes: number;

    /** The class, if the pool needs a copy of it: the change edits the class. */
    readonly copiedClass?: string;
  };
}

/** A fleet with supposed changes, in the earlier and the later state. */
export interface SupposedFleet {
  readonly fleet: Fleet;
  readonly prices: PoolPrices;

  /** Changes the compiled clusters of either state. */
  readonly change: (model: CompiledFleet) => CompiledFleet;
}

/** A fleet with supposed changes, and the last of them. */
export type SupposedChange = SupposedFleet & SupposedEdits;

/** Supposes more nodes of a pool. Undefined: there is no such pool. */
export function supposeNodes(
  { fleet, prices, change }: SupposedFleet,
  { cluster, name, count }: { readonly cluster: string; readonly name: string; readonly count: number },
): SupposedChange | undefined {
  const pool = findPool(fleet, cluster, name);
  if (!pool) return undefined;
  const field = pool.maxNodeCount === undefined ? 'nodeCount' : 'maxNodeCount';
  const resized = resizePool(pool, count);
  return {
    fleet: changePools(fleet, cluster, (all) => all.map((one) => (one === pool ? resized : one))),
    prices,
    nodes: { pool: poolKeyOf(cluster, name), field, to: resized[field] ?? count },
    change: (model) => changeCompiledCluster(change(model), cluster, (one) => addNodes(one, name, count)),
  };
}

interface PoolToCopy {
  /** The fleet without supposed changes. */
  readonly model: CompiledFleet;
  readonly cluster: string;
  readonly like: string;
  readonly count: number;

  /** The edits by which the pool loses its nodes. */
  readonly causes: readonly Cause[];
}

/**
 * Supposes a pool like another one, or further nodes of it if it is supposed already. Its name comes first, because new
 * replicas go to the first of equal pools. Undefined: there is no such pool, or it is a slice.
 */
export function supposePool(
  { fleet, prices, change }: SupposedFleet,
  { model, cluster, like, count, causes }: PoolToCopy,
): SupposedChange | undefined {
  const pool = findPool(fleet, cluster, like);
  const compiled = findCompiledPool(model, cluster, like);
  if (!pool || !compiled || compiled.sliceHosts !== undefined) return undefined;
  const name = nameFirst(fleet, cluster, like);
  const nodes = (findPool(fleet, cluster, name)?.nodeCount ?? 0) + count;
  const price = prices.get(poolKeyOf(cluster, like));
  const isEdited = causes.some(({ id }) => id === `InferenceClass ${pool.className}`);
  return {
    fleet: changePools(fleet, cluster, (all) => {
      return [...all.filter((one) => one.name !== name), copyPool(pool, name, nodes)];
    }),
    prices: price ? new Map([...prices, [poolKeyOf(cluster, name), price]]) : prices,
    newPool: { name, like: poolKeyOf(cluster, like), nodes, ...(isEdited && { copiedClass: pool.className }) },
    change: (given) =>
      changeCompiledCluster(change(given), cluster, (one) => {
        return nodes > count ? addNodes(one, name, count) : addPool(one, compiled, count, name);
      }),
  };
}

/** A name for a further pool that comes before another one. Pools of AKS have no hyphens, and at most 12 characters. */
function nameFirst({ clusters }: Fleet, cluster: string, pool: string): string {
  const found = clusters.find(({ metadata }) => metadata.name === cluster);
  return found?.spec.cluster.source === 'AKS' ? `a0${pool}`.slice(0, 12) : `a-${pool}`.slice(0, 40);
}

function findPool({ clusters }: Fleet, cluster: string, pool: string): NodePool | undefined {
  return clusters.find(({ metadata }) => metadata.name === cluster)?.spec.nodePools.find(({ name }) => name === pool);
}

/** Finds a pool of a compiled fleet. */
export function findCompiledPool({ clusters }: CompiledFleet, cluster: string, pool: string): Pool | undefined {
  return clusters.find(({ name }) => name === cluster)?.pools.find(({ name }) => name === pool);
}
