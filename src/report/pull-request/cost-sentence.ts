import { formatCount } from '../../base/figures';
import { formatAmount, formatSignedBounds } from '../../base/money';
import { groupBy, sortUnique } from '../../base/order';
import { joinAnd, pluralize } from '../../base/text';
import type { MoreNodes } from '../../analyze/survive/more-nodes';
import type { ExtraNodes } from '../../analyze/survive/survival';
import type { Cost } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';
import { formatWithoutPrice } from '../../cost/unpriced-text';
import type { FleetDiff } from '../../diff/fleet-diff';
import { formatAddedCost } from '../analyze/added-nodes-text';
import { describeUncounted } from '../cost/cost-notes';
import { formatDifferenceBounds, formatKnownRise, sumRangeChanges, unpricedOf } from '../cost/cost-difference';
import {
  estimateOf,
  formatAssumed,
  formatEstimatedDifference,
  isNothingKnown,
  listAssumedChanges,
} from '../cost/cost-estimate';
import { isUnchanged } from '../cost/cost-summary';
import { formatKnownRange } from '../cost/monthly-range';
import { listNewlyPriced, nameUnpricedChanges, omitNewlyPriced, sumPricedChanges } from '../cost/unpriced-changes';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import { describeCapped, formatCapped } from './capped-cost';
import { formatUse } from './capacity-use';
import { joinDeployments, limitClauses } from './clauses';
import type { DeploymentRow } from './deployment-rows';

/** A change with its cost, and the nodes that give replicas without a place one. */
type PricedChange = Pick<FleetDiff, 'cloud' | 'idleAccelerators' | 'deployments'> & {
  readonly cost: CostChanges;
  readonly finalizedCost?: CostChanges | undefined;
  readonly moreNodes?: MoreNodes | undefined;
};

/** Says what a change costs, as a sentence without its full stop. */
export function formatCostSentence(
  { cost, cloud, finalizedCost, idleAccelerators, deployments, moreNodes }: PricedChange,
  rows: readonly DeploymentRow[],
  later: Pick<Cost, 'clusters'>,
): string {
  // A change that drains nothing leaves old replicas of earlier changes to these.
  const drains = rows.some(({ accelerators }) => accelerators.draining > 0);
  const then = finalizedCost && (drains || !isUnchanged(cost.delta)) ? describeFinalized(finalizedCost) : '';
  if (isUnchanged(cost.delta)) {
    if (then !== '') return `${describeUnchanged(cost)}${then}`;
    const more = idleAccelerators.after - idleAccelerators.before;
    return (
      formatShare(cost, rows, more !== 0) ??
      `${describeUnchanged(cost)}${formatUse(more, rows, { deployments, later })}`
    );
  }
  const text =
    formatCapped(cost) ??
    formatEstimate(cost, later) ??
    formatDifference(cost, later, describeUncounted(cloud).length > 0);
  return `${text.startsWith('the cost ') ? '' : 'cost: '}${text}${then}${describeStopped(cost, rows, moreNodes)}${describeSmallest(cost)}${describeCapped(cost)}`;
}

/** `cost unchanged at $275,428 a month`. Without the amount where a part of it is not known. */
function describeUnchanged({ after, currency }: CostChanges): string {
  const isKnown = after.most.unknown === 0 && (after.most.perMonth ?? 0) > 0;
  return `cost unchanged${isKnown ? ` at ${escapeMarkdown(formatKnownRange(after, currency))} a month` : ''}`;
}

/** ``; `ml/adapter` takes 1,024 GiB, the smallest volume of Filestore (zonal)``, which is why small files cost as much. */
function describeSmallest({ clusters }: CostChanges): string {
  const grown = clusters.flatMap(({ volumes }) => volumes.filter(({ sizeGiB }) => sizeGiB.after > sizeGiB.before));
  const sizes = groupBy(
    grown.filter(({ smallestOf }) => smallestOf !== undefined),
    ({ sizeGiB, smallestOf }) => `${formatCount(sizeGiB.after)} GiB, the smallest volume of ${smallestOf}`,
  );
  const texts = [...sizes].map(([size, volumes]) => {
    const [name = '', ...others] = sortUnique(volumes.map(({ cache }) => formatCode(cache)));
    const names = [name, ...limitClauses(others, 'other caches')];
    const each = volumes.length > 1 ? ' on each cluster' : '';
    return `${joinAnd(names)} ${names.length > 1 ? 'take' : 'takes'} ${size}${each}`;
  });
  return texts.map((text) => `; ${text}`).join('');
}

