import type { CompiledDeployment, ReplicaDemand } from '../compiled-fleet';
import type { SchedulingState } from '../scheduling-state';
import { MoveSearch } from './move-search';
import type { Relocation } from './sites';
import type { StepBudget } from './step-budget';

/** The most steps of all searches of one run for new replicas: some tenths of a second. */
export const MOST_STEPS = 40_000;

/** Gives missing replicas a place by moving others that the same run placed. Nothing of the lock moves. */
export class JointPlacement {
  /** What is known to have no place. It stays so while replicas are only added. */
  readonly #hopeless = new Set<CompiledDeployment | ReplicaDemand>();

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
      relocate(this.state, relocations);
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
      this.#hopeless.add(hasLimits(deployment) ? deployment : deployment.demand);
      if (budget.spent) state.limited.add(deployment);
      return undefined;
    });
  }

  #isHopeless(deployment: CompiledDeployment): boolean {
    return this.#hopeless.has(deployment) || this.#hopeless.has(deployment.demand);
  }
}

/** Whether more than room keeps replicas of a deployment off a cluster that suits them. */
function hasLimits({ placement: { maxPerCluster, domainKey } }: CompiledDeployment): boolean {
  return maxPerCluster !== undefined || domainKey !== undefined;
}

/** Gives replicas their places. Those that have another one leave it first. */
function relocate(state: SchedulingState, relocations: readonly Relocation[]): void {
  for (const { from } of relocations) {
    if (!from) continue;
    state.remove(from);
    state.added.remove(from);
  }
  for (const { from } of relocations) {
    const left = from && state.clusters.get(from.placement.cluster);
    if (left) state.reopen(left);
  }
  for (const { deployment, to } of relocations) {
    state.added.add(state.add(deployment, to.cluster, to.assignment));
  }
}
