import { pluralize } from '../../base/text';
import type { CostRange } from '../../cost/cost';
import type {
  ClusterCostChange,
  CostChanges,
  DeploymentCostChange,
  PoolCostChange,
  RangeChange,
  SumChange,
} from '../../cost/cost-changes';
import type { Sum } from '../../cost/sum';
import { PLAIN_STYLE, type Style } from '../document/terminal-style';
import { formatPriceSources } from './amounts';
import { type CostPeriod, formatDelta, formatRange, isUnchanged } from './cost-summary';

/**
 * What a fleet costs now and then, for a person: all of it an hour and a month, then the clusters with their pools and
 * volumes, the namespaces, and the deployments with their replicas of which it changes; whose prices these are.
 */
export function formatCostChanges(changes: CostChanges, style: Style = PLAIN_STYLE): string[] {
  const { currency, hoursPerMonth } = changes;
  const hour = formatRangeChange(changes, 'perHour');
  const month = `a month of ${hoursPerMonth} hours: ${formatRangeChange(changes, 'perMonth')}`;
  return [
    `${style.strong(`Cost in ${currency} an hour:`)} ${hour}; ${month}`,
    ...formatPartLines(changes),
    ...formatSourcesOf(changes).map((line) => style.faint(`  ${line}`)),
  ];
}

/** The parts of a fleet of which the cost changes, and whose prices these are. Nothing where none does. */
export function formatCostChangeParts(changes: CostChanges): string[] {
  const lines = formatPartLines(changes);
  return lines.length > 0 ? [...lines, ...formatSourcesOf(changes).map((line) => `  ${line}`)] : [];
}

function formatSourcesOf({ before, after, sources }: CostChanges): string[] {
  return formatPriceSources([before.most, after.most], sources);
}

function formatPartLines({ clusters, namespaces, deployments }: CostChanges): string[] {
  return [
    ...clusters.flatMap(formatClusterLines),
    ...namespaces.filter(isKnown).map((one) => `  namespace ${one.namespace}   ${formatSumChange(one)}`),
    ...deployments.filter(isKnown).flatMap(formatDeploymentLines),
  ];
}

/** `1200.00 -> 1350.00 (+150.00)`. */
export function formatRangeChange({ before, after, delta }: RangeChange, per: CostPeriod): string {
  if (isUnchanged(delta)) return `${formatRange(after, per)}, unchanged`;
  if (after.most.perHour === undefined && before.most.perHour === undefined) return 'unknown';
  return `${formatRange(before, per)} -> ${formatRange(after, per)} (${formatDelta(delta, per)})`;
}

/** Whether anything is known of a cost, before or after, beside that nothing was there. */
function isKnown({ before, after }: SumChange): boolean {
  return [before, after].some(({ perHour = 0 }) => perHour !== 0);
}

function formatSumChange({ before, after, delta }: SumChange): string {
  return formatRangeChange(
    { before: rangeOf(before), after: rangeOf(after), delta: rangeOf(delta) },
    'perHour',
  );
}

function rangeOf(sum: Sum): CostRange {
  return { least: sum, most: sum };
}

/** Of what is bought alone: what is idle is in the tables. */
function formatClusterLines(change: ClusterCostChange): string[] {
  const { cluster, volumes } = change;
  const pools = change.pools.filter(hasOtherPurchases);
  if (pools.length + volumes.length === 0) return [];
  return [
    `  cluster ${cluster}   ${formatRangeChange(change, 'perHour')}`,
    ...pools.map(
      (pool) =>
        `    pool ${pool.pool}   ${formatNodesChange(pool.nodes)}${formatRangeChange(pool, 'perHour')}`,
    ),
    ...volumes.map((volume) => {
      const { before, after } = volume.sizeGiB;
      return `    cache ${volume.cache}   ${before === after ? '' : `${before} -> ${after} GiB, `}${formatSumChange(volume)}`;
    }),
  ];
}

function hasOtherPurchases({ nodes, delta }: PoolCostChange): boolean {
  return formatNodesChange(nodes) !== '' || !isUnchanged(delta);
}

type Nodes = ClusterCostChange['pools'][number]['nodes'];

function formatNodesChange({ before, after }: Nodes): string {
  const [was, is] = [before, after].map(({ least, most }) =>
    least === most ? `${most}` : `${least} to ${most}`,
  );
  return was === is ? '' : `${was} -> ${is === '1' ? pluralize(1, 'node') : `${is} nodes`}, `;
}

function formatDeploymentLines(change: DeploymentCostChange): string[] {
  return [
    `  deployment ${change.deployment}   ${formatSumChange(change)}`,
    ...change.replicas
      .filter(isKnown)
      .map((replica) => `    ${replica.cluster}/${replica.index}   ${formatSumChange(replica)}`),
  ];
}
