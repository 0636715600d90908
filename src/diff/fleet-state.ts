import type { Diagnostic } from '../base/diagnostic';
import type { Locate, Resource } from '../api/kinds';
import type { Cost } from '../cost/cost';
import type { ValidFields } from '../manifest/valid-fields';
import type { PlacedFleet } from '../plan/decision';

/** A declaration that cannot be read. */
export interface UnreadDeclaration {
  /** Where it is. Empty: the position is not known. */
  readonly where: string;

  /** What it says apart from its invalid fields. Absent: not known. */
  readonly valid?: ValidFields;
}

/** A fleet at one point in its history: its declarations and the decisions derived from them. */
export interface FleetState {
  /** The name of the state: a git revision, a folder, or a file name. */
  readonly name: string;
  readonly resources: readonly Resource[];

  /** The resources that are declared and cannot be read, by ID. */
  readonly unread?: ReadonlyMap<string, UnreadDeclaration>;
  readonly locate: Locate;

  /** Differences between snapshots and declarations. */
  readonly warnings: readonly Diagnostic[];

  /** What reading the declarations notes. Default: nothing. */
  readonly notes?: readonly string[];

  /** The schedule and the routing, decided from the lock of this state. */
  readonly decision: PlacedFleet;
  readonly cost: Cost;
}
