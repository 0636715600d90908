import type { DeploymentOutcome } from '../../analyze/what-if/what-if';
import { formatCount } from '../../base/figures';
import { sortUnique } from '../../base/order';
import { joinAnd, placeText, pluralize } from '../../base/text';
import type { CostChanges } from '../../cost/cost-changes';
import { isFixed } from '../../diff/copies-changes';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import { losesItsPool } from '../../diff/pool-disruption';
import { movesToPool } from '../../diff/replica-causes';
import { restartsWithNodes } from '../../diff/serving-during-change';
import type { Change, Plan, Totals } from '../../plan/plan';
import { haveSamePools } from '../../scheduler/placement';
import { findCappedRanges } from '../cost/capped-change';
import { formatRangeDifference } from '../cost/cost-difference';
import { estimateOf, formatEstimatedDifference, listAssumedChanges } from '../cost/cost-estimate';
import { isUnchanged } from '../cost/cost-summary';
import { formatActionCounts, formatObjectTotals, REPLICA_ACTION_WORDS } from '../diff/change-sentences';
import { CLOUD_ACTION_WORDS } from '../diff/cloud-changes-text';

/** What a total counts, in its order, and how it says it. */
export const OUTCOME_WORDS = {
  place: REPLICA_ACTION_WORDS.place,
  move: REPLICA_ACTION_WORDS.move,
  roll: REPLICA_ACTION_WORDS.roll,
  draining: REPLICA_ACTION_WORDS.draining,
  unreplaced: 'kept until a replacement fits',
  lost: 'on lost clusters',
  remove: REPLICA_ACTION_WORDS.remove,
  misplaced: 'stopped for good, because the new nodes do not match',
  restart: 'down with the nodes',
  mayRestart: 'may restart',
} as const;

const OUTCOMES = Object.keys(OUTCOME_WORDS) as readonly (keyof typeof OUTCOME_WORDS)[];

/** What happens to a replica between two states. A replica that goes to another pool of its cluster moves. */
export function outcomeOf(change: ReplicaChangeWithCauses): keyof typeof OUTCOME_WORDS | 'keep' {
  if (change.misplaced && restartsWithNodes(change)) return 'misplaced';
  if (losesItsPool(change)) return 'remove';
  if (restartsWithNodes(change)) return change.mayStay ? 'mayRestart' : 'restart';
  if (movesToPool(change)) return 'move';
  if (change.action === 'draining' && change.unreplaced) return 'unreplaced';
  // A replica whose nodes are deleted first is down until there are others, whatever else restarts it.
  return change.action === 'roll' && change.nodes === 'replace' && !change.mayStay ? 'restart' : change.action;
}

/** What happens to a replica by a plan alone. One that is replaced on its pool rolls. */
export function plannedOutcomeOf(change: Change): Change['action'] | 'roll' | 'unreplaced' {
  if (change.action === 'draining' && change.unreplaced) return 'unreplaced';
  if (change.action !== 'move') return change.action;
  const { from, replica } = change;
  const isSame = placeText(from) === placeText(replica.placement) && haveSamePools(from.pools, replica.placement.pools);
  return isSame ? 'roll' : 'move';
}

function listPlannedOutcomes({
  changes,
  onLostNodes = [],
}: DeploymentOutcome): (keyof typeof OUTCOME_WORDS | 'keep')[] {
  const restarts = onLostNodes.filter(restartsWithNodes).map((change) => outcomeOf({ ...change, causes: [] }));
  return [...changes.map(plannedOutcomeOf), ...restarts];
}

/** What a total counts of a plan, or of a scenario. */
export type CountedPlan = Pick<Plan, 'totals'> & { readonly deployments: readonly DeploymentOutcome[] };

/**
 * Formats the total of a plan, the same line in the terminal, the comment, the JSON and on the map: what happens to how
 * many replicas, since the lock or since the compared state, and how many have no place. A move counts once. A lock
 * has places only, so without a comparison nothing is said of replicas that restart where they are.
 *
 * @param old whether it says how many old replicas serve until they are finalized. Default: true
 * @example
 * formatTotal(plan); // 'Total: 2 placed, 1 moved, 12 keep their places.'
 */
export function formatTotal(plan: CountedPlan, diff?: FleetDiff, view: { readonly old?: boolean } = {}): string {
  return `Total: ${formatTotalCounts(plan, diff, view)}.`;
}

