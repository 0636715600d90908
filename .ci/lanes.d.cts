/** A step of a run. */
export interface Step {
  readonly name: string;

  /** A script of bash. */
  readonly run: string;

  /** A script of bash. The step is left out where it fails. */
  readonly when?: string;

  /** Why the step is then left out. */
  readonly otherwise?: string;
}

export function runStages(
  stages: readonly (readonly (readonly Step[])[])[],
  print: (text: string) => void,
  onStart?: (name: string) => void,
): Promise<boolean>;