/** `` until `fleetwright lock --finalize` stops the old replicas, then **+$1,460 a month** ``. */
function describeFinalized(cost: CostChanges): string {
  const { delta, currency } = cost;
  const { changes } = estimateOf(cost) ?? {};
  const amount = changes
    ? formatEstimatedDifference({ ...changes, delta: withoutUnknown(changes) }, currency, ' a month')
    : `${formatDifferenceBounds(cost, currency)} a month`;
  const less = describeGoneVolumes(cost);
  const isUnknown =
    amount.startsWith('unknown') || (changes && isNothingKnown(changes) && changes.delta.most.unknown > 0);
  const known = isUnknown ? [] : [`**${escapeMarkdown(amount)}**`];
  const text = less === '' && isUnknown ? 'at an unknown cost' : [...known, ...(less === '' ? [] : [less])].join(' ');
  const then = isUnchanged(delta) || amount === 'about the same' ? 'as before' : `${text}${describeVolumes(cost)}`;
  return ` until ${formatCode('fleetwright lock --finalize')} stops the old replicas, then ${then}`;
}

/**
 * ``less the volume of `ml/weights` on `eu`, whose price is unknown``, where volumes that go are all that is not known of
 * a difference. Empty otherwise.
 */
function describeGoneVolumes({ clusters, delta, estimate }: CostChanges): string {
  const gone = clusters.flatMap(({ cluster, volumes }) =>
    volumes
      .filter(({ before, after }) => before.unknown > 0 && after.unknown === 0 && after.perMonth === 0)
      .map(({ cache }) => `the volume of ${formatCode(cache)} on ${formatCode(cluster)}`),
  );
  const { most } = estimate?.changes.delta ?? delta;
  if (gone.length === 0 || most.unknown !== gone.length) return '';
  return `less ${joinAnd(limitClauses(gone, 'other volumes'))}, whose price is unknown`;
}

/** `` (the volume of `ml/weights` on `eu`)``, where a cost changes by volumes of caches alone. */
function describeVolumes({ delta, storage, clusters }: CostChanges): string {
  const isAll = [delta.least, delta.most].every((one) => one.perMonth === storage.delta.perMonth && one.unknown === 0);
  const names = clusters.flatMap(({ cluster, volumes }) =>
    volumes
      .filter((one) => one.delta.perMonth !== 0)
      .map(({ cache }) => `the volume of ${formatCode(cache)} on ${formatCode(cluster)}`),
  );
  return isAll && names.length > 0 ? ` (${joinAnd(limitClauses(names, 'other volumes'))})` : '';
}

/**
 * ``, because nodes of `eu` and a volume go; 2 replicas then do not run (1 more node for them: +$64,598 a month)``, where
 * a fleet costs less and replicas that ran have no place.
 */
function describeStopped(
  { delta, clusters, estimate }: CostChanges,
  rows: readonly DeploymentRow[],
  { extra }: Partial<MoreNodes> = {},
): string {
  const { least, most } = estimate?.changes.delta ?? delta;
  const stopped = rows.reduce((sum, { replicas, unplaced }) => {
    return sum + (unplaced ? Math.min(unplaced.missing, Math.max(0, replicas.before - replicas.after)) : 0);
  }, 0);
  if (stopped === 0 || (least.perMonth ?? 0) > 0 || (most.perMonth ?? 0) >= 0) return '';
  const cause = describeGone((estimate?.changes ?? { clusters }).clusters);
  const verb = `${cause === '' ? '' : 'then '}${stopped === 1 ? 'does' : 'do'}`;
  return `, because${cause} ${pluralize(stopped, 'replica')} ${verb} not run${extra ? describeNodes(extra, stopped) : ''}`;
}

