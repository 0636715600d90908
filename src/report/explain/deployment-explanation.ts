import type { PlacementPolicy } from '../../api/placement';
import { formatUnitPrice } from '../../base/money';
import { sortUnique } from '../../base/order';
import { joinNames, placeText, pluralize } from '../../base/text';
import { listReplicasAfter } from '../../plan/deployment-plans';
import type { DeploymentPlan } from '../../plan/plan';
import {
  formatEvictionReason,
  formatPackingHint,
  formatPoolPrefix,
  formatRejectionReason,
} from '../../plan/rejection-messages';
import type { PodSecurityResult } from '../../render/pod/pod-security-standards';
import type { ClusterExplanation, DeploymentExplanation } from '../../scheduler/explain-deployment';
import type { FurtherReplicas } from '../../scheduler/further-replicas';
import type { Placement } from '../../scheduler/placement';
import type { PlacementReason, PolicyReason } from '../../scheduler/placement-reasons';
import type { PlacementOrigin } from '../../scheduler/schedule-result';
import type { PricedPlace, PricedPools, UnlockedChoice } from '../../scheduler/unlocked-choice';
import { describeLostReplica } from '../diff/change-sentences';
import { type Block, CHANGE_MARKS, indent, type Item, section, strong, styledLines } from '../document/document';
import { formatUsage } from '../plan/deployments-text';
import { formatRemedyLines } from '../plan/remedy-text';
import { MAX_REASON_LINES, summarizeRejections } from '../plan/shortfall-text';

/** Formats how many replicas of a deployment have a place, as one line. */
export function formatExplanationSummary({ deployment, clusters }: DeploymentExplanation): Item {
  const placed = clusters.flatMap(({ placements }) => placements.filter(({ draining }) => !draining)).length;
  const count = `${placed} of ${pluralize(deployment.replicas, 'replica')} ${placed === 1 || deployment.replicas === 1 ? 'has' : 'have'} a place`;
  return { text: [strong(deployment.id), `: ${count}, priority ${deployment.priority}`] };
}

/**
 * Formats the explanation of a deployment: what a lock keeps that would not be chosen today, and per cluster its
 * replicas, and why no further replica fits.
 *
 * @param advice what to do about replicas without a place, where no remedy is known
 */
export function formatExplanation(
  explanation: DeploymentExplanation,
  plan: DeploymentPlan | undefined,
  currency: string,
  advice?: string,
): Block[] {
  const planned = describePlanned(plan);
  const priceOf = createPriceFormat(explanation, currency);
  const { clusters, unlocked } = explanation;
  // The remedies of a plan were tried for the whole replica, and say more than a hint.
  const hintOf = plan?.shortfall ? () => '' : formatPackingHint;
  const formatClusters = (shown: typeof clusters): Block[] =>
    shown.flatMap((cluster) => [formatCluster(cluster, { planned, priceOf, hintOf }), '']);
  const blocks =
    clusters.length > MAX_LISTED_CLUSTERS ? formatLargeFleet(clusters, formatClusters) : formatClusters(clusters);
  const choice = unlocked
    ? [formatUnlockedChoice(unlocked, describeLocked(clusters), priceOf), ...styledLines('faint', [PLACED_BY]), '']
    : [];
  const short = plan?.shortfall && plan.shortfall.remedies.length > 0 ? [...formatRemedyLines(plan.shortfall), ''] : [];
  const advised = advice === undefined ? [] : [advice, ''];
  return [formatExplanationSummary(explanation), '', ...indent([...choice, ...blocks, ...short, ...advised])];
}

/** A lock has no history: git does. */
const PLACED_BY = "'fleetwright plan DIR --against REVISION' says which change since then placed or moved a replica.";

/** With more clusters, those without a replica of the deployment are counted. */
const MAX_LISTED_CLUSTERS = 8;

/** Formats a large fleet: the first clusters with replicas, the number of clusters with room, and the rejections. */
function formatLargeFleet(
  clusters: readonly ClusterExplanation[],
  formatClusters: (shown: readonly ClusterExplanation[]) => Block[],
): Block[] {
  const used = clusters.filter(({ placements }) => placements.length > 0);
  const open = clusters.filter(({ rejections }) => rejections.length === 0);
  const more = used.length - MAX_REASON_LINES;
  const rejections = clusters.flatMap((cluster) => cluster.rejections);
  return [
    ...formatClusters(used.slice(0, MAX_REASON_LINES)),
    ...section(more > 0 ? [`and on ${pluralize(more, 'more cluster')}: use --json`] : []),
    {
      text: `room for another replica on ${pluralize(open.length, 'cluster')}`,
      below: styledLines('faint', summarizeRejections(rejections)),
    },
    '',
  ];
}

