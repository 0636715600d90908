import { type Locate, resourceIdOf } from '../../api/kinds';
import { CLUSTER_LABEL } from '../../api/labels';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { capitalize, joinAlternatives, joinNames } from '../../base/text';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { describeUnplaced } from '../../plan/apply-blockers';
import { isDrainTaint } from '../../plan/drains';
import { isBeyondCapacity } from '../../plan/held-deployments';
import type { Drain, Plan, ShortfallPlan } from '../../plan/plan';
import { formatRejectionReason } from '../../plan/rejection-messages';
import { isLostTaint, isRuledOutAsLost } from '../../scheduler/lost-clusters';
import type { Rejection } from '../../scheduler/reason';
import { formatDrain, hintAtDrain } from './drain-text';
import { toPolicyProblem } from './policy-text';
import { formatCountedRemedy, listCheapest, titleOf } from './remedy-text';
import { adviseOnLabels, formatShortfallLine } from './shortfall-text';

/** A fleet, and the source positions of its declarations. */
export interface LocatedFleet {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

interface LocatedPlan extends LocatedFleet {
  readonly plan: Plan;
}

/** Returns the errors of a plan, then its warnings, each at the declaration that it concerns. */
export function annotatePlan(located: LocatedPlan, acceptUnplaced = false): Diagnostic[] {
  const { policies, drains, warnings } = located.plan;
  const denied = policies.filter(({ severity }) => severity === 'error');
  const warned = policies.filter(({ severity }) => severity === 'warning');
  return [
    ...denied.map(toPolicyProblem),
    ...(acceptUnplaced ? [] : toShortfallProblems(located)),
    ...warned.map(toPolicyProblem),
    ...drains.flatMap((drain) => toDrainProblem(drain, located)),
    ...warnings,
  ];
}

/** Returns an error for each shortfall that is not accepted, at `spec.replicas` of its deployment. */
export function toShortfallProblems({ fleet, locate, plan }: LocatedPlan): Diagnostic[] {
  return plan.deployments.flatMap((deploymentPlan) => {
    const { shortfall, deployment: id } = deploymentPlan;
    const deployment = shortfall && indexDeploymentsById(fleet.deployments).get(id);
    const what = describeUnplaced(deploymentPlan);
    if (!deployment || what === undefined) return [];
    const hint = adviseOn(
      shortfall,
      plan.warnings.filter(({ subject }) => subject === resourceIdOf(deployment)),
    );
    const where = locate(deployment, ['spec', 'replicas']);
    return [errorAt('unplaced', where, `${what} (${formatShortfallLine(shortfall)})`, hint)];
  });
}

/** The warnings that say which name was meant, where a selector has one that nothing has. */
const MEANT: ReadonlySet<DiagnosticCode> = new Set(['unlisted-value', 'unlisted-label', 'no-device']);

/**
 * What to do about replicas without a place. Where no cluster has what the deployment asks for, a misspelled name comes
 * before a change of the fleet.
 *
 * @param warnings those of the deployment
 */
export function adviseOn(shortfall: ShortfallPlan, warnings: readonly Diagnostic[]): string {
  const cheapest = listCheapest(shortfall.remedies).map((one) => formatCountedRemedy(one, shortfall));
  const beyond = isBeyondCapacity(shortfall);
  const misspelled = beyond ? warnings.find(({ code, hint }) => MEANT.has(code) && hint?.endsWith('?')) : undefined;
  if (misspelled)
    return `${misspelled.message.slice(0, 1).toUpperCase()}${misspelled.message.slice(1)}. ${misspelled.hint}`;
  if (cheapest.length > 0) return `${capitalize(titleOf(shortfall))}: ${cheapest.join(', or ')}`;
  const ways = listWaysToOpen(shortfall);
  if (ways) return capitalize(joinAlternatives(ways));
  if (isClosed(shortfall)) return CHANGE_REQUEST;
  if (!beyond) return 'Add nodes, or lower spec.replicas';
  const lacking = warnings.find(({ code }) => code === 'no-device');
  if (lacking) return `More nodes do not help. ${lacking.hint}`;
  const [labels] = adviseOnLabels(shortfall);
  if (labels !== undefined) return labels;
  const obstacles = describeObstacles(shortfall);
  if (obstacles !== undefined) return obstacles;
  const limit = shortfall.rejections.some(({ reason }) => reason.filter === 'spread');
  return limit
    ? 'More nodes do not help: declare another cluster that can run it, or change spec.placement'
    : 'More nodes do not help: change what the deployment asks for, or declare a pool that has it';
}

/** What a change of a cluster settles, whatever the deployment asks for. */
const CHANGEABLE: ReadonlySet<Filter> = new Set(['cache', 'monitoring', 'taint', 'paused', 'capacity', 'quota']);

/** What is against the first cluster on which several things have to change, each of which can. Undefined: there is none. */
function describeObstacles({ rejections }: Pick<ShortfallPlan, 'rejections'>): string | undefined {
  const near = rejections.find(({ reason, also = [] }) => {
    return also.length > 0 && [{ reason }, ...also].every((one) => CHANGEABLE.has(one.reason.filter));
  });
  return near && `More nodes alone do not help. On ${near.cluster}, ${formatRejectionReason(near)}`;
}

/** What rules out a cluster, however many nodes it has. */
const CLOSING: ReadonlySet<Filter> = new Set(['taint', 'backend', 'paused']);

const CHANGE_REQUEST =
  'More nodes alone do not help: change what the deployment asks for, or declare another cluster that can run it';

/** Whether every cluster is closed, at least one of them whatever it has. */
function isClosed({ rejections }: Pick<ShortfallPlan, 'rejections'>): boolean {
  const closed = rejections.filter(({ reason }) => CLOSING.has(reason.filter));
  const others = rejections.filter((one) => !closed.includes(one));
  return closed.length > 0 && (others.length === 0 || isBeyondCapacity({ rejections: others }));
}

/** What opens a cluster where all are closed, or what to do in place of that. Undefined: nothing opens one. */
export function listWaysToOpen({ rejections }: Pick<ShortfallPlan, 'rejections'>): string[] | undefined {
  if (!isClosed({ rejections })) return undefined;
  const open = WAYS_TO_OPEN.find(({ filter }) => rejections.some((one) => isOnlyClosedBy(one, filter)));
  if (!open) return undefined;
  const clusters = rejections.flatMap((one) => (isOnlyClosedBy(one, open.filter) ? [one.cluster] : []));
  const another = rejections.some(namesCluster) ? [] : ['declare another cluster that can run it'];
  return [open.describe(joinNames(clusters)), ...another];
}

type Filter = Rejection['reason']['filter'];

const WAYS_TO_OPEN: readonly { readonly filter: Filter; readonly describe: (clusters: string) => string }[] = [
  { filter: 'taint', describe: (clusters) => `tolerate the taint (it then runs on ${clusters})` },
  { filter: 'paused', describe: (clusters) => `set 'paused: false' on ${clusters}` },
];

/** Whether nothing else keeps replicas off. Nothing opens a cluster that is lost. */
function isOnlyClosedBy(rejection: Rejection, filter: Filter): boolean {
  const { reason, also = [] } = rejection;
  return reason.filter === filter && also.length === 0 && !isRuledOutAsLost(rejection);
}

/** Whether `clusterSelector` names clusters, so that it does not match another one. */
function namesCluster({ reason }: Rejection): boolean {
  return reason.filter === 'selector' && NAMED_CLUSTERS.some((start) => reason.requirement.startsWith(start));
}

const NAMED_CLUSTERS = [`${CLUSTER_LABEL}=`, `${CLUSTER_LABEL} in (`];

/** Returns an error for each deployment that asks for what no cluster has, also where nothing else runs. */
export function toImpossibleProblems(located: LocatedPlan): Diagnostic[] {
  const deployments = located.plan.deployments.filter(({ shortfall }) => shortfall?.impossible);
  return toShortfallProblems({ ...located, plan: { ...located.plan, deployments } });
}

/** Returns a warning for a drain that cannot finish, or for a loss, at the taint that starts it. */
function toDrainProblem(drain: Drain, { fleet, locate, plan }: LocatedPlan): Diagnostic[] {
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === drain.cluster);
  if (!cluster || drain.stuck.length === 0) return [];
  const where = locate(cluster, [
    'spec',
    'taints',
    cluster.spec.taints.findIndex(drain.lost ? isLostTaint : isDrainTaint),
  ]);
  const hint = `${hintAtDrain(drain, plan.deployments)}, or remove the taint`;
  return [warningAt('stuck-drain', where, formatDrain(drain), hint)];
}
