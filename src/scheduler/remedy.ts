import type { CacheNeed } from '../api/cache/delivery';
import type { MissingLoadMetrics } from '../api/load-metrics';
import type { Taint } from '../api/schema/taints-and-tolerations';
import type { BrokenRule } from '../fleet/policy';
import type { Accelerators } from './compile/shapes';
import type { SpreadLimit } from './reason';

/** Moves of replicas of the lock that give another replica a place: the fewest that were found. */
export interface MoveRemedy {
  readonly kind: 'move';
  readonly moves: readonly RemedyMove[];

  /** What it adds to the cost of a month: for the moved replicas, and the one that gets a place. Absent: no price is known. */
  readonly cost?: NodesCost;

  /** The deployments of which too few replicas serve while they move: a gate refuses that. Absent: there is none. */
  readonly stops?: readonly string[];

  /**
   * The deployment that gets a place, where replicas of it lose theirs by the change: the moves come before the change,
   * so that these serve on. Absent: it loses none, or those that it lost are down already.
   */
  readonly before?: string;

  /** It helps only once a supposed change is declared, such as a drain. Absent: it helps now. */
  readonly supposed?: true;

  /** The deployments whose replicas spread over domains, and are all in one then. Absent: there are none. */
  readonly unites?: readonly UnitedReplicas[];

  /** The deployments of which no replica is left on a cluster whose pods may be clients: a gate refuses that. Absent: there are none. */
  readonly vacates?: readonly VacatedClusters[];

  /** The deployments that then keep fewer replicas than `minAvailable` without one cluster, and kept enough before. Absent: there are none. */
  readonly minimums?: readonly LostMinimum[];
}

/** Too few replicas of a deployment without one cluster: the one whose loss leaves the fewest. */
export interface LostMinimum {
  readonly deployment: string;
  readonly cluster: string;

  /** The replicas on other clusters. */
  readonly left: number;
  readonly minAvailable: number;
}

/** The clusters that all replicas of a deployment leave. */
export interface VacatedClusters {
  readonly deployment: string;
  readonly clusters: readonly string[];
}

/** Replicas of a deployment that are all in one domain of `spreadBy`. */
export interface UnitedReplicas {
  readonly deployment: string;
  readonly replicas: number;

  /** The label of `spreadBy`, and the value that the clusters of all of them have. */
  readonly label: string;
  readonly domain: string;
}

/** Fewer nodes than a replica needs alone, and the moves of other replicas that then give it a place. */
export interface NodesAndMovesRemedy
  extends Accelerators,
    Pick<MoveRemedy, 'moves' | 'cost' | 'supposed' | 'unites' | 'vacates' | 'minimums'> {
  readonly kind: 'nodes-and-moves';

  /** A pool of a fixed number of nodes. */
  readonly cluster: string;
  readonly pool: string;
  readonly nodes: number;
}

/** The deployment whose replicas alone move. Undefined: several move. */
export function onlyMovedBy({ moves }: Pick<MoveRemedy, 'moves'>): string | undefined {
  const [name, ...others] = new Set(moves.map(({ deployment }) => deployment));
  return others.length === 0 ? name : undefined;
}

/** A move of one replica of the lock. */
export interface RemedyMove {
  readonly deployment: string;
  /** Clusters. */
  readonly from: string;
  readonly to: string;
  readonly fromPools: readonly string[];
  readonly toPools: readonly string[];
  /** Whether there is room for the replica at both places at once. */
  readonly surgeFirst: boolean;
}

/** Storage for caches that a cluster can declare. */
export type StorageToDeclare = Exclude<CacheNeed, 'ImageVolumes'>;

/** What a cluster does not declare. It costs nothing where the cluster has it. */
export interface DeclaringRemedy {
  readonly kind: 'declare';
  readonly cluster: string;
  readonly storage: readonly StorageToDeclare[];

  /** The label of `spreadBy`. Absent: the cluster has it. */
  readonly label?: string;