/** `` nodes of `eu` and a volume go;``. Empty: none do. */
function describeGone(clusters: CostChanges['clusters']): string {
  const nodes = limitClauses(listGoneNodes(clusters), 'other pools');
  const volumes = clusters.flatMap((one) => one.volumes.filter(({ delta }) => (delta.perMonth ?? 0) < 0)).length;
  const parts = [
    ...(nodes.length > 0 ? [`nodes of ${joinAnd(nodes)}`] : []),
    ...(volumes > 0 ? [volumes === 1 ? 'a volume' : pluralize(volumes, 'volume')] : []),
  ];
  const verb = nodes.length === 0 && volumes === 1 ? 'goes' : 'go';
  return parts.length === 0 ? '' : ` ${joinAnd(parts)} ${verb};`;
}

/** The clusters of which no nodes are left, and the pools of others that have fewer. */
function listGoneNodes(clusters: CostChanges['clusters']): string[] {
  return clusters.flatMap(({ cluster, pools }) => {
    const fewer = pools.filter(({ delta: { most } }) => (most.perMonth ?? 0) < 0);
    const isLeft = pools.some(({ after: { most } }) => (most.perMonth ?? 0) + most.unknown > 0);
    if (fewer.length > 0 && !isLeft) return [formatCode(cluster)];
    return fewer.map(({ pool }) => formatCode(`${cluster}/${pool}`));
  });
}

/** ` (1 more node for them: +$64,598 a month)`. Empty where that is not known. */
function describeNodes(extra: ExtraNodes, stopped: number): string {
  if (extra.cost.perMonth === undefined && !extra.estimate) return '';
  const whom = stopped === 1 ? 'it' : 'them';
  return ` (${pluralize(extra.total, 'more node')} for ${whom}: ${escapeMarkdown(formatAddedCost(extra))})`;
}

/** ``about +$66,600 a month (`us-east/h100` priced as in us-central1)``. */
function formatEstimate(cost: CostChanges, later: Pick<Cost, 'clusters'>): string | undefined {
  const { changes } = estimateOf(cost) ?? {};
  const assumed = listAssumedChanges(cost);
  if (!changes || assumed.length === 0) return undefined;
  const unpriced = describeUnpriced(changes, later);
  const change = { ...changes, delta: withoutUnknown(changes) };
  // What is known of a change does not say what the rest costs.
  if (unpriced.length > 0 && isNothingKnown(change)) return unpriced.join('');
  const amount = escapeMarkdown(formatEstimatedDifference(change, cost.currency, ' a month'));
  const about = amount.startsWith('about the same') ? amount : `**${amount}**`;
  const percents =
    unpriced.length > 0 || about === amount ? [] : formatPercents(changes).map((text) => `about ${text}`);
  return [`${about} (${[...percents, formatAssumed(assumed, formatCode)].join('; ')})`, ...unpriced].join('; ');
}

/** The known part of a difference. What has no price is named instead of counted. */
function withoutUnknown({ delta: { least, most } }: CostChanges): CostChanges['delta'] {
  return { least: { ...least, unknown: 0 }, most: { ...most, unknown: 0 } };
}

/** `unknown for dc (no price stated)`. Empty where all has a price. */
function describeUnpriced(cost: CostChanges, later: Pick<Cost, 'clusters'>): string[] {
  const names = escapeMarkdown(nameUnpricedChanges(omitNewlyPriced(cost), later));
  const priced = listNewlyPriced(cost, formatCode).map(({ name, after: { least, most } }) => {
    const bounds = [least.perMonth ?? 0, most.perMonth ?? 0] as const;
    if (bounds[1] === 0) return `saves the price of ${name}, which is unknown`;
    const amount = escapeMarkdown(formatBoundsOf(bounds, cost.currency));
    return `${name} costs ${amount} a month then, and its former price is unknown`;
  });
  return [
    ...limitClauses(priced, 'others have a price now'),
    ...(names === '' ? [] : [`unknown for ${names} (no price stated)`]),
  ];
}

function formatBoundsOf([least, most]: readonly [number, number], currency: string): string {
  const [from, to] = [formatAmount(least, currency), formatAmount(most, currency)];
  return from === to ? from : `${from} to ${to}`;
}

/** What is saved on parts with a price, where others have none: `-$93,306`. */
function formatKnownSaving(cost: CostChanges): string | undefined {
  const known = sumPricedChanges(cost);
  return Math.max(...known) < 0 ? formatSignedBounds(known, cost.currency) : undefined;
}

