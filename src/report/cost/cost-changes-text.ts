import { formatCount } from '../../base/figures';
import { formatBounds, formatNodeCount, placeText } from '../../base/text';
import {
  toRangeChange,
  type ChangeWithLeast,
  type ClusterCostChange,
  type CostChange,
  type CostChanges,
  type RangeChange,
} from '../../cost/cost-changes';
import type { CostRange } from '../../cost/cost';
import { formatVolumeName } from '../../cost/volume-name';
import { type Block, indent, type Item, strong, styledLines } from '../document/document';
import { type CostPart, listParts, type ListParts, mergeParts } from './cost-parts';
import type { StoredChange } from './cost-difference';
import {
  estimateOf,
  formatAssumed,
  formatEstimatedDelta,
  formatEstimateLines,
  formatUnchangedEstimate,
  listAssumedChanges,
} from './cost-estimate';
import {
  type CostPeriod,
  formatDelta,
  formatRange,
  formatSourceNames,
  isUnchanged,
  listPriceSources,
} from './cost-summary';
import { formatEstimatedRange } from './monthly-range';

/** What a list of changes of costs ends with. */
export interface CostAdditions {
  /** Lines before the price sources. */
  readonly notes?: readonly Block[];

  /** The price sources of other sums that are shown. */
  readonly prices?: readonly string[];

  /** Whether many parts whose cost changes alike are one. Default: each is listed. */
  readonly isMerged?: boolean;
}

/**
 * Formats the changes of the cost of a fleet: the total an hour and a month, then the changed clusters with their pools
 * and volumes, namespaces, and deployments with their replicas, and the price sources. Where prices of other regions
 * give an estimate, it takes the place of what known prices leave open, as in the comment.
 */
export function formatCostChanges(
  changes: CostChanges,
  { notes = [], prices = [], isMerged = false }: CostAdditions = {},
): Block[] {
  const below = [
    ...formatEstimateLines(changes),
    ...formatOtherPools(changes),
    ...formatParts(changes, isMerged ? mergeParts : listParts),
    ...notes,
    ...formatSourcesOf(changes, prices),
  ];
  return [...formatTotalChange(changes), ...indent(below)];
}

function formatTotalChange(changes: CostChanges): Block[] {
  const { currency, hoursPerMonth } = changes;
  const estimate = totalEstimateOf(changes);
  const [kept] = isUnchanged(changes.delta) ? formatUnchangedEstimate(changes) : [];
  if (kept !== undefined) return [{ text: [strong('Cost:'), ` unchanged, ${kept}`] }];
  if (!estimate) {
    const [hour, inMonth] = (['perHour', 'perMonth'] as const).map((per) =>
      formatRangeChange(changes, { currency, per }),
    );
    const month = `a month of ${hoursPerMonth} hours: ${inMonth}`;
    return [{ text: [strong('Cost an hour:'), ` ${hour}; ${month}`] }];
  }
  return [{ text: [strong('Cost a month:'), ` ${formatEstimated(estimate, changes, currency)}`] }];
}

/** The estimate of the cost of a fleet that changes, where it says more of the cost or of its change. */
function totalEstimateOf(changes: CostChanges): RangeChange | undefined {
  if (isUnchanged(changes.delta)) return undefined;
  if (listAssumedChanges(changes).length > 0) return estimateOf(changes)?.changes;
  const { estimate } = changes;
  return usesEstimate(changes, estimate?.changes) ? estimate?.changes : undefined;
}

/** Names the pools that are estimated next to a change whose cost is known. */
function formatOtherPools(changes: CostChanges): string[] {
  const { estimate } = changes;
  if (!estimate || !totalEstimateOf(changes) || listAssumedChanges(changes).length > 0) return [];
  return [`≈: ${formatAssumed(estimate.assumed)}`];
}

/** `≈ $96,900 -> ≈ $129,000 (≈ +$32,300)`. A difference that is known is exact. */
function formatEstimated(change: RangeChange, known: RangeChange, currency: string): string {
  const { before, after } = change;
  const [was, is] = [before, after].map((range) => formatEstimatedRange(range, currency));
  const difference = isKnownChange(known)
    ? formatDelta(known.delta, currency, 'perMonth')
    : formatEstimatedDelta(change, currency);
  return `${was} -> ${is} (${difference})`;
}