  /** What engines that scale by their load read there. Absent: the cluster has it. */
  readonly monitoring?: MissingLoadMetrics;

  /** The HTTP add-on of KEDA, which engines without a copy need. Absent: the cluster has it. */
  readonly kedaHttpAddOn?: true;

  /** The deployment that then has a place on the cluster, and leaves room elsewhere. Absent: the one without a place. */
  readonly frees?: string;
}

/** A change that would give one more replica a place. */
export type Remedy = ChangeOfFleet & {
  /** Its cluster lacks in `spec.gateway` what ingress gateways need to reach the replica. Absent: nothing, or no service selects it. */
  readonly gateway?: true;

  /** It is a command that leaves other replicas without a place, which has to be accepted. Absent: it is none, or places all. */
  readonly accepts?: true;

  /** How many of several missing replicas it gives a place. Absent: only one is missing, or it was tried for one alone. */
  readonly helps?: number;

  /** The policy rules that deny it, and did not deny as much before. Absent: none does. */
  readonly breaks?: readonly BrokenRule[];

  /**
   * The deployments that then keep fewer replicas than `minAvailable` without one cluster: those that it moves, and kept
   * enough before, and the one that gets a place, if another change keeps enough. Absent: there are none.
   */
  readonly minimums?: readonly LostMinimum[];
};

/** A remedy that moves no replica. */
export type OwnRemedy = Exclude<Remedy, MoveRemedy | NodesAndMovesRemedy>;

/**
 * What becomes of a replica with earlier engines whose devices a remedy counts as free. `restart`: it stops before the
 * new one serves. `grow`: only copies are added, and the pods that run stay.
 */
type InPlace = 'restart' | 'grow';

/** A remedy that lets a replica take the place of one with earlier engines. */
interface ReplacingRemedy {
  /** Absent: the replica with earlier engines, if there is one, serves until the new one does. */
  readonly inPlace?: InPlace;

  /** The deployment has no other replica and does not declare `rollout: Recreate`, which accepts that it stops. */
  readonly stopsAll?: true;
}

/** The field that adds nodes to a pool. Neither: they are a pool of their own. */
export interface NodeField {
  /** Where an autoscaler sizes the pool. */
  readonly maxNodeCount?: { readonly from: number; readonly to: number };

  /** Where the pool has a fixed number of nodes. */
  readonly nodeCount?: { readonly from: number; readonly to: number };
}