/** What the replicas of a deployment take, and what they replace, by their place. */
function describePlanned(plan: DeploymentPlan | undefined): ReadonlyMap<string, PlannedText> {
  const moves = new Map(
    (plan?.changes ?? []).flatMap((change) => {
      if (change.action !== 'move') return [];
      const { from, reason } = change;
      const text = `replaces ${placeText(from)}: ${formatEvictionReason(reason)}; `;
      return [[placeText(change.replica.placement), text] as const];
    }),
  );
  return new Map(
    (plan ? listReplicasAfter(plan) : []).map(({ placement, usage }) => {
      const place = placeText(placement);
      return [place, { usage: usage.map(formatUsage).join('; '), replaces: moves.get(place) ?? '' }];
    }),
  );
}

interface PlannedText {
  readonly usage: string;
  readonly replaces: string;
}

const CHOICES: Readonly<Record<PlacementPolicy, string>> = {
  Spread: 'the cluster with the fewest replicas of the deployment',
  Pack: 'the fullest cluster with room',
  Cheapest: 'the cluster with room at the lowest price',
  Preferred: 'the cluster with room of the earliest selector',
};

const ORIGINS: Readonly<Record<PlacementOrigin, string>> = {
  arranged: 'arranged with other new replicas, so that more of them fit',
  returned: 'on the cluster of the replica that it replaces',
  preempting: 'in the room of replicas with earlier engines',
};

/** Formats why a replica is on its cluster: `locked`, `new: Spread, the cluster with the fewest replicas of the deployment, then ...`. */
export function formatPlacementReason(reason: PlacementReason): string {
  if (reason.kind === 'locked') return 'locked';
  if (reason.kind !== 'policy') return `new: ${ORIGINS[reason.kind]}`;
  const { policy, domain, preferred, unreached } = reason;
  const rank =
    preferred &&
    ` (${preferred.selector === null ? 'it matches no selector' : `it matches selector ${preferred.selector} of ${preferred.of}`})`;
  const inDomain = domain && ` (${domain.key} ${domain.value})`;
  const suffix = unreached ? '; no ingress gateway reaches the cluster, and no other has room' : '';
  return `new: ${policy}, ${describePolicy(reason, { inDomain, rank })}${suffix}`;
}

function formatDraining(reason: PlacementReason | undefined, { cluster, lost }: Placement): string {
  if (lost) return describeLostReplica(cluster);
  const drains = reason?.kind === 'locked' ? reason.drains : undefined;
  return drains ? `draining: ${formatEvictionReason(drains)}` : 'draining';
}

/** What a policy prefers, in the order in which it decides, with what is known of one place. */
function describePolicy(
  { policy, ties, domain, reached }: PolicyReason,
  { inDomain = '', rank = '' }: { readonly inDomain?: string | undefined; readonly rank?: string | undefined },
): string {
  const steps = [
    ...(reached ? ['a cluster that an ingress gateway reaches'] : []),
    ...(domain ? [`the domain with the fewest replicas${inDomain}`] : []),
    `${CHOICES[policy]}${rank}`,
    ties === 'room' ? 'with the most free devices for it' : 'the first by name',
  ];
  return steps.join(', then ');
}

/** `these places`, `2 of the 3 places`: those of the replicas that do not drain which are from the lock. */
function describeLocked(clusters: readonly ClusterExplanation[]): string {
  const kinds = clusters.flatMap(({ placements, reasons }) =>
    placements.flatMap(({ draining }, i) => (draining ? [] : [reasons[i]?.kind])),
  );
  const locked = kinds.filter((kind) => kind === 'locked').length;
  return locked === kinds.length ? 'these places' : `${locked} of the ${kinds.length} places`;
}