/** The total without its title: `2 placed, 1 moved, 12 keep their places`. */
export function formatTotalCounts(plan: CountedPlan, diff?: FleetDiff, { old = true } = {}): string {
  const changes = (diff ?? plan).deployments.flatMap(({ changes }): readonly CountedChange[] => changes);
  const outcomes = diff ? listOutcomes(diff) : plan.deployments.flatMap(listPlannedOutcomes);
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = countOf(outcomes, outcome);
    return count > 0 ? [`${formatCount(count)} ${OUTCOME_WORDS[outcome]}`] : [];
  });
  const kept = diff ? formatUnchanged(countUnchanged(plan, diff)) : countKeptPlaces(plan);
  const isSaid = counts.length > 0 || (!diff && kept.length > 0);
  const replicas = [...(isSaid ? counts : ['no replica changes']), ...kept, ...formatMissing(plan, diff !== undefined)];
  const rest = [...(old ? formatOldReplicas(changes) : []), ...(diff ? formatOthers(diff) : [])];
  return [replicas.join(', '), ...rest].join('; ');
}

/** The totals of a comparison, by what happens to replicas since the other state. */
export interface ComparedTotals extends Totals {
  /** Replicas that are replaced where they are. */
  readonly roll: number;

  /** Replicas that are down while their nodes are replaced. */
  readonly restart: number;

  /** Replicas that restart if the cloud deletes their nodes: it chooses which. */
  readonly mayRestart: number;

  /** Replicas that stop for good, because the nodes that replace theirs do not match. */
  readonly misplaced: number;
}

/** Counts what `formatTotal` says of replicas since the compared state. */
export function countComparedTotals(plan: CountedPlan, diff: FleetDiff): ComparedTotals {
  const outcomes = listOutcomes(diff);
  const { unplaced, accepted } = plan.totals;
  return {
    place: countOf(outcomes, 'place'),
    move: countOf(outcomes, 'move'),
    remove: countOf(outcomes, 'remove'),
    keep: countUnchanged(plan, diff),
    draining: countOldReplicas(diff.deployments.flatMap(({ changes }) => changes)),
    unreplaced: countOf(outcomes, 'unreplaced'),
    lost: countOf(outcomes, 'lost'),
    unplaced,
    accepted,
    roll: countOf(outcomes, 'roll'),
    restart: countOf(outcomes, 'restart'),
    mayRestart: countOf(outcomes, 'mayRestart'),
    misplaced: countOf(outcomes, 'misplaced'),
  };
}

/** What happens to each replica that changes or may restart. */
export function listOutcomes(diff: FleetDiff): ReturnType<typeof outcomeOf>[] {
  return diff.deployments.flatMap(({ changes }) => changes.map(outcomeOf));
}

function countOf<T>(all: readonly T[], one: T): number {
  return all.filter((other) => other === one).length;
}

type CountedChange = Pick<ReplicaChangeWithCauses, 'action' | 'surgeFirst' | 'unreplaced'>;

/** Formats how many replicas that others replace, or that are surplus, serve until the lock drops them. */
function formatOldReplicas(changes: readonly CountedChange[]): string[] {
  const count = countOldReplicas(changes);
  if (count === 0) return [];
  return [`${pluralize(count, 'old replica')} ${count === 1 ? 'serves' : 'serve'} until 'lock --finalize'`];
}

function countOldReplicas(changes: readonly CountedChange[]): number {
  return changes.filter(({ action, surgeFirst, unreplaced }) => {
    return (action === 'draining' && !unreplaced) || surgeFirst === true;
  }).length;
}

function countUnchanged({ deployments }: CountedPlan, diff: FleetDiff): number {
  const changed = new Map(diff.deployments.map(({ deployment, kept }) => [deployment, kept]));
  return deployments.reduce((sum, { deployment, replicas, shortfall }) => {
    return sum + (changed.get(deployment) ?? replicas - (shortfall?.missing ?? 0));
  }, 0);
}

function formatUnchanged(kept: number): string[] {
  return kept > 0 ? [`${formatCount(kept)} unchanged`] : [];
}

function countKeptPlaces({ deployments, totals }: CountedPlan): string[] {
  if (totals.keep === 0) return [];
  const old = deployments.reduce((sum, one) => sum + countOutdated(one), 0);
  return [formatKeptPlaces(totals.keep), ...(old > 0 ? [`${formatCount(old)} of them not as declared`] : [])];
}

