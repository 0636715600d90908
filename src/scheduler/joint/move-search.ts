import { groupBy } from '../../base/order';
import type { CompiledDeployment, Pool } from '../compiled-fleet';
import { compareByPriority } from '../deployment-order';
import type { AssignedReplica } from '../retained-replicas';
import type { SchedulingState } from '../scheduling-state';
import type { MovableReplicas } from './movable-replicas';
import type { Relaxation } from './relaxation';
import { homeKeyOf, type Relocation, type CandidatePlacement, siteKeyOf } from './candidate-placement';
import type { StepBudget } from './step-budget';
import { Trial } from './trial';

/** A replica that needs a place. */
type Homeless = Omit<Relocation, 'to'>;

interface SearchOptions {
  readonly movable: MovableReplicas;
  readonly relaxation: Relaxation;
  readonly budget: StepBudget;
  /** What it costs to move a replica. */
  readonly costOf: (replica: AssignedReplica) => number;
  /** No replica costs less to move: what is left of a cost may not be enough for any. */
  readonly leastCost: number;
}

/** A place that a replica is to have, and what may be spent on the replicas that make way for it. */
interface Aim {
  readonly deployment: CompiledDeployment;
  readonly site: CandidatePlacement;
  readonly cost: number;
}

/**
 * Finds places for missing replicas at the least cost of moving others.
 *
 * The search tries every cost in turn. A replica without a place takes each of its places in turn: one with room, or
 * one where a set of movable replicas, each of them needed, makes way and needs a place then. Room and spread limits
 * only grow when a replica goes, so the replicas that a solution moves can be sent away one set after the other: the
 * search is exact, unless it runs out of steps.
 */
export class MoveSearch {
  readonly #trial: Trial;
  /** The highest cost for which a state is known to lead nowhere. */
  readonly #failed = new Map<string, number>();
  #found: readonly Relocation[] | undefined;
  /** Whether a higher cost could lead further. */
  #cut = false;

  constructor(
    state: SchedulingState,
    private readonly options: SearchOptions,
  ) {
    this.#trial = new Trial(state, options);
  }

  /**
   * Finds a place for one more replica of each of `wanted`, which may name a deployment several times.
   *
   * @param least the cost to begin with
   * @param most the cost to end with
   * @returns all replicas that get a place; undefined if there is no solution, or if the budget is spent
   */
  find(wanted: readonly CompiledDeployment[], least = 0, most = Infinity): readonly Relocation[] | undefined {
    const { budget, relaxation } = this.options;
    if (budget.spent || wanted.some((one) => relaxation.provesNone(one))) return undefined;
    const homeless = wanted.map((deployment) => ({ deployment }));
    // To list places takes time too.
    for (const deployment of new Set(wanted)) budget.spend(this.#trial.sitesOf(deployment).length);
    for (let cost = least; ; cost++) {
      this.#cut = false;
      this.#place(homeless, cost);
      if (this.#found || budget.spent || !this.#cut || cost >= most) return this.#found;
    }
  }

  /** Places all homeless replicas. Whether the search ended: it found a solution, or spent the budget. */
  #place(homeless: readonly Homeless[], cost: number): boolean {
    const item = this.#mostConstrained(homeless);
    if (!item) {
      this.#found = this.#trial.placed.filter(({ from, to }) => !from || homeKeyOf(from) !== siteKeyOf(to));
      return true;
    }
    const key = this.#trial.key();
    const failed = this.#failed.get(key) ?? -1;
    if (failed >= cost) {
      this.#cut ||= failed < Infinity;
      return false;
    }
    const others = homeless.filter((one) => one !== item);
    const cutBefore = this.#cut;
    this.#cut = false;
    const ended = this.#placeDirectly(item, others, cost) || this.#placeByEjection(item, others, cost);
    this.#failed.set(key, this.#cut ? cost : Infinity);
    this.#cut ||= cutBefore;
    return ended;
  }

  /** The replica with the fewest places. */
  #mostConstrained(homeless: readonly Homeless[]): Homeless | undefined {
    const places = ({ deployment }: Homeless): number => this.#trial.sitesOf(deployment).length;
    return homeless.length < 2 ? homeless[0] : homeless.toSorted((a, b) => places(a) - places(b))[0];
  }

  #placeDirectly(item: Homeless, others: readonly Homeless[], cost: number): boolean {
    for (const site of this.#trial.sitesOf(item.deployment)) {
      this.options.budget.spend();
      if (this.options.budget.spent) return true;
      if (this.#trial.hasPlace(item.deployment, site) && this.#placeAt({ ...item, to: site }, others, cost))
        return true;
    }
    return false;
  }

