import type { Locate } from '../api/locate';
import { deploymentsById } from '../deployments-by-id';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import { type Annotation, asErrors, asWarnings } from './annotations';
import { formatDrain } from './drain-text';
import { isDrain } from './drains';
import type { DeploymentPlan, Drain, Plan } from './plan';
import { policyProblem } from './policies-of';
import { withoutPlace } from './refusals';
import { formatRemedy } from './remedy-text';
import { shortfallLine } from './shortfall-text';
import { PLAIN } from './style';

/** A plan, and where everything of it is declared. */
interface Located {
  readonly fleet: Fleet;
  readonly locate: Locate;
  readonly plan: Plan;
}

/** What is no reason to refuse a plan. */
interface Accepted {
  /** Whether replicas without a place are. */
  readonly acceptUnplaced?: boolean;
}

/** What a plan is refused for, then what it warns of, each at the declaration that it is about. */
export function planAnnotations(decided: Located, { acceptUnplaced = false }: Accepted = {}): Annotation[] {
  const { policies, drains, warnings } = decided.plan;
  const denied = policies.filter(({ effect }) => effect === 'Deny');
  const warned = policies.filter(({ effect }) => effect === 'Warn');
  return [
    ...asErrors(denied.map(policyProblem)),
    ...asErrors(acceptUnplaced ? [] : shortfallProblems(decided)),
    ...asWarnings(warned.map(policyProblem)),
    ...asWarnings(drains.flatMap((drain) => drainProblem(drain, decided))),
    ...asWarnings(warnings),
  ];
}

/** Replicas without a place that nobody accepted, where their deployment says how many it asks for. */
export function shortfallProblems({ fleet, locate, plan }: Located): Problem[] {
  return plan.deployments.flatMap((one) => {
    const deployment = one.shortfall && deploymentsById(fleet.deployments).get(one.deployment);
    return deployment ? shortfallProblem(one, locate(deployment, ['spec', 'replicas'])) : [];
  });
}

function shortfallProblem(plan: DeploymentPlan, where: string): Problem[] {
  const what = withoutPlace(plan);
  const { shortfall } = plan;
  if (what === undefined || !shortfall) return [];
  const [nearest] = shortfall.remedies;
  const hint = nearest && `Nearest: ${formatRemedy(nearest)}`;
  return [
    {
      code: 'unplaced',
      where,
      what: `${what} (${shortfallLine(shortfall)})`,
      ...(hint !== undefined && { hint }),
    },
  ];
}

/** A drain that cannot finish, at the taint that drains. */
function drainProblem(drain: Drain, { fleet, locate }: Located): Problem[] {
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === drain.cluster);
  if (!cluster || drain.stuck.length === 0) return [];
  const where = locate(cluster, ['spec', 'taints', cluster.spec.taints.findIndex(isDrain)]);
  return [{ code: 'stuck-drain', where, what: formatDrain(drain, PLAIN) }];
}
