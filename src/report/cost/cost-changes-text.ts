import { formatBounds, formatNodeCount } from '../../base/text';
import type { ChangeWithLeast, ClusterCostChange, CostChange, CostChanges, RangeChange } from '../../cost/cost-changes';
import { formatVolumeName } from '../../cost/volume-name';
import { type Block, indent, type Item, strong, styledLines } from '../document/document';
import { toRangeChange } from './cost-changes-tables';
import { formatEstimateLines } from './cost-estimate';
import { type CostPeriod, formatDelta, formatPriceSources, formatRange, isUnchanged } from './cost-summary';

/**
 * Formats the changes of the cost of a fleet: the total an hour and a month, then the changed clusters with their pools
 * and volumes, namespaces, and deployments with their replicas, and the price sources.
 */
export function formatCostChanges(changes: CostChanges): Block[] {
  const { currency, hoursPerMonth } = changes;
  const hour = formatRangeChange(changes, currency);
  const month = `a month of ${hoursPerMonth} hours: ${formatRangeChange(changes, currency, 'perMonth')}`;
  return [
    { text: [strong('Cost an hour:'), ` ${hour}; ${month}`] },
    ...indent([...formatEstimateLines(changes), ...formatParts(changes), ...formatSourcesOf(changes)]),
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

/** The cost of capacity that nothing uses. Empty if it stays. */
function formatIdleChange(idle: CostChange, currency: string): Item[] {
  const { perHour = 0 } = idle.delta;
  return perHour === 0 ? [] : [{ text: `idle capacity   ${formatSumChange(idle, currency)}` }];
}

function formatParts({ clusters, namespaces, deployments, idle, currency }: CostChanges): Item[] {
  return [
    ...formatIdleChange(idle, currency),
    ...clusters.flatMap((one) => formatCluster(one, currency)),
    ...namespaces
      .filter(isKnown)
      .map((one) => ({ text: `namespace ${one.namespace}   ${formatSumChange(one, currency)}` })),
    ...deployments.filter(isKnown).map((one) => formatDeployment(one, currency)),
  ];
}

/** Formats a change of a cost: `$1,200 -> $1,350 (+$150)`. */
function formatRangeChange(
  { before, after, delta }: RangeChange,
  currency: string,
  per: CostPeriod = 'perHour',
): string {
  if (isUnchanged(delta)) return `${formatRange(after, currency, per)}, unchanged`;
  if (after.most.perHour === undefined && before.most.perHour === undefined) return 'unknown';
  return `${formatRange(before, currency, per)} -> ${formatRange(after, currency, per)} (${formatDelta(delta, currency, per)})`;
}

/** Reports whether a cost has a known amount other than zero, before or after. */
function isKnown({ before, after }: CostChange): boolean {
  return [before, after].some(({ perHour = 0 }) => perHour !== 0);
}

function formatSumChange(change: ChangeWithLeast, currency: string): string {
  return formatRangeChange(toRangeChange(change), currency);
}

/** Formats the changed purchases of a cluster; its idle costs are only in the tables. */
function formatCluster(change: ClusterCostChange, currency: string): Item[] {
  const { cluster, volumes } = change;
  const pools = change.pools.filter(({ nodes, delta }) => nodesOf(nodes) !== '' || !isUnchanged(delta));
  if (pools.length + volumes.length === 0) return [];
  const below = [
    ...pools.map((pool) => `pool ${pool.pool}   ${nodesOf(pool.nodes)}${formatRangeChange(pool, currency)}`),
    ...volumes.map((volume) => {
      const { before, after } = volume.sizeGiB;
      const size = before === after ? '' : `${before} -> ${after} GiB, `;
      return `${formatVolumeName(volume)}   ${size}${formatSumChange(volume, currency)}`;
    }),
  ];
  return [{ text: `cluster ${cluster}   ${formatRangeChange(change, currency)}`, below }];
}

function nodesOf({ before, after }: ClusterCostChange['pools'][number]['nodes']): string {
  const [was = '', is = ''] = [before, after].map(formatBounds);
  return was === is ? '' : `${was} -> ${formatNodeCount(is)}, `;
}

function formatDeployment(change: CostChanges['deployments'][number], currency: string): Item {
  const replicas = change.replicas.filter(isKnown);
  return {
    text: `deployment ${change.deployment}   ${formatSumChange(change, currency)}`,
    below: replicas.map((one) => `${one.cluster}/${one.index}   ${formatSumChange(one, currency)}`),
  };
}
