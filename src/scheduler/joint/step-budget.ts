/** The most steps of all searches of one run for new replicas, or for moves of the lock: some tenths of a second. */
export const MOST_STEPS = 40_000;

/** A number of steps that a search may take: a limit that is the same on every machine. */
export class StepBudget {
  constructor(private left: number) {}

  /** Whether no steps are left. */
  get spent(): boolean {
    return this.left <= 0;
  }

  spend(steps = 1): void {
    this.left -= steps;
  }

  /** Runs a search with half of what is left, so that one hard search leaves steps for others. */
  share<T>(search: (part: StepBudget) => T): T {
    const part = new StepBudget(Math.ceil(this.left / 2));
    const before = part.left;
    const result = search(part);
    this.spend(before - Math.max(0, part.left));
    return result;
  }
}