/** Formats whether a policy would choose the places of the lock today, and else what it would choose. */
function formatUnlockedChoice({ by, kept, instead }: UnlockedChoice, locked: string, priceOf: PriceFormat): Block {
  const chooser = by ? `placement.policy ${by.policy}` : 'a search for room for all replicas';
  const how = by ? `: ${describePolicy(by, {})}` : '';
  if (kept.length === 0) return `The lock keeps ${locked}, and ${chooser} would choose the same today${how}.`;
  const format = (place: PricedPlace): string => `${place.cluster}, ${formatPools(place, priceOf)}`;
  return {
    text: `Places of the lock that are still valid stay, so that nothing moves. Without it, ${chooser} would choose others today${how}.`,
    below: [
      ...kept.map((place, i) => {
        const other = instead[i];
        return other ? `${format(other)}, instead of ${format(place)}` : `no place instead of ${format(place)}`;
      }),
      ...instead.slice(kept.length).map(format),
    ],
  };
}

/** Formats the price of a place after a comma. */
type PriceFormat = (place: PricedPools | undefined) => string;

/** Without any price, none is missed. */
function createPriceFormat({ clusters, unlocked }: DeploymentExplanation, currency: string): PriceFormat {
  const places = [...clusters.flatMap((one) => [...one.places, one.further]), ...(unlocked?.instead ?? [])];
  const unknown = places.some((place) => place?.pricePerHour !== undefined) ? ', price unknown' : '';
  return ({ pricePerHour, leastPerHour } = { pools: {} }) => {
    if (pricePerHour === undefined) return unknown;
    const least = leastPerHour === undefined ? '' : `${formatUnitPrice(leastPerHour, currency)} to `;
    return `, ${least}${formatUnitPrice(pricePerHour, currency)} an hour`;
  };
}

/** `pool h100, $15.00 an hour`. */
function formatPools(place: PricedPools, priceOf: PriceFormat): string {
  const names = sortUnique(Object.values(place.pools));
  return `${names.length === 1 ? 'pool' : 'pools'} ${joinNames(names)}${priceOf(place)}`;
}

const LAST_CHOICE = 'last choice: no ingress gateway reaches it. See its spec.gateway';

interface ClusterFormats {
  readonly planned: ReadonlyMap<string, PlannedText>;
  readonly priceOf: PriceFormat;
  readonly hintOf: typeof formatPackingHint;
}

function formatCluster(
  { cluster, placements, reasons, places, rejections, further, packed, unreached }: ClusterExplanation,
  { planned, priceOf, hintOf }: ClusterFormats,
): Item {
  const refused = rejections.map(
    (one) => `no more: ${formatPoolPrefix(one.pool)}${formatRejectionReason(one)}${hintOf(one, packed)}`,
  );
  return {
    text: [strong(cluster)],
    below: [
      ...placements.map((placement, i): Item => {
        const reason = reasons[i];
        const mark = placement.draining
          ? CHANGE_MARKS[placement.lost ? 'lost' : 'draining']
          : reason?.kind === 'locked'
            ? CHANGE_MARKS.keep
            : CHANGE_MARKS.add;
        const { usage = '', replaces = '' } = planned.get(placeText(placement)) ?? {};
        const why = placement.draining
          ? formatDraining(reason, placement)
          : `${replaces}${reason ? formatPlacementReason(reason) : ''}`;
        return { mark, look: 'add', text: `${placeText(placement)}   ${usage}${priceOf(places[i])}   ${why}` };
      }),
      ...(further ? [formatFurther(further, priceOf)] : styledLines('faint', refused)),
      ...(further && unreached ? styledLines('faint', [LAST_CHOICE]) : []),
    ],
  };
}

/** `room for 3 more replicas   next: pool h100, $15.00 an hour`. */
function formatFurther(further: FurtherReplicas, priceOf: PriceFormat): string {
  const { count, atLeast: _, ...place } = further;
  return `room for ${formatFurtherCount(further)}   ${count > 1 ? 'next: ' : ''}${formatPools(place, priceOf)}`;
}

/** `3 more replicas`, `at least 1,000 more replicas`. */
export function formatFurtherCount({ count, atLeast }: Pick<FurtherReplicas, 'count' | 'atLeast'>): string {
  return `${atLeast ? 'at least ' : ''}${pluralize(count, 'more replica')}`;
}

/** Formats the Pod Security level of a deployment: `Pod Security level baseline: it does not forbid root in ...` */
export function formatSecurityLevel({ level, reasons: [first, ...more] }: PodSecurityResult): Block[] {
  const why = first === undefined ? '' : `: ${first}`;
  return indent([{ text: `Pod Security level ${level}${why}`, below: more }]);
}
