import type { AddedRoom } from '../../analyze/what-if/added-room';
import type { Outcome } from '../../analyze/what-if/what-if';
import { formatDiagnostic, limitListed } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { pluralize } from '../../base/text';
import type { CostRange } from '../../cost/cost';
import { formatWithoutPrice } from '../../cost/unpriced-text';
import { formatAssumed, formatEstimatedDifference } from '../cost/cost-estimate';
import { formatEstimatedRange } from '../cost/monthly-range';
import { formatDelta, formatRange, formatSourceNames, isUnchanged, listPriceSources } from '../cost/cost-summary';
import { type Block, type Item, section, styledLines } from '../document/document';
import { formatFurtherCount } from '../explain/deployment-explanation';
import { formatMoreNodes, listPricesOfMoreNodes } from './added-nodes-text';
import { formatImmediateLoss, type ServingParts } from './survival-text';
import { formatDrains } from '../plan/drain-text';
import { formatDeployments } from '../plan/deployments-text';
import { formatWarnings } from '../plan/plan-text';
import { formatPolicyFinding, pointToRemedies } from '../plan/policy-text';
import { formatTotal, formatTotalCounts } from '../plan/total-line';

/** Formats what scenarios change: replicas that move or lose their place and why, drains, and the cost. */
export function formatOutcomes(outcomes: readonly Outcome[], fleet: ServingParts): Block[] {
  return outcomes.flatMap((outcome, i) => [...(i > 0 ? [''] : []), ...outcomeBlocks(outcome, fleet)]);
}

/** Formats the totals of scenarios, one line each: `drain us: 1 moved, 7 keep their places.` */
export function formatOutcomeTotals(outcomes: readonly Outcome[]): string[] {
  return outcomes.map((outcome) => {
    const { scenario, problems = [] } = outcome;
    const errors = problems.length > 0 ? [pluralize(problems.length, 'error')] : [];
    return `${scenario}: ${[formatTotalCounts(outcome, undefined, WITHOUT_OLD), ...errors].join('; ')}.`;
  });
}

function outcomeBlocks(outcome: Outcome, fleet: ServingParts): Block[] {
  const { scenario, deployments, drains, loss, cost } = outcome;
  const moreNodes = hasCluster(deployments) ? outcome.moreNodes : undefined;
  const prices = isUnchanged(cost.delta);
  return [
    ...styledLines('strong', [`What if: ${scenario}`]),
    '',
    ...section(loss ? [formatImmediateLoss(loss, fleet)] : []),
    ...formatDeployments(deployments, { all: false }),
    ...section(styledLines('warn', formatWarnings(outcome.warnings ?? []))),
    ...section(moreNodes ? formatMoreNodes(moreNodes, { prices }) : []),
    ...section([
      ...formatDrains(drains, deployments),
      ...styledLines('faint', deployments.some(hasOld) ? [FINALIZED_BY] : []),
      ...styledLines('faint', losesNodes(outcome) ? [FOR_GOOD] : []),
    ]),
    ...section(formatRoom(outcome)),
    ...formatCostChange(outcome, moreNodes ? listPricesOfMoreNodes(moreNodes) : []),
    ...formatPolicyChange(outcome),
    ...formatErrors(outcome),
    ...styledLines('strong', [formatTotal(outcome, undefined, WITHOUT_OLD)]),
  ];
}

/** The rules that would refuse the change, or warn about it. */
function formatPolicyChange({ policies, deployments }: Outcome): Item[] {
  if (!policies) return [];
  const denied = new Set(policies.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).size;
  const verdict = denied === 0 ? 'none would deny this' : `${denied} would deny this`;
  return [
    {
      ...(denied > 0 ? {} : { look: 'faint' }),
      text: `Policies: ${verdict}.`,
      below: policies.map((finding) => `${formatPolicyFinding(finding)}${pointToRemedies(finding, deployments)}`),
    },
  ];
}

/** What `plan` would refuse. */
function formatErrors({ problems = [] }: Outcome): Item[] {
  if (problems.length === 0) return [];
  const text = `Plan: ${pluralize(problems.length, 'error')} would stop this.`;
  return [{ look: 'warn', text, below: limitListed(problems).map(formatDiagnostic) }];
}

/** A line of its own says what becomes of old replicas. */
const WITHOUT_OLD = { old: false };

