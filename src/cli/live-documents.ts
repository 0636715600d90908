import type { Finding, Level } from '../live/finding';
import type { ServiceSmoke } from '../live/smoke/service-smoke';
import type { ClusterStatus } from '../live/status/cluster-status';

/** What `fleetwright doctor --json` prints. `schema/doctor.json` is made from this type. */
export interface DoctorDocument {
  readonly kind: 'Doctor';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;
  readonly cluster: string;

  /** The context of the kubeconfig, and the API server that it leads to. */
  readonly context: string;
  readonly server: string;

  /** In the order in which things depend on each other. */
  readonly findings: readonly Finding[];

  /** How many findings there are of each level. */
  readonly totals: Readonly<Record<Level, number>>;
}

/** What `fleetwright status --json` prints. `schema/status.json` is made from this type. */
export interface StatusDocument {
  readonly kind: 'Status';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** By name, or in the order of `--cluster`. */
  readonly clusters: readonly ClusterStatus[];
}

/** What `fleetwright smoke --json` prints. `schema/smoke.json` is made from this type. */
export interface SmokeDocument {
  readonly kind: 'Smoke';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** By service, one for each of its URLs and for each model that it is asked for there. */
  readonly services: readonly ServiceSmoke[];
}

/** What `fleetwright doctor --write --json` prints. `schema/draft.json` is made from this type. */
export interface DraftDocument {
  readonly kind: 'Draft';

  /** Changes when a field goes or changes its meaning, not when one is added. */
  readonly version: 1;

  /** The file. */
  readonly written: string;

  /** The names of the InferenceClasses and of the pools. */
  readonly classes: readonly string[];
  readonly pools: readonly string[];

  /** What was guessed, or left out. */
  readonly notes: readonly string[];
}