  #placeByEjection(item: Homeless, others: readonly Homeless[], cost: number): boolean {
    const { deployment } = item;
    for (const site of this.#trial.sitesOf(deployment)) {
      this.options.budget.spend();
      if (this.options.budget.spent) return true;
      if (this.#trial.hasPlace(deployment, site)) continue;
      if (cost < this.options.leastCost) {
        this.#passOver(this.#countGroupsAt(deployment, site));
        continue;
      }
      for (const victims of this.#victims([], this.#groupsAt(deployment, site), { deployment, site, cost })) {
        const ejected = victims.map((from) => ({ deployment: this.#trial.deploymentOf(from), from }));
        const left = cost - this.#costOf(victims);
        if (this.#placeAt({ ...item, to: site }, [...others, ...ejected], left)) return true;
      }
    }
    return this.options.budget.spent;
  }

  #placeAt(relocation: Relocation, others: readonly Homeless[], cost: number): boolean {
    this.#trial.place(relocation);
    const ended = this.#place(others, cost);
    this.#trial.unplace();
    return ended;
  }

  /** Sets of movable replicas that make way for a replica. Each set is away while the caller looks at it. */
  *#victims(
    taken: readonly AssignedReplica[],
    groups: readonly (readonly AssignedReplica[])[],
    aim: Aim,
  ): Generator<readonly AssignedReplica[]> {
    if (aim.cost - this.#costOf(taken) < this.options.leastCost) return this.#passOver(groups.length);
    for (const [g, [victim, ...peers]] of groups.entries()) {
      this.options.budget.spend();
      if (!victim || this.options.budget.spent) return;
      const victims = [...taken, victim];
      if (this.#costOf(victims) > aim.cost) {
        this.#cut = true;
        continue;
      }
      this.#trial.eject(victim);
      try {
        if (!this.#trial.hasPlace(aim.deployment, aim.site)) {
          yield* this.#victims(victims, [peers, ...groups.slice(g + 1)].filter(isFilled), aim);
        } else if (taken.every((other) => this.#isNeeded(other, aim))) yield victims;
      } finally {
        this.#trial.restore(victim);
      }
    }
  }

  /** Whether a replica that makes way would be in the way if it stayed. */
  #isNeeded(victim: AssignedReplica, { deployment, site }: Aim): boolean {
    this.#trial.restore(victim);
    const needed = !this.#trial.hasPlace(deployment, site);
    this.#trial.eject(victim);
    return needed;
  }

  #costOf(replicas: readonly AssignedReplica[]): number {
    return replicas.reduce((sum, replica) => sum + this.options.costOf(replica), 0);
  }

  /** Spends what it takes to look at groups of replicas of which none may move at the present cost. */
  #passOver(groups: number): void {
    for (let g = 0; g < groups; g++) {
      this.options.budget.spend();
      if (this.options.budget.spent) return;
      this.#cut = true;
    }
  }

  /**
   * The movable replicas that may be in the way, in groups of replicas that are alike: those of deployments that are
   * placed last first.
   */
  #groupsAt(deployment: CompiledDeployment, site: CandidatePlacement): AssignedReplica[][] {
    const near = new Set(this.#listNear(deployment, site));
    return [...groupBy(near, (replica) => this.options.movable.keyOf(replica)).values()].sort(([a], [b]) =>
      a && b ? compareByPriority(this.#trial.deploymentOf(b), this.#trial.deploymentOf(a)) : 0,
    );
  }

  /** The number of these groups. */
  #countGroupsAt(deployment: CompiledDeployment, site: CandidatePlacement): number {
    const keys = new Set<string>();
    for (const replica of this.#listNear(deployment, site)) keys.add(this.options.movable.keyOf(replica));
    return keys.size;
  }

  /** The movable replicas that may be in the way. One may come several times. */
  #listNear(deployment: CompiledDeployment, { cluster, assignment }: CandidatePlacement): AssignedReplica[] {
    const limited = this.#trial.spreadOf(deployment).findLimit(cluster) !== undefined;
    const near: AssignedReplica[] = [];
    for (const replicas of listSources(this.options.movable, assignment.pools, limited ? deployment.id : undefined)) {
      this.options.budget.spend(replicas.size);
      for (const replica of replicas) if (!this.#trial.isEjected(replica)) near.push(replica);
    }
    return near;
  }
}

/** The movable replicas on pools, and those of a deployment that is at a spread limit. */
function* listSources(
  movable: MovableReplicas,
  pools: readonly Pool[],
  limited: string | undefined,
): Generator<ReadonlySet<AssignedReplica>> {
  for (const pool of new Set(pools)) yield movable.on(pool);
  if (limited !== undefined) yield movable.of(limited);
}

function isFilled<T>({ length }: readonly T[]): boolean {
  return length > 0;
}
