import { groupBy, sortUnique } from '../../base/order';
import { formatBounds, formatNodeCount, joinAnd } from '../../base/text';
import type { Cost, PoolCost } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';
import { poolKeyOf } from '../../cost/pool-prices';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ReplicaChange, ReplicaLocation } from '../../plan/replica-moves';
import { sumRangeChanges } from '../cost/cost-difference';
import { isUnchanged } from '../cost/cost-summary';
import { formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';

/** Whether a deployment uses more of a pool, or less. */
interface PoolUse {
  readonly key: string;
  readonly deployment: string;
  readonly isNew: boolean;
}

/** Differences that round to nothing. */
const ROUNDING = 0.5;

/**
 * `` `us/l4` stays at 1 to 4 nodes: what `ml/a` used is not sure to be saved``, ``…: `ml/a` fits within these``: why
 * the rows of a table do not add up to the fleet, where an autoscaled pool keeps its bounds whatever replicas use of it.
 * Empty where they add up, or the fleet costs the same, of which the headline says it.
 */
export function describeKeptBounds(
  cost: CostChanges,
  deployments: FleetDiff['deployments'],
  { clusters }: Pick<Cost, 'clusters'>,
): string[] {
  if (isUnchanged(cost.delta) || addsUp(cost)) return [];
  const uses = listUses(deployments, cost.deployments);
  const resized = new Set(
    cost.clusters.flatMap(({ cluster, pools }) => pools.filter(isResized).map(({ pool }) => poolKeyOf(cluster, pool))),
  );
  return clusters.flatMap(({ cluster, pools }) =>
    pools.flatMap((pool) => {
      const key = poolKeyOf(cluster, pool.pool);
      const here = uses.filter((one) => one.key === key);
      if (here.length === 0 || !pool.autoscaled || !pool.price || resized.has(key)) return [];
      return [describePool(`${cluster}/${pool.pool}`, pool, here)];
    }),
  );
}

function describePool(name: string, { nodes }: PoolCost, uses: readonly PoolUse[]): string {
  const [used, fits] = [false, true].map((wanted) => {
    const ids = sortUnique(
      uses.filter(({ isNew }) => isNew === wanted).map(({ deployment }) => formatCode(deployment)),
    );
    return { count: ids.length, names: joinAnd(limitClauses(ids, 'other deployments')) };
  });
  const parts = [
    ...(used && used.count > 0 ? [`what ${used.names} used is not sure to be saved`] : []),
    ...(fits && fits.count > 0 ? [`${fits.names} ${fits.count === 1 ? 'fits' : 'fit'} within these`] : []),
  ];
  return `${formatCode(name)} stays at ${formatNodeCount(formatBounds(nodes))}: ${joinAnd(parts)}`;
}

/** Whether the rows of a table have all of the difference. */
function addsUp({ delta, deployments, idle, storage }: CostChanges): boolean {
  const used = sumRangeChanges(deployments).delta;
  return (['least', 'most'] as const).every((bound) => {
    const total = delta[bound].perMonth ?? 0;
    const rows = [used[bound], idle.delta, storage.delta].reduce((sum, { perMonth = 0 }) => sum + perMonth, 0);
    return Math.abs(total - rows) < ROUNDING;
  });
}

function isResized({ nodes: { before, after } }: CostChanges['clusters'][number]['pools'][number]): boolean {
  return before.least !== after.least || before.most !== after.most;
}

/** What deployments use more or less of pools: with more or fewer replicas there, otherwise with larger or smaller ones. */
function listUses(deployments: FleetDiff['deployments'], costs: CostChanges['deployments']): PoolUse[] {
  const risesBy = new Map(costs.map(({ deployment, delta }) => [deployment, delta.perMonth ?? 0]));
  return deployments.flatMap(({ deployment, changes }) => {
    const rise = risesBy.get(deployment) ?? 0;
    if (Math.abs(rise) < ROUNDING) return [];
    const byPool = groupBy(changes.flatMap(listSteps), ({ key }) => key);
    return [...byPool].map(([key, steps]): PoolUse => {
      const more = steps.reduce((sum, { count }) => sum + count, 0);
      return { key, deployment, isNew: (more === 0 ? rise : more) > 0 };
    });
  });
}

/** How many more replicas are on a pool. */
interface PoolStep {
  readonly key: string;
  readonly count: number;
}

/** The pools that a replica comes to or leaves, and those on which it restarts. Draining ones leave none yet. */
function listSteps({ action, from, surgeFirst, ...to }: ReplicaChangeWithCauses): PoolStep[] {
  const count = STEPS[action];
  if (count === undefined) return [];
  if (!from) return stepsOf(to, count);
  return [...stepsOf(to, 1), ...(surgeFirst ? [] : stepsOf(from, -1))];
}

function stepsOf({ cluster, pools }: ReplicaLocation, count: number): PoolStep[] {
  return Object.values(pools).map((pool) => ({ key: poolKeyOf(cluster, pool), count }));
}

/** How many more replicas a pool has with each action. Without a number, it says nothing of pools. */
const STEPS: Partial<Record<ReplicaChange['action'], number>> = { place: 1, move: 1, roll: 0, remove: -1 };
