import type { Taint } from '../../api/schema/taints-and-tolerations';
import { formatCount } from '../../base/figures';
import { formatTaint, placeText, pluralize } from '../../base/text';
import type { ClusterCost, PoolCost } from '../../cost/cost';
import type { PlacedReplica } from '../../plan/plan';
import { formatPackingHint, formatPoolPrefix, formatRejectionReason } from '../../plan/rejection-messages';
import type { ClusterRoom } from '../../scheduler/explain-deployment';
import { countUnpricedOf, formatFigures } from '../cost/cost-summary';
import { describeLostReplica } from '../diff/change-sentences';
import { type Block, CHANGE_MARKS, type Item, section, strong } from '../document/document';
import { formatReplicaUsage } from '../plan/deployments-text';
import { formatNodePrice } from './class-explanation';
import { formatFurtherCount } from './deployment-explanation';

/** What is known of a cluster: its pools, its replicas, what else has room there, and its cost. */
export interface ClusterView extends ClusterRoom {
  readonly cluster: string;
  readonly paused: boolean;
  readonly taints: readonly Taint[];

  /** The replicas that it has once the plan is accepted. */
  readonly replicas: readonly PlacedReplica[];

  /** Absent if nothing of it is bought. */
  readonly cost?: ClusterCost;
  readonly currency: string;
}

/** Formats the size of a cluster as one line. */
export function formatClusterSummary({ cluster, pools, replicas, paused, taints, cost }: ClusterView): Item {
  const sizes = pools.map((pool) => nodesOf(pool, cost));
  const [least, most] = (['least', 'most'] as const).map((bound) => sizes.reduce((sum, one) => sum + one[bound], 0));
  const parts = [
    pluralize(pools.length, 'pool'),
    formatNodes({ least: least ?? 0, most: most ?? 0 }),
    pluralize(replicas.length, 'replica'),
    ...(paused ? ['paused'] : []),
    ...taints.map((taint) => `taint ${formatTaint(taint)}`),
  ];
  return { text: [strong(cluster), `: ${parts.join(', ')}`] };
}

/** The nodes of a pool, of an autoscaled one by its bounds. */
function nodesOf({ pool, nodes }: ClusterView['pools'][number], cost: ClusterCost | undefined): NodeBounds {
  const own = cost?.pools.find((one) => one.pool === pool);
  return own?.nodes ?? { least: nodes, most: nodes };
}

type NodeBounds = Pick<PoolCost['nodes'], 'least' | 'most'>;

/** `1 to 2 nodes`. */
function formatNodes({ least, most }: NodeBounds): string {
  return least === most ? pluralize(most, 'node') : `${formatCount(least)} to ${pluralize(most, 'node')}`;
}

/** `Cost: $2.00 to $8.00 an hour, and 1 pool without a price`. Empty if no price is known. */
function formatClusterCost({ cost, currency }: ClusterView): string[] {
  if (cost?.total.most.perHour === undefined) return [];
  const rest = cost.total.most.unknown > 0 ? `, and ${countUnpricedOf({ clusters: [cost] })} without a price` : '';
  return [`Cost: ${formatFigures(cost.total, currency, 'perHour')} an hour${rest}`];
}

/** Formats a cluster: its pools with prices, its replicas, which deployments have room there, and its cost. */
export function formatClusterExplanation(view: ClusterView): Block[] {
  const { pools, replicas, deployments, cost } = view;
  return [
    formatClusterSummary(view),
    '',
    ...section(
      pools.map((pool) =>
        formatPool(
          pool,
          cost?.pools.find((one) => one.pool === pool.pool),
        ),
      ),
    ),
    ...section(listBelow('Replicas:', replicas.map(formatReplica))),
    ...section(listBelow('Room for further replicas, of each deployment alone:', deployments.map(formatRoom))),
    ...formatClusterCost(view),
  ];
}

function listBelow(text: string, below: Block[]): Block[] {
  return below.length > 0 ? [{ text, below }] : [];
}

function formatPool({ pool, className, nodes, inUse, free }: ClusterView['pools'][number], cost?: PoolCost): Item {
  const use = `${formatCount(inUse)} of ${pluralize(inUse + free, 'device')} in use`;
  const size = `class ${className}, ${formatNodes(cost?.nodes ?? { least: nodes, most: nodes })}; ${use}; ${formatNodePrice(cost?.price)}`;
  return { text: [strong(`pool ${pool}`), `   ${size}`] };
}

function formatReplica({ placement, usage }: PlacedReplica): Item {
  const mark = CHANGE_MARKS[placement.lost ? 'lost' : placement.draining ? 'draining' : 'keep'];
  const why = placement.lost ? `   ${describeLostReplica(placement.cluster)}` : '';
  const text = `${formatReplicaUsage({ usage })}${why}`;
  return { mark, cells: [`${placement.deployment} ${placeText(placement)}`], text };
}

function formatRoom({ deployment, rejections, further, packed }: ClusterView['deployments'][number]): Item {
  if (further) return { cells: [deployment], text: `yes: ${formatFurtherCount(further)}` };
  const reasons = rejections.map(
    (one) => `${formatPoolPrefix(one.pool)}${formatRejectionReason(one)}${formatPackingHint(one, packed)}`,
  );
  return { cells: [deployment], text: `no: ${reasons.join('; ')}` };
}