/** Formats the parts of a fleet whose cost changes, of many those that do alike as one, and the price sources. */
export function formatCostChangeParts(changes: CostChanges): Block[] {
  const parts = formatParts(changes, mergeParts);
  return indent(parts.length > 0 ? [...parts, ...formatSourcesOf(changes)] : []);
}

function formatSourcesOf({ before, after, sources }: CostChanges, others: readonly string[] = []): Item[] {
  const own = listPriceSources([before.most, after.most], sources);
  return styledLines('faint', formatSourceNames([...own, ...others]));
}

/** The cost of capacity that nothing uses. Empty if it stays. */
function formatIdleChange(idle: CostChange, view: PartsView): Item[] {
  const { perHour = 0 } = idle.delta;
  return perHour === 0 ? [] : [{ text: `idle capacity   ${formatSumChange(idle, { ...view, noun: 'pool' })}` }];
}

function formatParts(changes: CostChanges, list: ListParts): Item[] {
  const { clusters, namespaces, deployments, idle, currency, estimate } = changes;
  const view: PartsView = { currency, per: periodOfParts(changes) };
  const used: PartsView = { ...view, noun: 'part' };
  const estimated = estimate?.changes;
  return [
    ...formatIdleChange(idle, view),
    ...list(
      'cluster',
      clusters.flatMap((one) => {
        const other = estimated?.clusters.find(({ cluster }) => cluster === one.cluster);
        return formatCluster(one, view, other);
      }),
    ),
    ...namespaces.filter(isKnown).map((one) => {
      const other = estimated?.namespaces.find(({ namespace }) => namespace === one.namespace);
      return { text: `namespace ${one.namespace}   ${formatSumChange(one, used, other)}` };
    }),
    ...list(
      'deployment',
      deployments.filter(isKnown).map((one) => {
        const other = estimated?.deployments.find(({ deployment }) => deployment === one.deployment);
        return formatDeployment(one, used, list, other);
      }),
    ),
  ];
}

/** The lists of parts, which lines merge. */
export function listsOfCosts({ clusters, deployments }: CostChanges): (readonly unknown[])[] {
  return [clusters, deployments, ...deployments.map(({ replicas }) => replicas)];
}

/** Of what parts are: estimates are of a month, and so are all parts next to one. */
interface PartsView {
  readonly currency: string;
  readonly per: CostPeriod;

  /** What has no price, as of `formatWithoutPrice`. */
  readonly noun?: string;
}

/** The title of the parts of a cost: what their amounts are of. */
export function titleOfCostParts(changes: CostChanges): string {
  return periodOfParts(changes) === 'perMonth' ? 'Cost a month' : 'Cost an hour';
}

/** A month where the change of any part is estimated, else an hour. */
function periodOfParts({ clusters, namespaces, deployments, estimate }: CostChanges): CostPeriod {
  const other = estimate?.changes;
  if (!other) return 'perHour';
  const ofCluster = (name: string) => other.clusters.find(({ cluster }) => cluster === name);
  const pairs: [RangeChange, RangeChange | undefined][] = [
    ...clusters.map((one): [RangeChange, RangeChange | undefined] => [one, ofCluster(one.cluster)]),
    ...clusters.flatMap(({ cluster, pools }) =>
      pools.map((one): [RangeChange, RangeChange | undefined] => [
        one,
        ofCluster(cluster)?.pools.find(({ pool }) => pool === one.pool),
      ]),
    ),
    ...pairChanges(namespaces, other.namespaces, ({ namespace }) => namespace),
    ...pairChanges(deployments, other.deployments, ({ deployment }) => deployment),
  ];
  return pairs.some(([one, estimated]) => usesEstimate(one, estimated)) ? 'perMonth' : 'perHour';
}

/** Pairs changes with their estimates, by name. */
function pairChanges<T extends ChangeWithLeast>(
  changes: readonly T[],
  estimates: readonly T[],
  nameOf: (one: T) => string,
): [RangeChange, RangeChange | undefined][] {
  const byName = new Map(estimates.map((one) => [nameOf(one), toRangeChange(one)]));
  return changes.map((one) => [toRangeChange(one), byName.get(nameOf(one))]);
}

