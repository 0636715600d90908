import type { Cost, DeploymentCost, ReplicaCost } from '../cost/cost';
import type { FleetDiff } from '../diff/fleet-diff';
import { changedDeployments } from '../plan/changed-deployments';
import type { Plan } from '../plan/plan';
import type { Decided } from './context';

/** What `fleetwright plan --json` prints. `schema/plan.json` is made from this type. */
export interface PlanDocument extends Omit<Plan, 'cost'> {
  readonly kind: 'Plan';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 2;

  /** What it costs once it is accepted. */
  readonly cost: ToldCost;

  /** Whether the lock does not say what would be decided now. */
  readonly stale: boolean;

  /** What happens since the state that `--against` names. Absent without it. */
  readonly diff?: FleetDiff;
}

/** What a fleet costs. */
interface ToldCost extends Omit<Cost, 'deployments'> {
  /** By id. */
  readonly deployments: readonly ToldDeploymentCost[];
}

/** What the replicas of a deployment take, leaving ones too. */
interface ToldDeploymentCost extends Omit<DeploymentCost, 'replicas'> {
  /** By cluster and index. Absent where only what changes is told, and none of them does. */
  readonly replicas?: readonly ReplicaCost[];
}

/** What a document says of a plan. Beside another state it tells what changes alone. */
export function planFields(
  { plan, stale }: Pick<Decided, 'plan' | 'stale'>,
  diff: FleetDiff | undefined,
): Omit<PlanDocument, 'kind' | 'version'> {
  if (!diff) return { ...plan, stale };
  const deployments = changedDeployments(plan.deployments);
  const changed = [...deployments, ...diff.deployments, ...(diff.cost?.deployments ?? [])];
  const cost = costBeside(plan.cost, new Set(changed.map(({ deployment }) => deployment)));
  return { ...plan, deployments, cost, stale, diff };
}

/** A cost with the replicas of some deployments alone. */
function costBeside(cost: Cost, changed: ReadonlySet<string>): ToldCost {
  return {
    ...cost,
    deployments: cost.deployments.map((one) => {
      const { deployment, cost } = one;
      return changed.has(deployment) ? one : { deployment, cost };
    }),
  };
}