type ChangeOfFleet =
  | MoveRemedy
  | NodesAndMovesRemedy
  | DeclaringRemedy
  /** The replicas that are draining hold the place. */
  | ({
      readonly kind: 'finalize';
      readonly cluster: string;

      /** Replicas drain there only with this change: what drains them is a change of its own, which comes first. */
      readonly drainsFirst?: true;
      readonly supposed?: true;
    } & CostOfVolumes)
  | ({
      readonly kind: 'nodes';
      readonly cluster: string;
      readonly pool: string;
      readonly nodes: number;

      /** The nodes are a pool of their own, of the class of `pool`: next to the replicas of `pool`, more are needed. */
      readonly newPool?: true;

      /** The pool is a TPU slice, and so is the new one: a slice has a fixed number of nodes. */
      readonly slice?: true;

      /** The nodes that a snapshot shows as unavailable, if there are as many: they need only come back. */
      readonly unavailable?: number;

      /** What they add to the cost of a month. Absent: no price is known. */
      readonly cost?: NodesCost;

      /** No price is known, although one is known of the nodes of another remedy. */
      readonly unpriced?: true;

      /** What an autoscaler starts for the replica. Absent: it sizes no pool, that is not known, or the added nodes. */
      readonly started?: StartedNodes;
    } & NodeField &
      Accelerators &
      ReplacingRemedy)
  /** BinPack as the packing of a pool. An administrator of the cluster first configures a scheduler that packs pods. */
  | ({
      readonly kind: 'packing';
      readonly cluster: string;
      readonly pool: string;

      /** Other deployments, whose only replica restarts with downtime: its pods have other hints for the scheduler. */
      readonly stops?: readonly string[];

      /** Other deployments of which replicas restart too, but not with downtime that they do not accept. */
      readonly restarts?: readonly string[];
    } & CostOfVolumes &
      ReplacingRemedy)
  | ({ readonly kind: 'toleration'; readonly cluster: string; readonly taints: readonly Taint[] } & CostOfVolumes)
  /** Another value of a limit in `placement` of the deployment. */
  | ({
      readonly kind: 'limit';
      readonly deployment: string;
      readonly field: Exclude<SpreadLimit, 'no-domain'>;
      readonly from: number;
      readonly to: number;
      readonly cluster: string;
    } & CostOfVolumes)
  | ({
      /** Another bound in a selector: what the device of a pool publishes. */
      readonly kind: 'bound';
      readonly cluster: string;
      readonly pool: string;
      /** Further pools on which the same bound gives the replica a place. Absent: none. */
      readonly also?: readonly PoolName[];
      readonly engine: string;
      readonly request: string;
      readonly selector: number;
      /** The request has `where`, which is selector 0. */
      readonly where?: true;
      readonly from: string;
      readonly to: string;
    } & CostOfVolumes)
  /** Fewer copies of an engine at most: those beyond the fewest that its autoscaler keeps. */
  | ({
      readonly kind: 'copies';
      readonly cluster: string;
      readonly pool: string;
      readonly engine: string;
      readonly from: number;
      readonly to: number;
    } & CostOfVolumes)
  | SurgeRemedy
  | ({
      /** All devices of a node, which their driver allocates together. */
      readonly kind: 'count';
      readonly cluster: string;
      readonly pool: string;
      readonly engine: string;
      readonly request: string;
      readonly from: number;
      readonly to: number;
    } & CostOfVolumes);

/** No `rollout.surge`: a replica gets the devices that those of its deployment reserve for rollouts. */
export interface SurgeRemedy extends CostOfVolumes {
  readonly kind: 'surge';
  readonly cluster: string;
  readonly pool: string;

  /** The pools of the replicas that then have a place. Absent: it was not tried. */
  readonly places?: readonly PoolName[];

  /** The fewest replicas that then serve during a rollout in waves, and all of them. Absent: it was not tried. */
  readonly serving?: { readonly least: number; readonly of: number };
}

/** A change that gives a replica nodes that are declared already. */
interface CostOfVolumes {
  /**
   * What it adds to the cost of a month: that of the volumes of caches that the replica needs there, or nothing. Absent: an
   * autoscaler may start nodes for it, a volume has no known price, or it is a command or a toleration without a volume.
   */
  readonly cost?: { readonly perMonth: number; readonly currency: string };
}

/** The nodes that an autoscaler starts for a replica: more than are added to the most that it may run. */
export interface StartedNodes {
  /** The accelerators that the fewest copies of the replica take. */
  readonly gpus: number;

  /** The nodes that always run, without the replica and with it. */
  readonly from: number;
  readonly to: number;
}

/** What the nodes of a remedy add to the cost of a month. */
export interface NodesCost {
  /** Where an autoscaler sizes the pool: the most. */
  readonly perMonth: number;

  /** The least, where an autoscaler sizes the pool and that is known. */
  readonly leastPerMonth?: number;

  /**
   * The part for volumes of caches, for all replicas that get another place. Absent: there is none. Unknown: volumes have
   * no known price, and are not counted.
   */
  readonly volumes?: number | 'unknown';
  readonly currency: string;
  readonly autoscaled: boolean;

  /** The other region whose price estimates the cost. Absent: the price is known for the region of the cluster. */
  readonly asIn?: string;
}

interface PoolName {
  readonly cluster: string;
  readonly pool: string;
}