/** Whether a cost that changes, or its difference, is not known, but an estimate of it is. */
function usesEstimate(change: RangeChange, estimated: RangeChange | undefined): estimated is RangeChange {
  if (!estimated || estimated.delta.most.unknown > 0 || isUnchanged(change.delta)) return false;
  return !isKnownChange(change) || estimated.after.most.unknown < change.after.most.unknown;
}

function isKnownChange({ delta: { least, most } }: RangeChange): boolean {
  return least.unknown + most.unknown === 0;
}

/** Formats a change of a cost, or the estimate of it where its difference is not known. */
function formatPartChange(change: StoredChange, view: PartsView, estimated: RangeChange | undefined): string {
  const text = usesEstimate(change, estimated)
    ? formatEstimated(estimated, change, view.currency)
    : formatRangeChange(change, view);
  return view.per === 'perMonth' ? `a month: ${text}` : text;
}

/** Formats a change of a cost: `$1,200 -> $1,350 (+$150)`. */
function formatRangeChange(
  { before, after, delta, storage }: StoredChange,
  { currency, per, noun }: PartsView,
): string {
  const partsOf = (of: keyof RangeChange) => (storage ? { volumes: storage[of].unknown } : noun);
  const is = formatRange(after, currency, per, partsOf('after'));
  if (isUnchanged(delta)) return `${is}, unchanged`;
  if (after.most.perHour === undefined && before.most.perHour === undefined) return 'unknown';
  const was = formatRange(before, currency, per, partsOf('before'));
  if (isKnownChange({ before, after, delta })) {
    // Less than is shown of the amounts is no difference.
    const isTiny = isBelowCent(delta, per);
    if (was === is || (isTiny && !isBelowCent(before, per))) return `${is}, unchanged`;
    if (isTiny) return `${was} -> ${is}`;
  }
  return `${was} -> ${is} (${formatDelta(delta, currency, per, partsOf('delta'))})`;
}

/** Whether an amount rounds to no cent. */
function isBelowCent({ least, most }: CostRange, per: CostPeriod): boolean {
  return [least, most].every(({ [per]: amount = 0 }) => Math.abs(amount) < 0.005);
}

/** Reports whether a cost has a known amount other than zero, before or after. */
function isKnown({ before, after }: CostChange): boolean {
  return [before, after].some(({ perHour = 0 }) => perHour !== 0);
}

function formatSumChange(change: ChangeWithLeast, view: PartsView, estimated?: ChangeWithLeast): string {
  return formatPartChange(toRangeChange(change), view, estimated && toRangeChange(estimated));
}

/** Formats the changed purchases of a cluster; its idle costs are only in the tables. */
function formatCluster(change: ClusterCostChange, view: PartsView, estimated?: ClusterCostChange): CostPart[] {
  const { cluster, volumes } = change;
  const pools = change.pools.filter(({ nodes, delta }) => nodesOf(nodes) !== '' || !isUnchanged(delta));
  if (pools.length + volumes.length === 0) return [];
  const below = [
    ...pools.map((one) => {
      const other = estimated?.pools.find(({ pool }) => pool === one.pool);
      return `pool ${one.pool}   ${nodesOf(one.nodes)}${formatPartChange(one, { ...view, noun: 'pool' }, other)}`;
    }),
    ...volumes.map((volume) => {
      const { before, after } = volume.sizeGiB;
      const size = before === after ? '' : `${formatCount(before)} -> ${formatCount(after)} GiB, `;
      return `${formatVolumeName(volume)}   ${size}${formatSumChange(volume, { ...view, noun: 'volume' })}`;
    }),
  ];
  return [{ name: cluster, text: formatPartChange(change, view, estimated), below }];
}

function nodesOf({ before, after }: ClusterCostChange['pools'][number]['nodes']): string {
  const [was = '', is = ''] = [before, after].map(formatBounds);
  return was === is ? '' : `${was} -> ${formatNodeCount(is)}, `;
}

type DeploymentCostChange = CostChanges['deployments'][number];

function formatDeployment(
  change: DeploymentCostChange,
  view: PartsView,
  list: ListParts,
  estimated?: DeploymentCostChange,
): CostPart {
  const replicas = change.replicas.filter(isKnown).map((one) => {
    return { name: placeText(one), text: formatSumChange(one, view) };
  });
  return {
    name: change.deployment,
    text: formatSumChange(change, view, estimated),
    below: list('replica', replicas),
  };
}
