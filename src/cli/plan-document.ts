import type { FleetDiff } from '../diff/fleet-diff';
import { changedDeployments } from '../plan/changed-deployments';
import type { Plan } from '../plan/plan';
import type { Decided } from './context';

/** What `fleetwright plan --json` prints. `schema/plan.json` is made from this type. */
export interface PlanDocument extends Plan {
  readonly kind: 'Plan';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 2;

  /** Whether the lock does not say what would be decided now. */
  readonly stale: boolean;

  /** What happens since the state that `--against` names. Absent without it. */
  readonly diff?: FleetDiff;
}

/** What a document says of a plan. Beside another state it tells what changes alone. */
export function planFields(
  { plan, stale }: Pick<Decided, 'plan' | 'stale'>,
  diff: FleetDiff | undefined,
): Omit<PlanDocument, 'kind' | 'version'> {
  if (!diff) return { ...plan, stale };
  return { ...plan, deployments: changedDeployments(plan.deployments), stale, diff };
}
