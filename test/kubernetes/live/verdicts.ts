/** Collects what is not as it has to be. */
export class Verdicts {
  readonly failures: string[] = [];
  rows = 0;

  check(row: string, holds: boolean, shown: string): void {
    this.rows += 1;
    if (!holds) this.failures.push(`${row}:\n${shown}`);
  }
}