/** `+25 %`, `+100 to +200 %`, of the bounds of a cost. Empty where these are not known, or round to none. */
function formatPercents({ before, after }: Pick<CostChanges, 'before' | 'after'>): string[] {
  const percents = (['least', 'most'] as const).flatMap((bound) => {
    const [was, is] = [before[bound], after[bound]];
    if (was.unknown + is.unknown > 0 || !was.perMonth || is.perMonth === undefined) return [];
    return [Math.round(((is.perMonth - was.perMonth) / was.perMonth) * 100)];
  });
  if (percents.length < 2) return [];
  const [nearer = 0, farther = 0] = percents.sort((a, b) => Math.abs(a) - Math.abs(b));
  if (farther === 0) return [];
  const [from, to] = [nearer, farther].map((percent) => `${percent > 0 ? '+' : ''}${percent}`);
  return [nearer === farther ? `${to} %` : `${from} to ${to} %`];
}

/**
 * `+$40,179 a month (+25 %)`.
 *
 * @param isPartial whether parts of new clusters are not counted: a rise is then a lower bound
 */
function formatDifference(cost: CostChanges, later: Pick<Cost, 'clusters'>, isPartial: boolean): string {
  const { delta, currency } = cost;
  const unpriced = describeUnpriced(cost, later);
  const amount = formatDifferenceBounds(cost, currency);
  if (amount === 'unknown') {
    const rise = formatKnownRise(cost, currency) ?? formatKnownSaving(cost);
    const known = rise === undefined ? [] : [`**${escapeMarkdown(rise)} a month**`];
    if (unpriced.length === 0) return `the cost changes by ${[...known, 'an unknown amount'].join(' and ')}`;
    // The table says that the difference is unknown, so the known part of it does not come first.
    return [...unpriced, ...known.map((amount) => `without that, ${amount}`)].join('; ');
  }
  const notes = [
    ...formatPercents(cost),
    ...(unpriced.length === 0 && delta.most.unknown > 0
      ? [formatWithoutPrice(delta.most.unknown, unpricedOf(cost))]
      : []),
  ];
  const least = isPartial && amount.startsWith('+') ? 'at least ' : '';
  const known = `**${least}${escapeMarkdown(amount)} a month**${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  return [known, ...unpriced].join('; ');
}

/**
 * What the copies of deployments use more or less, where no replica of them changes and the nodes of the fleet stay:
 * ``cost of the fleet unchanged; the share of `ml/chat` rises by $1,461 a month with all copies``.
 *
 * @param isIdle whether the number of idle GPUs says it
 */
function formatShare(
  { delta, currency }: CostChanges,
  rows: readonly DeploymentRow[],
  isIdle: boolean,
): string | undefined {
  const scaled = rows.filter(({ copies, actions }) => copies && Object.values(actions).every((count) => count === 0));
  const change = sumRangeChanges(scaled.flatMap((row) => row.cost));
  const [least, most] = [change.delta.least.perMonth, change.delta.most.perMonth];
  if (!isUnchanged(delta) || isUnchanged(change.delta) || least === undefined || most === undefined) return undefined;
  // More and less at the same time says nothing next to the columns of the table.
  if (least < 0 !== most < 0 && least !== 0 && most !== 0) return 'cost of the fleet unchanged';
  const isOfBoth = least !== 0 && most !== 0;
  if (isOfBoth && isIdle) return undefined;
  const parts = scaled.flatMap((row) => row.deployments).length === 1 ? 'the share' : 'the shares';
  return `cost of the fleet unchanged; ${parts} of ${joinDeployments(scaled)} ${formatShareChange([least, most], currency, parts)}`;
}

/** `rises by $730 a month with all copies`, of the difference with the fewest copies and with all. */
function formatShareChange([least, most]: readonly [number, number], currency: string, parts: string): string {
  const bound = least === 0 ? ' with all copies' : most === 0 ? ' with the fewest copies' : '';
  const [from = 0, to = 0] = [Math.abs(least), Math.abs(most)].sort((a, b) => a - b);
  const amount = escapeMarkdown(formatBoundsOf([bound === '' ? from : to, to], currency));
  const verb = least + most > 0 ? 'rise' : 'fall';
  return `${verb}${parts === 'the share' ? 's' : ''} by ${amount} a month${bound}`;
}
