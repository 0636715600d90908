import type { CompiledDeployment, ReplicaDemand } from '../compiled-fleet';
import type { AssignedReplica } from '../retained-replicas';
import type { SchedulingState } from '../scheduling-state';
import { MoveSearch } from './move-search';
import type { Relocation } from './sites';
import type { StepBudget } from './step-budget';

/** The most steps of all searches of one run for new replicas: some tenths of a second. */
export const MOST_STEPS = 40_000;

/** Gives missing replicas a place by moving others that the same run placed. Nothing of the lock moves. */
export class JointPlacement {
  /** What was found to have no place, which holds while replicas are only added, and whether the search was cut. */
  readonly #hopeless = new Map<CompiledDeployment | ReplicaDemand, { readonly limited: boolean }>();

  constructor(
    private readonly state: SchedulingState,
    private readonly budget: StepBudget,
  ) {}

  /** Places as many of the missing replicas of a deployment as possible. Whether it placed any. */
  place(deployment: CompiledDeployment): boolean {
    let placed = false;
    while (this.state.missing(deployment) > 0 && !this.#isHopeless(deployment)) {
      const relocations = this.#search(deployment);
      if (!relocations) return placed;
      relocateNew(this.state, relocations, () => true);
      placed = true;
    }
    return placed;
  }

  /** Forgets what had no place, after replicas were removed. */
  forget(): void {
    this.#hopeless.clear();
  }

  #search(deployment: CompiledDeployment): readonly Relocation[] | undefined {
    const { state } = this;
    return this.budget.share((budget) => {
      const found = new MoveSearch(state, { movable: state.added, budget, costOf: () => 1 }).find([deployment]);
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

/** Whether more than room keeps replicas of a deployment off a cluster that suits them. */
export function hasLimits({ placement: { maxPerCluster, domainKey } }: CompiledDeployment): boolean {
  return maxPerCluster !== undefined || domainKey !== undefined;
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
  const left = relocations.flatMap(({ from }) => (from && isNew(from) ? [from] : []));
  for (const replica of left) {
    state.remove(replica);
    state.added.remove(replica);
  }
  for (const { placement } of left) {
    const cluster = state.clusters.get(placement.cluster);
    if (cluster) state.reopen(cluster);
  }
  for (const { deployment, to } of relocations) {
    state.added.add(state.add(deployment, to.cluster, to.assignment));
  }
}
