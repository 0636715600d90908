import type { RefusedService } from '../survive/refused';
import type { Survival, Worst } from '../survive/survival';
import type { Outcome } from '../what-if/what-if';

/** What `fleetwright what-if --json` prints. `schema/what-if.json` is made from this type. */
export interface WhatIfDocument {
  readonly kind: 'WhatIf';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock does not say what would be decided now. */
  readonly stale: boolean;

  /** One a scenario: that of the flags first, then those of the file. */
  readonly outcomes: readonly Outcome[];
}

/** What `fleetwright survive --json` prints. `schema/survival.json` is made from this type. */
export interface SurvivalDocument extends Survival {
  readonly kind: 'Survival';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** Whether the lock does not say what would be decided now. */
  readonly stale: boolean;

  /** The fewest replicas that must serve at once. Absent where none are required. */
  readonly required?: number;

  /** Deployments that keep fewer. Absent where none are required. */
  readonly refused?: readonly Worst[];

  /** Services that something answers, and then no gateway or fewer replicas. Absent where none are required. */
  readonly refusedServices?: readonly RefusedService[];
}
