import type { Finding, Level } from '../live/finding';

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
