import type { Range } from '../cost/cost';
import type {
  ClusterCostChange,
  CostChanges,
  DeploymentCostChange,
  PoolCostChange,
  RangeChange,
  SumChange,
} from '../cost/cost-changes';
import type { Sum } from '../cost/sum';
import { formatDelta, formatRange, isUnchanged, type Per } from './cost-text';
import { plural } from './format';
import { formatPrices } from './price-text';
import { PLAIN, type Style } from './style';

/**
 * What a fleet costs now and then, for a person: all of it an hour and a month, then the clusters with their pools and
 * volumes, the namespaces, and the deployments with their replicas of which it changes; whose prices these are.
 */
export function formatCostChanges(changes: CostChanges, style: Style = PLAIN): string[] {
  const { currency, hoursPerMonth } = changes;
  const hour = changeText(changes, 'perHour');
  const month = `a month of ${hoursPerMonth} hours: ${changeText(changes, 'perMonth')}`;
  return [
    `${style.strong(`Cost in ${currency} an hour:`)} ${hour}; ${month}`,
    ...partLines(changes),
    ...pricesOf(changes).map((line) => style.faint(`  ${line}`)),
  ];
}

/** The parts of a fleet of which the cost changes, and whose prices these are. Nothing where none does. */
export function formatCostParts(changes: CostChanges): string[] {
  const lines = partLines(changes);
  return lines.length > 0 ? [...lines, ...pricesOf(changes).map((line) => `  ${line}`)] : [];
}

function pricesOf({ before, after, sources }: CostChanges): string[] {
  return formatPrices([before.most, after.most], sources);
}

function partLines({ clusters, namespaces, deployments }: CostChanges): string[] {
  return [
    ...clusters.flatMap(clusterLines),
    ...namespaces.filter(isKnown).map((one) => `  namespace ${one.namespace}   ${sumText(one)}`),
    ...deployments.filter(isKnown).flatMap(deploymentLines),
  ];
}

/** `1200.00 -> 1350.00 (+150.00)`. */
export function changeText({ before, after, delta }: RangeChange, per: Per): string {
  if (isUnchanged(delta)) return `${formatRange(after, per)}, unchanged`;
  if (after.most.perHour === undefined && before.most.perHour === undefined) return 'unknown';
  return `${formatRange(before, per)} -> ${formatRange(after, per)} (${formatDelta(delta, per)})`;
}

/** Whether anything is known of a cost, before or after, beside that nothing was there. */
function isKnown({ before, after }: SumChange): boolean {
  return [before, after].some(({ perHour = 0 }) => perHour !== 0);
}

function sumText({ before, after, delta }: SumChange): string {
  return changeText({ before: rangeOf(before), after: rangeOf(after), delta: rangeOf(delta) }, 'perHour');
}

function rangeOf(sum: Sum): Range {
  return { least: sum, most: sum };
}

/** Of what is bought alone: what is idle is in the tables. */
function clusterLines(change: ClusterCostChange): string[] {
  const { cluster, volumes } = change;
  const pools = change.pools.filter(buysOther);
  if (pools.length + volumes.length === 0) return [];
  return [
    `  cluster ${cluster}   ${changeText(change, 'perHour')}`,
    ...pools.map((pool) => `    pool ${pool.pool}   ${nodesText(pool.nodes)}${changeText(pool, 'perHour')}`),
    ...volumes.map((volume) => {
      const { before, after } = volume.sizeGiB;
      return `    cache ${volume.cache}   ${before === after ? '' : `${before} -> ${after} GiB, `}${sumText(volume)}`;
    }),
  ];
}

function buysOther({ nodes, delta }: PoolCostChange): boolean {
  return nodesText(nodes) !== '' || !isUnchanged(delta);
}

type Nodes = ClusterCostChange['pools'][number]['nodes'];

function nodesText({ before, after }: Nodes): string {
  const [was, is] = [before, after].map(({ least, most }) =>
    least === most ? `${most}` : `${least} to ${most}`,
  );
  return was === is ? '' : `${was} -> ${is === '1' ? plural(1, 'node') : `${is} nodes`}, `;
}

function deploymentLines(change: DeploymentCostChange): string[] {
  return [
    `  deployment ${change.deployment}   ${sumText(change)}`,
    ...change.replicas
      .filter(isKnown)
      .map((replica) => `    ${replica.cluster}/${replica.index}   ${sumText(replica)}`),
  ];
}
