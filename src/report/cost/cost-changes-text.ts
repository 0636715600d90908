import { formatBounds, formatNodeCount } from '../../base/text';
import type { ClusterCostChange, CostChange, CostChanges, RangeChange } from '../../cost/cost-changes';
import { type Block, indent, type Item, strong, styledLines } from '../document/document';
import { rangeChange } from './cost-changes-tables';
import { type CostPeriod, formatDelta, formatPriceSources, formatRange, isUnchanged } from './cost-summary';

/**
 * Formats the changes of the cost of a fleet: the total an hour and a month, then the changed clusters with their pools
 * and volumes, namespaces, and deployments with their replicas, and the price sources.
 */
export function formatCostChanges(changes: CostChanges): Block[] {
  const { currency, hoursPerMonth } = changes;
  const hour = formatRangeChange(changes, 'perHour');
  const month = `a month of ${hoursPerMonth} hours: ${formatRangeChange(changes, 'perMonth')}`;
  return [
    { text: [strong(`Cost in ${currency} an hour:`), ` ${hour}; ${month}`] },
    ...indent([...formatParts(changes), ...formatSourcesOf(changes)]),
  ];
}

/** Formats the parts of a fleet whose cost changes, and the price sources. Empty if no part changes. */
export function formatCostChangeParts(changes: CostChanges): Block[] {
  const parts = formatParts(changes);
  return indent(parts.length > 0 ? [...parts, ...formatSourcesOf(changes)] : []);
}

function formatSourcesOf({ before, after, sources }: CostChanges): Item[] {
  return styledLines('faint', formatPriceSources([before.most, after.most], sources));
}

function formatParts({ clusters, namespaces, deployments }: CostChanges): Item[] {
  return [
    ...clusters.flatMap(formatCluster),
    ...namespaces.filter(isKnown).map((one) => ({ text: `namespace ${one.namespace}   ${formatSumChange(one)}` })),
    ...deployments.filter(isKnown).map(formatDeployment),
  ];
}

/** Formats a change of a cost: `1200.00 -> 1350.00 (+150.00)`. */
export function formatRangeChange({ before, after, delta }: RangeChange, per: CostPeriod): string {
  if (isUnchanged(delta)) return `${formatRange(after, per)}, unchanged`;
  if (after.most.perHour === undefined && before.most.perHour === undefined) return 'unknown';
  return `${formatRange(before, per)} -> ${formatRange(after, per)} (${formatDelta(delta, per)})`;
}

/** Reports whether a cost has a known amount other than zero, before or after. */
function isKnown({ before, after }: CostChange): boolean {
  return [before, after].some(({ perHour = 0 }) => perHour !== 0);
}

function formatSumChange(change: CostChange): string {
  return formatRangeChange(rangeChange(change), 'perHour');
}

/** Formats the changed purchases of a cluster; idle costs are only in the tables. */
function formatCluster(change: ClusterCostChange): Item[] {
  const { cluster, volumes } = change;
  const pools = change.pools.filter(({ nodes, delta }) => nodesOf(nodes) !== '' || !isUnchanged(delta));
  if (pools.length + volumes.length === 0) return [];
  const below = [
    ...pools.map((pool) => `pool ${pool.pool}   ${nodesOf(pool.nodes)}${formatRangeChange(pool, 'perHour')}`),
    ...volumes.map((volume) => {
      const { before, after } = volume.sizeGiB;
      const size = before === after ? '' : `${before} -> ${after} GiB, `;
      return `cache ${volume.cache}   ${size}${formatSumChange(volume)}`;
    }),
  ];
  return [{ text: `cluster ${cluster}   ${formatRangeChange(change, 'perHour')}`, below }];
}

function nodesOf({ before, after }: ClusterCostChange['pools'][number]['nodes']): string {
  const [was = '', is = ''] = [before, after].map(formatBounds);
  return was === is ? '' : `${was} -> ${formatNodeCount(is)}, `;
}

function formatDeployment(change: CostChanges['deployments'][number]): Item {
  const replicas = change.replicas.filter(isKnown);
  return {
    text: `deployment ${change.deployment}   ${formatSumChange(change)}`,
    below: replicas.map((one) => `${one.cluster}/${one.index}   ${formatSumChange(one)}`),
  };
}
