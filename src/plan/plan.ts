import type { Diagnostic } from '../base/diagnostic';
import type { Cost } from '../cost/cost';
import type { PolicyDiagnostic } from '../fleet/policy';
import type { RequiredObject } from '../render/external-references';
import type { RoutedService } from '../routing/routing';
import type { EvictionReason, Placement, Rejection, Remedy } from '../scheduler/schedule-result';

/** What accepting the declarations would do, as data. Every view of a plan (text, JSON) shows this value. */
export interface Plan {
  readonly fleet: FleetSize;
  /** Every deployment, by id, and those that are gone but still in the lock. */
  readonly deployments: readonly DeploymentPlan[];
  /** Clusters that replicas have to leave, by name. */
  readonly drains: readonly Drain[];
  readonly totals: Totals;
  /** How requests reach what is placed, by service: those with routes. */
  readonly services: readonly RoutedService[];
  /** What it costs once it is accepted. */
  readonly cost: Cost;
  /** Rules of the fleet that it does not meet. */
  readonly policies: readonly PolicyDiagnostic[];
  /** The oldest price by which it compares pools. Absent where it compares none. */
  readonly prices?: PriceDate;
  /** What may work only by luck. Nothing stops because of it. */
  readonly warnings: readonly Diagnostic[];
  /** What the user should know and need not mend. */
  readonly notes: readonly string[];
  /** What manifests refer to and nobody here makes, by cluster. */
  readonly mustExist: readonly ClusterNeeds[];
}

/** How much a fleet declares. Replicas are those that deployments ask for. */
export interface FleetSize {
  readonly clusters: number;
  readonly pools: number;
  readonly deployments: number;
  readonly replicas: number;
}

/** Replicas of all deployments, by what happens to them. */
export interface Totals {
  readonly place: number;
  readonly move: number;
  readonly remove: number;
  readonly keep: number;
  /** Old replicas that serve on until `lock --settle`. */
  readonly leaving: number;
  /** Replicas without a place that nobody accepted. */
  readonly unplaced: number;
  /** Replicas without a place that `allowPartial` or the lock accepts. */
  readonly accepted: number;
}

/** The day of a price, and which pool it is of. */
export interface PriceDate {
  readonly asOf: string;
  readonly cluster: string;
  readonly pool: string;
  readonly source: string;
}

/** What happens to the replicas of one deployment. */
export interface DeploymentPlan {
  /** `namespace/name`. */
  readonly deployment: string;
  /** The replicas it asks for. */
  readonly replicas: number;
  /** The engines of one replica. */
  readonly engines: number;
  /** Replicas that stay where they are, by cluster and index. Absent where only what changes is told. */
  readonly staying?: readonly PlacedReplica[];
  /** What happens to the others: by what is done, then by cluster and index. */
  readonly changes: readonly Change[];
  readonly shortfall?: ShortfallPlan;
}

/** What happens to one replica that does not just stay. */
export type Change =
  | { readonly action: 'place'; readonly replica: PlacedReplica }
  | {
      /** It gives way to another replica of its deployment. */
      readonly action: 'move';
      readonly replica: PlacedReplica;
      readonly from: Placement;
      readonly reason: EvictionReason;
      /** The old one serves until `lock --settle`; otherwise there is a gap. */
      readonly surgeFirst: boolean;
    }
  | { readonly action: 'remove'; readonly from: Placement; readonly reason: EvictionReason }
  /** It serves until it is settled, and does not count. */
  | { readonly action: 'leaving'; readonly replica: PlacedReplica };

/** A replica with a place, and what it takes there. */
export interface PlacedReplica {
  readonly placement: Placement;
  /** When it is replaced, where what it runs changes: replicas of wave 1 first, of all its deployment. */
  readonly wave: number;
  /** What it takes, one entry a pool, in the order of its engines. */
  readonly usage: readonly Usage[];
}

/** What one replica takes of one pool. */
export interface Usage {
  readonly pool: string;
  /** Nodes that nobody else can use, because a pod takes all devices of some kind. */
  readonly nodes: number;
  /** Devices that it may take, by request name. */
  readonly devices: Readonly<Record<string, number>>;
  /** Those of `devices` that it takes during a rollout only. Absent where there are none. */
  readonly surge?: Readonly<Record<string, number>>;
  /** How much of its nodes that is, as parts of nodes added up, by the kind of device of which a pod takes most. */
  readonly share: number;
  /** The same for what it takes during a rollout only, and not in `share`. Absent where there is none. */
  readonly surgeShare?: number;
}

/** A cluster with a `NoExecute` taint that replicas on it do not tolerate. */
export interface Drain {
  readonly cluster: string;
  /** Replicas on it that have to leave. */
  readonly replicas: number;
  /** Those that cannot, sorted. Empty: the drain can finish. */
  readonly stuck: readonly Stuck[];
}

/** A replica that cannot leave, because nothing takes its place or because it is frozen. */
export interface Stuck {
  readonly placement: Placement;
  readonly why: 'no-replacement' | 'paused';
}

/** Replicas of a deployment without a place, why not, and what would help. */
export interface ShortfallPlan {
  readonly missing: number;
  /** Whether `allowPartial` or the lock accepts that many. */
  readonly accepted: boolean;
  readonly rejections: readonly Rejection[];
  readonly remedies: readonly Remedy[];
}

/** What has to be on a cluster before its manifests are applied. */
export interface ClusterNeeds {
  readonly cluster: string;

  /** By namespace, kind and name. */
  readonly objects: readonly RequiredObject[];
}
