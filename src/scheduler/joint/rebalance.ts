import type { CompiledDeployment, ReplicaDemand } from '../compiled-fleet';
import type { Placement } from '../placement';
import type { AssignedReplica } from '../retained-replicas';
import type { MoveRemedy, UnitedReplicas } from '../remedy';
import type { SchedulingState } from '../scheduling-state';
import { hasLimits } from '../topology-spread';
import { type Arrangement, arrangeMoves } from './arrange-moves';
import { MovableReplicas } from './movable-replicas';
import { MoveSearch } from './move-search';
import { relocateNew, removeNew } from './place-jointly';
import { Relaxation } from './relaxation';
import type { Relocation } from './candidate-placement';
import { MOST_STEPS, StepBudget } from './step-budget';
import { listUnited } from './united-replicas';

/** Finds moves of replicas of the lock that give missing replicas a place. */
export class Rebalancer {
  readonly #budget = new StepBudget(MOST_STEPS);
  readonly #locked: ReadonlySet<Placement>;
  readonly #movable: MovableReplicas;
  readonly #relaxation: Relaxation;
  /** Demands for which a search ended at its limit. */
  readonly #limited = new Set<ReplicaDemand>();
  readonly #known = new Map<ReplicaDemand, MoveRemedy | undefined>();

  /**
   * @param previous the placements of the lock
   * @param only the deployment whose replicas may move. Default: all
   */
  constructor(
    private readonly state: SchedulingState,
    previous: readonly Placement[],
    only?: string,
  ) {
    this.#locked = new Set(previous);
    this.#movable = new MovableReplicas();
    this.#relaxation = new Relaxation(state, this.#movable);
    for (const deployment of previous.length > 0 ? state.model.deployments : []) {
      if (deployment.paused) continue;
      for (const replica of state.staying(deployment)) {
        if (state.clusters.get(replica.placement.cluster)?.paused) continue;
        const fixed = this.isLocked(replica) ? only !== undefined && deployment.id !== only : !state.added.has(replica);
        if (!fixed) this.#movable.add(replica);
      }
    }
  }

  isLocked({ placement }: AssignedReplica): boolean {
    return this.#locked.has(placement);
  }

  /** The fewest moves that give a deployment one more replica. Undefined if there are none, or none were found. */
  remedyFor(deployment: CompiledDeployment): MoveRemedy | undefined {
    if (this.#locked.size === 0) return undefined;
    if (hasLimits(deployment)) return this.#findRemedy(deployment);
    const { demand } = deployment;
    if (!this.#known.has(demand)) this.#known.set(demand, this.#findRemedy(deployment));
    if (this.#limited.has(demand)) this.state.limitedMoves.add(deployment);
    return this.#known.get(demand);
  }

  /** How many more replicas of a deployment may have a place, whatever moves: an upper bound. */
  mostReplicas(deployment: CompiledDeployment): number {
    return this.#relaxation.mostReplicas(deployment);
  }

  #findRemedy(deployment: CompiledDeployment): MoveRemedy | undefined {
    const found = this.#search([deployment], 0);
    if (!found) return undefined;
    const { moves, dropped } = this.#arrange(found);
    // Where the search for places of new replicas was cut, some may fit without a move.
    if (moves.length === 0) return undefined;
    const unites = listUnited(this.state, found);
    return {
      kind: 'move',
      moves: moves.map((move) => describeMove(move, dropped)),
      ...(unites.length > 0 && { unites }),
    };
  }

  /**
   * Moves as few replicas of the lock as possible, so that as many missing replicas as possible get a place. A replica
   * that moves is replaced first and leaves then, where there is room for both. A missing replica whose place is free
   * only then waits for it. So does one that this run placed, if another gets its present place.
   */
  apply(): void {
    const { wanted, relocations } = this.#findAll();
    const { moves, dropped, placed, kept } = this.#arrange(relocations);
    const reason = { kind: 'makes-room', for: [...new Set(wanted.map(({ id }) => id))] } as const;
    for (const { from } of moves) {
      if (dropped.has(from)) this.state.drop(from, reason);
      else this.state.leave(from, reason);
    }
    const [now, later] = [relocations.filter((one) => placed.has(one)), relocations.filter((one) => !placed.has(one))];
    const waiting = later.filter(({ from }) => !from || (!this.isLocked(from) && !kept.has(from)));
    removeNew(
      this.state,
      waiting.flatMap(({ from }) => from ?? []),
    );
    relocateNew(this.state, now, (replica) => !this.isLocked(replica));
    for (const { deployment } of waiting) this.state.awaits(deployment);
  }

  /** The missing replicas that can get a place, and the moves: the fewest for all of them at once. */
  #findAll(): { wanted: readonly CompiledDeployment[]; relocations: readonly Relocation[] } {
    const wanted: CompiledDeployment[] = [];
    let relocations: readonly Relocation[] = [];
    for (const deployment of this.state.model.deployments) {
      for (let missing = this.state.missing(deployment); missing > 0; missing--) {
        const found = this.#search([...wanted, deployment], this.#costOf(relocations));
        if (!found) break;
        wanted.push(deployment);
        relocations = found;
      }
    }
    return { wanted, relocations };
  }

  #search(wanted: readonly CompiledDeployment[], least: number): readonly Relocation[] | undefined {
    const { state } = this;
    if (wanted.some((one) => this.#relaxation.provesNone(one))) return undefined;
    const costOf = (replica: AssignedReplica): number => (this.isLocked(replica) ? 1 : 0);
    return this.#budget.share((budget) => {
      const options = { movable: this.#movable, relaxation: this.#relaxation, budget, costOf, leastCost: 0 };
      const found = new MoveSearch(state, options).find(wanted, least);
      const united = found ? listUnited(state, found) : [];
      if (found && united.length > 0) {
        const movable = this.#movableWithout(united);
        const cost = this.#costOf(found);
        return new MoveSearch(state, { ...options, movable }).find(wanted, cost, cost) ?? found;
      }
      const last = wanted.at(-1);
      if (!found && budget.spent && last) {
        state.limitedMoves.add(last);
        this.#limited.add(last.demand);
      }
      return found;
    });
  }

  /** The replicas that may move so that replicas of other deployments stay in several domains. */
  #movableWithout(united: readonly UnitedReplicas[]): MovableReplicas {
    const names = new Set(united.map(({ deployment }) => deployment));
    const movable = new MovableReplicas();
    for (const one of this.#movable.all()) if (!names.has(one.placement.deployment)) movable.add(one);
    return movable;
  }

  #costOf(relocations: readonly Relocation[]): number {
    return relocations.filter(({ from }) => from && this.isLocked(from)).length;
  }

  #arrange(relocations: readonly Relocation[]): Arrangement {
    return arrangeMoves(this.state.ledger, relocations, (replica) => this.isLocked(replica));
  }
}

function describeMove({ from, to }: Arrangement['moves'][number], dropped: Arrangement['dropped']) {
  const { deployment, cluster, pools } = from.placement;
  const engines = Object.keys(pools);
  return {
    deployment,
    from: cluster,
    to: to.cluster.name,
    fromPools: [...new Set(engines.map((engine) => pools[engine] ?? ''))],
    toPools: [...new Set(to.assignment.pools.map(({ name }) => name))],
    surgeFirst: !dropped.has(from),
  };
}
