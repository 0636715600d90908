import { groupBy } from '../base/order';
import type { CompiledFleet, Pool, ReplicaDemand } from './compiled-fleet';
import type { PodMatcher } from './devices/match-pod';
import { rejectNew } from './filters';
import { fitOnPools, fitReplica } from './fit-replica';
import type { Charge, Ledger } from './ledger';
import { type Placement, placementKeyOf, poolOf } from './placement';
import { retainPlacements } from './retain-placements';
import { SchedulingState } from './scheduling-state';

/** What a placed replica would take on its pools. */
export interface WantedPods {
  readonly placement: Placement;
  readonly demand: ReplicaDemand;

  /** Whether it would take that instead of what it takes now. Otherwise it would take both. */
  readonly instead: boolean;
}

/** Nodes that a pool lacks. */
export interface MissingNodes {
  readonly cluster: string;
  readonly pool: string;
  readonly nodes: number;

  /** Free devices, which would be enough if pods were on the right nodes. Absent: there are too few. */
  readonly free?: number;
}

/** Parts of the nodes of a pool. */
export interface ReservedNodes {
  readonly pool: Pool;

  /** As a sum of fractions. */
  readonly nodes: number;
}

/** What placements leave of the room of their clusters. */
export interface RoomInPlace {
  /**
   * Finds the nodes that pools lack so that placed replicas can take more. Empty: there is room for all of it.
   * Undefined: nodes would not help, because what is wanted does not match its pools, or the quota of a queue is short.
   */
  readonly findMissingNodes: (wanted: readonly WantedPods[]) => readonly MissingNodes[] | undefined;

  /** The same room, of which something can be taken. */
  readonly copy: () => RoomToTake;

  /** Lists the parts of nodes that wanted pods take only during rollouts, by pool. */
  readonly listReserved: (wanted: readonly WantedPods[]) => readonly ReservedNodes[];

  /** Whether a cluster has no room for a replica only because of the replicas that are draining there. */
  readonly isHeldByDraining: (cluster: string, demand: ReplicaDemand) => boolean;
}

/** Room that shrinks with what is taken of it. */
export interface RoomToTake extends Pick<RoomInPlace, 'findMissingNodes'> {
  /** Lets placed replicas take more, each once. There has to be room for all of it. */
  readonly take: (wanted: readonly WantedPods[]) => void;
}

/** Computes what placements leave of the room of their clusters. */
export function findRoomInPlace(
  model: CompiledFleet,
  matcher: PodMatcher,
  placements: readonly Placement[],
): RoomInPlace {
  const state = new SchedulingState(model, matcher);
  retainPlacements(state, placements);
  const placed = model.deployments.flatMap((one) => [...state.staying(one), ...state.draining(one)]);
  const charges = new Map(placed.map(({ placement, assignment }) => [placementKeyOf(placement), assignment.charges]));
  return createRoom(state, charges);
}

/** The charges of placed replicas, by `placementKeyOf`. */
type ChargesByPlacement = ReadonlyMap<string, readonly Charge[]>;

function createRoom(state: SchedulingState, charges: ChargesByPlacement): RoomInPlace {
  const { matcher } = state;
  return {
    findMissingNodes: (wanted) => findMissingNodes(wanted, state, { ledger: state.ledger, charges }),
    copy() {
      const ledger = state.ledger.without([]);
      return {
        findMissingNodes: (wanted) => findMissingNodes(wanted, state, { ledger, charges }),
        take(wanted) {
          ledger.remove(chargesReplacedBy(wanted, charges));
          ledger.add(chargesOf(wanted, state) ?? []);
        },
      };
    },
    listReserved(wanted) {
      return [...groupBy(chargesOf(wanted, state) ?? [], ({ pool }) => pool)].flatMap(([pool, charges]) => {
        const nodes = charges.reduce((sum, { share, surge }) => sum + share * surge, 0);
        return nodes > 0 ? [{ pool, nodes }] : [];
      });
    },
    isHeldByDraining(name, demand) {
      const cluster = state.clusters.get(name);
      const draining = cluster ? state.drainingOn(cluster) : [];
      if (!cluster || draining.length === 0 || rejectNew(demand, cluster)) return false;
      const free = state.ledger.without(draining.flatMap(({ assignment }) => assignment.charges));
      const fits = (ledger: Ledger): boolean => fitReplica(demand, cluster, matcher, ledger) !== undefined;
      return fits(free) && !fits(state.ledger);
    },
  };
}

/** What pools are charged for. */
interface Charged {
  readonly ledger: Ledger;
  readonly charges: ChargesByPlacement;
}

function findMissingNodes(
  wanted: readonly WantedPods[],
  state: SchedulingState,
  { ledger, charges }: Charged,
): readonly MissingNodes[] | undefined {
  const added = chargesOf(wanted, state);
  if (!added) return undefined;
  const replaced = chargesReplacedBy(wanted, charges);
  const others = ledger.withoutOn(new Set([...added, ...replaced].map(({ pool }) => pool)), replaced);
  if (others.findQuotaShortage(added)) return undefined;
  return [...groupBy(added, ({ pool }) => pool)].flatMap(([pool, own]) => {
    const nodes = others.missingNodes(pool, own);
    if (nodes === 0) return [];
    const isEnough = countDevices(own) <= others.deviceUse(pool).free;
    const { free } = state.ledger.deviceUse(pool);
    return [{ cluster: pool.cluster, pool: pool.name, nodes, ...(isEnough && { free }) }];
  });
}

/** The charges of placed replicas that wanted pods take the place of. */
function chargesReplacedBy(wanted: readonly WantedPods[], charges: ChargesByPlacement): Charge[] {
  return wanted.flatMap(({ instead, placement }) => (instead ? (charges.get(placementKeyOf(placement)) ?? []) : []));
}

/** The devices that pods take. */
function countDevices(charges: readonly Charge[]): number {
  return charges.reduce((sum, { perPod, pods }) => sum + pods * sumOf(Object.values(perPod)), 0);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The charges of what replicas want on their pools. Undefined: it does not match one of them. */
function chargesOf(wanted: readonly WantedPods[], { clusters, matcher }: SchedulingState): Charge[] | undefined {
  const added: Charge[] = [];
  for (const { placement, demand } of wanted) {
    const cluster = clusters.get(placement.cluster);
    const pools = demand.engines.map((engine) => cluster && poolOf(cluster, placement, engine.name));
    const fit = pools.includes(undefined) ? undefined : fitOnPools(demand, pools, matcher);
    if (!fit || 'misfit' in fit) return undefined;
    added.push(...fit.charges);
  }
  return added;
}
