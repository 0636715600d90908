import type { FleetDiff } from '../diff/fleet-diff';
import type { Plan } from '../plan/plan';

/** What `fleetwright plan --json` prints. `schema/plan.json` is made from this type. */
export interface PlanDocument extends Plan {
  readonly kind: 'Plan';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock does not say what would be decided now. */
  readonly stale: boolean;

  /** What happens since the state that `--against` names. Absent without it. */
  readonly diff?: FleetDiff;
}
