import type { Locate } from '../../api/kinds';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import { describeUnplaced } from '../../plan/apply-blockers';
import { isDrainTaint } from '../../plan/drains';
import type { Drain, Plan } from '../../plan/plan';
import { formatRemedy } from '../../plan/rejection-messages';
import { formatDrain } from './plan-text';
import { toPolicyProblem } from './policy-text';
import { formatShortfallLine } from './shortfall-text';

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
    const [nearest] = shortfall.remedies;
    const hint = nearest ? `Nearest: ${formatRemedy(nearest)}` : 'Add nodes, or lower spec.replicas';
    const where = locate(deployment, ['spec', 'replicas']);
    return [errorAt('unplaced', where, `${what} (${formatShortfallLine(shortfall)})`, hint)];
  });
}

/** Returns an error for each deployment that asks for what no cluster has, also where nothing else runs. */
export function toImpossibleProblems(located: LocatedPlan): Diagnostic[] {
  const deployments = located.plan.deployments.filter(({ shortfall }) => shortfall?.impossible);
  return toShortfallProblems({ ...located, plan: { ...located.plan, deployments } });
}

/** Returns a warning for a drain that cannot finish, at the taint that starts the drain. */
function toDrainProblem(drain: Drain, { fleet, locate }: LocatedPlan): Diagnostic[] {
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === drain.cluster);
  if (!cluster || drain.stuck.length === 0) return [];
  const where = locate(cluster, ['spec', 'taints', cluster.spec.taints.findIndex(isDrainTaint)]);
  return [warningAt('stuck-drain', where, formatDrain(drain), 'Add room on other clusters, or remove the taint')];
}
