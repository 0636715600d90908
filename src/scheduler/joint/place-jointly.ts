import type { CompiledDeployment, ReplicaDemand } from '../compiled-fleet';
import type { AssignedReplica } from '../retained-replicas';
import type { SchedulingState } from '../scheduling-state';
import { hasLimits } from '../topology-spread';
import type { Relocation } from './candidate-placement';
import { MoveSearch } from './move-search';
import { Relaxation } from './relaxation';
import type { StepBudget } from './step-budget';

/** Gives missing replicas a place by moving others that the same run placed. Nothing of the lock moves. */
export class JointPlacement {
  /** What was found to have no place, which holds while replicas are only added, and whether the search was cut. */
  readonly #hopeless = new Map<CompiledDeployment | ReplicaDemand, { readonly limited: boolean }>();

  readonly #relaxation: Relaxation;

  constructor(
    private readonly state: SchedulingState,
    private readonly budget: StepBudget,
  ) {
    this.#relaxation = new Relaxation(state, state.added);
  }

  /** Places as many of the missing replicas of a deployment as possible. Whether it placed any. */
  place(deployment: CompiledDeployment): boolean {
    let placed = false;
    while (this.state.missing(deployment) > 0 && !this.#isHopeless(deployment)) {
      const relocations = this.#search(deployment);
      // What was found to have no place ends the loop, and is noted where the search was cut.
      if (!relocations) continue;
      relocateNew(this.state, relocations, () => true);
      placed = true;
    }
    return placed;
  }

  /** Forgets what had no place, after replicas were removed. */
  forget(): void {
    this.#hopeless.clear();
    this.#relaxation.forget();
  }

  /**
   * Keeps, of the deployments for which a search ended at its limit, those for which more steps may find a place: of
   * one demand, the first as many as devices are left for.
   */
  forgetProved(): void {
    const { state } = this;
    if (state.limited.size === 0) return;
    const left = new Map<ReplicaDemand, number>();
    for (const deployment of state.model.deployments.filter((one) => state.limited.has(one))) {
      const { demand } = deployment;
      const most = left.get(demand) ?? this.#relaxation.mostReplicas(deployment);
      if (most === 0) state.limited.delete(deployment);
      left.set(demand, Math.max(0, most - state.missing(deployment)));
    }
  }

  #search(deployment: CompiledDeployment): readonly Relocation[] | undefined {
    const { state } = this;
    if (this.#relaxation.provesNone(deployment)) {
      this.#hopeless.set(deployment.demand, { limited: false });
      return undefined;
    }
    return this.budget.share((budget) => {
      const options = { movable: state.added, relaxation: this.#relaxation, budget, costOf: () => 1, leastCost: 1 };
      const found = new MoveSearch(state, options).find([deployment]);
      if (found) return found;
      this.#hopeless.set(hasLimits(deployment) ? deployment : deployment.demand, { limited: budget.spent });
      return undefined;
    });
  }

  #isHopeless(deployment: CompiledDeployment): boolean {
    const known = this.#hopeless.get(deployment) ?? this.#hopeless.get(deployment.demand);
    if (known?.limited) this.state.limited.add(deployment);
    return known !== undefined;
  }
}

/**
 * Gives replicas their places. New ones that have another place leave it first.
 *
 * @param isNew whether a replica was placed in this run
 */
export function relocateNew(
  state: SchedulingState,
  relocations: readonly Relocation[],
  isNew: (replica: AssignedReplica) => boolean,
): void {
  removeNew(
    state,
    relocations.flatMap(({ from }) => (from && isNew(from) ? [from] : [])),
  );
  for (const { deployment, to } of relocations) {
    const replica = state.add({ id: deployment.id, shape: to.shape }, to.cluster, to.assignment);
    state.added.add(replica);
    state.origins.set(replica, 'arranged');
  }
}

/** Removes replicas that were placed in this run. */
export function removeNew(state: SchedulingState, replicas: readonly AssignedReplica[]): void {
  for (const replica of replicas) {
    state.remove(replica);
    state.added.remove(replica);
  }
  for (const { placement } of replicas) {
    const cluster = state.clusters.get(placement.cluster);
    if (cluster) state.reopen(cluster);
  }
}