const FINALIZED_BY =
  "Old replicas serve until they are finalized: 'fleetwright lock --finalize', once their replacements serve.";

const FOR_GOOD =
  'That is for good. Of a node that comes back, nothing moves: its pods start on other nodes of the pool that have room, or wait for it.';

/** Whether replicas move or have no place because pools lose nodes, and for no other reason. */
function losesNodes({ steps, deployments }: Outcome): boolean {
  const moves = deployments.some(({ changes }) => changes.length > 0);
  return moves && steps.every((step) => step.kind === 'add-nodes' && step.nodes < 0);
}

/** Whether replicas of it serve until they are finalized. */
function hasOld({ changes }: Outcome['deployments'][number]): boolean {
  return changes.some((one) => (one.action === 'draining' ? !one.unreplaced : one.action === 'move' && one.surgeFirst));
}

/** Whether a cluster is left, on which more nodes could help. */
function hasCluster(deployments: Outcome['deployments']): boolean {
  return deployments.some(({ shortfall }) => shortfall && shortfall.rejections.length > 0);
}

/** The room of clusters that get nodes. Where replicas take the nodes, there may be none left to name. */
function formatRoom({ room = [], deployments }: Outcome): Item[] {
  return (deployments.length === 0 ? room : room.filter((one) => one.deployments.length > 0)).map(formatAddedRoom);
}

function formatAddedRoom({ cluster, deployments }: AddedRoom): Item {
  if (deployments.length === 0) return { text: `No deployment has more room on ${cluster} than before.` };
  return {
    text: `Room for further replicas on ${cluster}, of each deployment alone:`,
    below: deployments.map(({ deployment, before, after, ...more }) => {
      const was = before === 0 ? 'none' : formatCount(before);
      return { cells: [deployment], text: `${formatFurtherCount({ count: after, ...more })} (${was} before)` };
    }),
  };
}

function formatCostChange({ cost }: Outcome, others: readonly string[]): Item[] {
  const { currency, before, after, delta, storage, sources } = cost;
  if (isUnchanged(delta)) return [{ look: 'faint', text: 'Cost an hour: unchanged.' }];
  const difference = formatDifference(delta, storage.delta.unknown, currency);
  const [was, is] = [
    { ...before, storage: storage.before },
    { ...after, storage: storage.after },
  ].map((one) => formatRange(one, currency, 'perHour', { volumes: one.storage.unknown }));
  const text = formatEstimate(cost) ?? `Cost an hour: ${was}, then ${is} (${difference}).`;
  const prices = formatSourceNames([...listPriceSources([before.most, after.most], sources), ...others]);
  return [{ look: 'faint', text, below: styledLines('faint', prices) }];
}

/**
 * `Cost a month: ≈ $2,920, then ≈ $3,650 (about +$730: us-east/l4 priced as in us-central1).` Undefined without an
 * estimate of the costs or of their difference.
 */
function formatEstimate({ currency, estimate, before, after, delta, storage }: Outcome['cost']): string | undefined {
  if (!estimate || isUnchanged(estimate.delta)) return undefined;
  const { assumed, ...estimated } = estimate;
  if (unknownOf(before, after, delta) === unknownOf(estimated.before, estimated.after, estimated.delta))
    return undefined;
  const [was, is] = [estimated.before, estimated.after].map((one) => formatEstimatedRange(one, currency));
  const isKnown = delta.least.unknown + delta.most.unknown === 0;
  const difference = isKnown
    ? formatDelta(delta, currency, 'perMonth')
    : formatEstimatedDifference({ ...estimated, storage }, currency);
  return `Cost a month: ${was}, then ${is} (${difference}: ${formatAssumed(assumed)}).`;
}

function unknownOf(...ranges: readonly CostRange[]): number {
  return ranges.reduce((sum, { most }) => sum + most.unknown, 0);
}

/** `+$10, or +$7,300 a month, and 1 pool without a price`. */
function formatDifference({ least, most }: CostRange, volumes: number, currency: string): string {
  const [hour = '', month = ''] = (['perHour', 'perMonth'] as const).map((per) =>
    formatDelta({ least, most: { ...most, unknown: 0 } }, currency, per),
  );
  const rest = most.unknown > 0 ? `, and ${formatWithoutPrice(most.unknown, { volumes })}` : '';
  return most.perHour === undefined ? hour : `${hour}, or ${month} a month${rest}`;
}
