import type { Locate, Resource } from '../api/kinds';
import type { Cost } from '../cost/cost';
import type { PlacedFleet } from '../plan/decision';

/** A fleet at one point in its history: its declarations and the decisions derived from them. */
export interface FleetState {
  /** The name of the state: a git revision, a folder, or a file name. */
  readonly name: string;

  /** The declarations as read. */
  readonly resources: readonly Resource[];

  /** Finds the position of a field in the declarations. */
  readonly locate: Locate;

  /** The schedule and the routing, decided from the lock of this state. */
  readonly decision: PlacedFleet;

  /** The cost of the fleet in this state. */
  readonly cost: Cost;
}