/** The replicas that stay as they are because what is declared has no place: they are kept, and missing. */
function countOutdated({ replicas, staying = [], shortfall }: CountedPlan['deployments'][number]): number {
  return shortfall ? Math.max(0, staying.length - (replicas - shortfall.missing)) : 0;
}

/** Formats how many replicas stay where the lock has them: `9 keep their places`. */
export function formatKeptPlaces(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'keeps its place' : 'keep their places'}`;
}

/** What has no place. Without a comparison, replicas that are counted as kept are left out. */
function formatMissing({ deployments, totals: { unplaced, accepted } }: CountedPlan, isCompared: boolean): string[] {
  const sumOver = (isAccepted: boolean, count: (one: CountedPlan['deployments'][number]) => number): number =>
    deployments.reduce((sum, one) => sum + (one.shortfall?.accepted === isAccepted ? count(one) : 0), 0);
  const [refused = 0, allowed = 0] = [false, true].map((one) =>
    sumOver(one, ({ shortfall }) => shortfall?.waiting ?? 0),
  );
  const [old = 0, allowedOld = 0] = [false, true].map((one) => (isCompared ? 0 : sumOver(one, countOutdated)));
  const [misfits, allowedMisfits] = [unplaced - refused - old, accepted - allowed - allowedOld];
  return [
    ...(misfits > 0 ? [formatMisfits(misfits)] : []),
    ...(allowedMisfits > 0 ? [`${formatMisfits(allowedMisfits)}, as accepted`] : []),
    ...(refused + allowed > 0 ? [`${formatMisfits(refused + allowed)} yet`] : []),
  ];
}

/** `copies: 1 deployment changed` where the number is fixed, and `scaling: …` where an autoscaler chooses it. */
function formatCopies(copies: FleetDiff['copies']): string[] {
  const fixed = copies.filter(({ engines }) => engines.every(isFixed)).length;
  const scaled = copies.length - fixed;
  return [
    ...(scaled > 0 ? [`scaling: ${pluralize(scaled, 'deployment')} changed`] : []),
    ...(fixed > 0 ? [`copies: ${pluralize(fixed, 'deployment')} changed`] : []),
  ];
}

function formatOthers({ copies, objects: all, cloud, cost, lostClusters }: FleetDiff): string[] {
  // What no tool prunes costs nothing, and asks for nothing.
  const objects = all.filter(({ neverPruned }) => !neverPruned);
  return [
    ...formatCopies(copies),
    ...(objects.length > 0 ? [`objects: ${formatObjectTotals(objects)}${describeLater(objects, lostClusters)}`] : []),
    ...(cloud.length > 0 ? [`cloud resources: ${formatActionCounts(cloud, CLOUD_ACTION_WORDS)}`] : []),
    ...(cost && !isUnchanged(cost.delta) ? [`cost: ${formatCostChange(cost)}`] : []),
  ];
}

/** ` (39 of these 44 on eu, once it answers)`: objects of lost clusters, which stay as they are until then. */
function describeLater(objects: FleetDiff['objects'], lost: FleetDiff['lostClusters'] = []): string {
  const later = objects.filter(({ cluster }) => lost.includes(cluster));
  if (later.length === 0) return '';
  const clusters = sortUnique(later.map(({ cluster }) => cluster));
  const count =
    later.length === objects.length ? 'all' : `${formatCount(later.length)} of these ${formatCount(objects.length)}`;
  return ` (${count} on ${joinAnd(clusters)}, once ${clusters.length === 1 ? 'it answers' : 'they answer'})`;
}

function formatCostChange(cost: CostChanges): string {
  const estimate = estimateOf(cost);
  if (estimate && listAssumedChanges(cost).length > 0)
    return formatEstimatedDifference(estimate.changes, cost.currency, ' a month');
  const capped = findCappedRanges(cost);
  if (capped) return `${capped.after} instead of ${capped.before} a month`;
  const difference = formatRangeDifference(cost, cost.currency, ' a month');
  return difference === 'unknown' ? 'the difference is unknown' : difference;
}

/** Formats how many replicas have no place: `2 do not fit`. */
export function formatMisfits(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'does' : 'do'} not fit`;
}
