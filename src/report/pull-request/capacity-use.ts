import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { formatNodeCount, joinAnd, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import { poolKeyOf } from '../../cost/pool-prices';
import type { FleetDiff } from '../../diff/fleet-diff';
import { sumRangeChanges } from '../cost/cost-difference';
import { formatCode } from '../document/write-markdown';
import { limitClauses } from './clauses';
import type { DeploymentRow } from './deployment-rows';

/**
 * `: 8 idle GPUs are used`, ``: 1 idle GPU is used, and 1 more within the bounds of `us/l4` ``, where what the fleet buys
 * stays and replicas use more or fewer of its GPUs.
 *
 * @param more how many more GPUs are idle
 */
export function formatUse(more: number, rows: readonly DeploymentRow[], change: ScaledUse): string {
  const sum = (of: (row: DeploymentRow['accelerators']) => number): number =>
    rows.reduce((total, { accelerators }) => total + of(accelerators), 0);
  const draining = sum((one) => one.draining);
  const old = draining + sum((one) => one.unreplaced);
  if (more > 0) {
    const left = listScaledPools(change, false);
    const freed = left.length > 0 ? sum(({ before, after }) => before - after) - old - more : 0;
    const rest = `${formatCount(freed)} less ${freed === 1 ? 'is' : 'are'} used ${formatWithin(left)}`;
    return `: ${formatCount(more)} more ${more === 1 ? 'GPU is' : 'GPUs are'} idle${freed > 0 ? `, and ${rest}` : ''}`;
  }
  const scaled = listScaledPools(change, true);
  const within = scaled.length > 0 ? sum(({ before, after }) => after - before) + old + more : 0;
  const until = -more <= draining ? ' while old replicas serve' : '';
  const bounds = formatWithin(scaled);
  if (more === 0) {
    const kept = describeKeptBounds(scaled, change);
    return within > 0 ? `${kept}. Within this range, the bill can rise: ${formatMore(within, scaled, rows)}` : '';
  }
  const idle = isOfCopiesAlone(rows)
    ? `${pluralize(-more, 'idle GPU')} ${more === -1 ? 'is' : 'are'} reserved for copies`
    : countUsed(-more, 'idle GPU');
  return `: ${idle}${until}${within > 0 ? `, and ${formatCount(within)} more ${bounds}` : ''}`;
}

/** What changes, and the pools after it. */
interface ScaledUse {
  readonly deployments: FleetDiff['deployments'];
  readonly later: Pick<Cost, 'clusters'>;
}

/** ``: `us/l4` keeps its 2 to 6 nodes``: why the bounds of a cost stay although replicas use more. */
function describeKeptBounds(scaled: readonly string[], { later: { clusters } }: ScaledUse): string {
  const names = namePools(scaled);
  if (scaled.length !== 1) return `: ${names} keep their bounds`;
  const pools = clusters.flatMap(({ cluster, pools: own }) =>
    own.filter(({ pool }) => scaled.includes(poolKeyOf(cluster, pool))),
  );
  return pools
    .map(
      ({ nodes }) => `: ${names} keeps its ${formatCount(nodes.least)} to ${formatNodeCount(formatCount(nodes.most))}`,
    )
    .join('');
}

/** Whether deployments cost more only with copies that an autoscaler may add. */
function isOfCopiesAlone(rows: readonly DeploymentRow[]): boolean {
  const { least, most } = sumRangeChanges(rows.flatMap((row) => row.cost)).delta;
  return least.perMonth === 0 && least.unknown === 0 && (most.perMonth ?? 0) > 0;
}

/** ``1 more GPU of `us/l4` is used``; `can be used` with copies, of which not all are sure to run. */
function formatMore(count: number, pools: readonly string[], rows: readonly DeploymentRow[]): string {
  const [gpus, are] = count === 1 ? ['GPU', 'is'] : ['GPUs', 'are'];
  const used = rows.some((row) => row.copies !== undefined || growsInCopies(row)) ? 'can be used' : `${are} used`;
  return `${formatCount(count)} more ${gpus} of ${namePools(pools)} ${used}`;
}

/** Whether what a deployment uses more depends on how many copies run. */
function growsInCopies({ cost }: DeploymentRow): boolean {
  const { least, most } = sumRangeChanges(cost).delta;
  return (most.perMonth ?? 0) > (least.perMonth ?? 0);
}

function formatWithin(pools: readonly string[]): string {
  return `within the bounds of ${namePools(pools)}`;
}

function namePools(pools: readonly string[]): string {
  return joinAnd(limitClauses(pools.map(formatCode), 'other autoscaled pools'));
}

/** `8 idle GPUs are used`. */
function countUsed(count: number, noun: string): string {
  return `${pluralize(count, noun)} ${count === 1 ? 'is' : 'are'} used`;
}

/**
 * The autoscaled pools on which replicas are new or have more copies, or of which they go or have fewer: their bounds are
 * counted, whatever uses them.
 */
function listScaledPools({ deployments, later: { clusters } }: ScaledUse, areNew: boolean): string[] {
  const scaled = new Set(
    clusters.flatMap(({ cluster, pools }) =>
      pools.filter(({ autoscaled }) => autoscaled).map(({ pool }) => poolKeyOf(cluster, pool)),
    ),
  );
  const used = deployments.flatMap(({ changes, accelerators: { before, after } }) =>
    changes
      .filter(({ action }) => {
        if (action === 'roll') return areNew ? after > before : after < before;
        return areNew ? action === 'place' || action === 'move' : action === 'remove';
      })
      .flatMap(({ cluster, pools }) => Object.values(pools).map((pool) => poolKeyOf(cluster, pool))),
  );
  return sortUnique(used.filter((pool) => scaled.has(pool)));
}
