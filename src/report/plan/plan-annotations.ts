import type { Locate } from '../../api/kinds';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { describeUnplaced } from '../../plan/apply-blockers';
import { isDrainTaint } from '../../plan/drains';
import type { DeploymentPlan, Drain, Plan } from '../../plan/plan';
import { formatRemedy } from '../../plan/rejection-messages';
import { formatDrain } from './plan-text';
import { toPolicyProblem } from './policy-text';
import { formatShortfallLine } from './shortfall-text';

/** A plan, and where everything of it is declared. */
interface LocatedPlan {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly plan: Plan;
}

/** What is no reason to refuse a plan. */
interface AnnotationOptions {
  /** Whether replicas without a place are. */
  readonly acceptUnplaced?: boolean;
}

/** What a plan is refused for, then what it warns of, each at the declaration that it is about. */
export function annotatePlan(
  decided: LocatedPlan,
  { acceptUnplaced = false }: AnnotationOptions = {},
): Diagnostic[] {
  const { policies, drains, warnings } = decided.plan;
  const denied = policies.filter(({ severity }) => severity === 'error');
  const warned = policies.filter(({ severity }) => severity === 'warning');
  return [
    ...denied.map(toPolicyProblem),
    ...(acceptUnplaced ? [] : toShortfallProblems(decided)),
    ...warned.map(toPolicyProblem),
    ...drains.flatMap((drain) => toDrainProblem(drain, decided)),
    ...warnings,
  ];
}

/** Replicas without a place that nobody accepted, where their deployment says how many it asks for. */
export function toShortfallProblems({ fleet, locate, plan }: LocatedPlan): Diagnostic[] {
  return plan.deployments.flatMap((one) => {
    const deployment = one.shortfall && indexDeploymentsById(fleet.deployments).get(one.deployment);
    return deployment ? toShortfallProblem(one, locate(deployment, ['spec', 'replicas'])) : [];
  });
}

function toShortfallProblem(plan: DeploymentPlan, where: string): Diagnostic[] {
  const what = describeUnplaced(plan);
  const { shortfall } = plan;
  if (what === undefined || !shortfall) return [];
  const [nearest] = shortfall.remedies;
  const hint = nearest && `Nearest: ${formatRemedy(nearest)}`;
  return [errorAt('unplaced', where, `${what} (${formatShortfallLine(shortfall)})`, hint)];
}

/** A drain that cannot finish, at the taint that drains. */
function toDrainProblem(drain: Drain, { fleet, locate }: LocatedPlan): Diagnostic[] {
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === drain.cluster);
  if (!cluster || drain.stuck.length === 0) return [];
  const where = locate(cluster, ['spec', 'taints', cluster.spec.taints.findIndex(isDrainTaint)]);
  return [warningAt('stuck-drain', where, formatDrain(drain))];
}
