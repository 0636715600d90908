import type { CompiledCluster, CompiledDeployment, Pool, ReplicaDemand } from '../compiled-fleet';
import { type Assignment, listAssignments } from '../fit-replica';
import type { Charge, Ledger } from '../ledger';
import type { PodFootprint } from '../packing/pod-footprint';
import { leastPartOf } from '../packing/shared-devices';
import type { SchedulingState } from '../scheduling-state';
import type { MovableReplicas } from './movable-replicas';
import { hasRoomAt } from './candidate-placement';

/** What decides where a replica may go. Deployments of one demand have the same layouts. */
type Wanted = Pick<CompiledDeployment, 'demand' | 'shape' | 'variants'>;

/** The places of a replica on one cluster. */
interface ClusterChoices {
  readonly cluster: CompiledCluster;
  /** The preferred layout first, and of each layout the preferred pools. */
  readonly choices: readonly { readonly shape: string; readonly assignment: Assignment }[];
}

/** What holds wherever movable replicas go, found without a search. */
export class Relaxation {
  #fixed: Ledger | undefined;
  readonly #choices = new Map<ReplicaDemand, readonly ClusterChoices[]>();
  readonly #least = new Map<ReplicaDemand, number>();
  /** Demands without a place. More replicas do not change that. */
  readonly #hopeless = new Set<ReplicaDemand>();

  constructor(
    private readonly state: SchedulingState,
    private readonly movable: MovableReplicas,
  ) {}

  /** The places that have room when every movable replica is away, in natural order of the clusters' names. */
  choicesOf(wanted: Wanted): readonly ClusterChoices[] {
    let choices = this.#choices.get(wanted.demand);
    if (!choices) this.#choices.set(wanted.demand, (choices = this.#listChoices(wanted)));
    return choices;
  }

  /** Whether one more replica has no place, wherever movable replicas go. False if that is not known. */
  provesNone(wanted: Wanted): boolean {
    if (this.#hopeless.has(wanted.demand)) return true;
    const proved = this.choicesOf(wanted).length === 0 || this.#lacksDevices(wanted);
    if (proved) this.#hopeless.add(wanted.demand);
    return proved;
  }

  /** Forgets everything, after replicas were removed that are not movable. */
  forget(): void {
    this.#fixed = undefined;
    this.#choices.clear();
    this.#least.clear();
    this.#hopeless.clear();
  }

  #listChoices(wanted: Wanted): ClusterChoices[] {
    const { feasible, ledger, matcher } = this.state;
    const fixed = (this.#fixed ??= ledger.without(this.movable.all().flatMap(({ assignment }) => assignment.charges)));
    return feasible.all(wanted).flatMap((cluster) => {
      const all = (wanted.variants ?? [wanted]).flatMap(({ shape, demand }) =>
        listAssignments(demand, cluster, matcher).map((assignment) => ({ shape, assignment })),
      );
      const choices = all.filter((choice) => hasRoomAt(choice, fixed));
      return choices.length > 0 ? [{ cluster, choices }] : [];
    });
  }

  /** How many more replicas may have a place, wherever movable replicas go: an upper bound. */
  mostReplicas(wanted: Wanted): number {
    const least = this.#leastDevices(wanted);
    return least === 0 ? Infinity : Math.floor(this.#countReachable(wanted, Infinity) / least + TOLERANCE);
  }

  #lacksDevices(wanted: Wanted): boolean {
    const least = this.#leastDevices(wanted);
    return this.#countReachable(wanted, least) < least - TOLERANCE;
  }

  /**
   * Counts devices in all pools that a replica could free by a chain of moves: those that suit it, those that suit
   * movable replicas there, and so on. Moves do not change how many are free, except where a replica takes fewer
   * devices elsewhere.
   *
   * @param enough where counting may end
   */
  #countReachable(wanted: Wanted, enough: number): number {
    const reached = new Map<ReplicaDemand, Wanted>([[wanted.demand, wanted]]);
    const pools = new Set<Pool>();
    let free = 0;
    // The map grows while it is visited.
    for (const one of reached.values()) {
      const added: Pool[] = [];
      for (const pool of this.#poolsOf(one)) {
        if (pools.has(pool)) continue;
        pools.add(pool);
        added.push(pool);
        free += countFreeDevices(pool, this.state.ledger);
        if (free >= enough) return free;
      }
      for (const pool of added) free += this.#countSaved(pool, reached);
      if (free >= enough) return free;
    }
    return free;
  }

  /** The devices that movable replicas of a pool need less elsewhere. Adds them to those that are reached. */
  #countSaved(pool: Pool, reached: Map<ReplicaDemand, Wanted>): number {
    let saved = 0;
    for (const { placement, assignment } of this.movable.on(pool)) {
      const own = this.state.deployments.get(placement.deployment);
      if (!own) continue;
      reached.set(own.demand, own);
      const taken = countDevices(assignment.charges, pool);
      saved += taken - (assignment.pools.length > 1 ? 0 : Math.min(taken, this.#leastDevices(own)));
    }
    return saved;
  }

  *#poolsOf(wanted: Wanted): Generator<Pool> {
    for (const { choices } of this.choicesOf(wanted)) for (const { assignment } of choices) yield* assignment.pools;
  }

  /** The fewest devices that a replica takes at any of its places. */
  #leastDevices(wanted: Wanted): number {
    let least = this.#least.get(wanted.demand);
    if (least === undefined) {
      least = Infinity;
      for (const { choices } of this.choicesOf(wanted)) {
        for (const { assignment } of choices) least = Math.min(least, countDevices(assignment.charges));
      }
      this.#least.set(wanted.demand, least);
    }
    return least;
  }
}

/** The error of sums of parts of devices. */
const TOLERANCE = 1e-6;

/** The devices that charges take at least, on one pool or on all. */
function countDevices(charges: readonly Charge[], only?: Pool): number {
  let sum = 0;
  for (const { pool, footprint, pods } of charges) {
    if (only === undefined || pool === only) sum += pods * devicesPerPod(footprint, pool);
  }
  return sum;
}

function countFreeDevices(pool: Pool, ledger: Ledger): number {
  let free = ledger.nodes(pool) * devicesPerNode(pool);
  for (const { footprint, pods } of ledger.loadsOf(pool)) free -= pods * devicesPerPod(footprint, pool);
  return Math.max(0, free);
}

function devicesPerPod(footprint: PodFootprint, pool: Pool): number {
  if (footprint === 'node' || pool.packing === 'Exclusive') return devicesPerNode(pool);
  const devices = deviceKindsOf(pool);
  let sum = 0;
  for (const { count, kinds, part } of footprint) {
    if (kinds.every((kind) => kind < devices)) sum += part ? count * leastPartOf(part) : count;
  }
  return sum;
}

function devicesPerNode(pool: Pool): number {
  const { counts } = pool.node;
  let sum = 0;
  for (let kind = 0; kind < deviceKindsOf(pool); kind++) sum += counts[kind] ?? 0;
  return sum;
}

/** The number of kinds that are devices. Those of stated resources come after them. */
function deviceKindsOf({ node: { counts, resources } }: Pool): number {
  return counts.length - resources.length;
}
