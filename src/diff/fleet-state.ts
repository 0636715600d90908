import type { Locate, Resource } from '../api/kinds';
import type { Cost } from '../cost/cost';
import type { PlacedFleet } from '../plan/decision';

/** What a fleet is at one point of its history, and what follows from it. */
export interface FleetState {
  /** What it is called: a git revision, a folder, the name of a file. */
  readonly name: string;

  /** The declarations, as they were read. */
  readonly resources: readonly Resource[];

  /** Places in them, for a reader of the comparison. */
  readonly locate: Locate;

  /** Decided from the lock of that point. */
  readonly decision: PlacedFleet;

  /** What it costs. */
  readonly cost: Cost;
}
