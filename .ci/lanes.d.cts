/** A step of a run. */
export interface Step {
  readonly name: string;

  /** A script of bash. */
  readonly run: string;

  /** A script of bash. The step is left out where it fails. */
  readonly when?: string;

  /** Why the step is then left out. */
  readonly otherwise?: string;

  /** Steps of other lanes that end before this one starts. */
  readonly after?: readonly string[];

  /** From 0, the default, to 19: how readily it leaves the processor to steps next to it. */
  readonly niceness?: number;
}

export function runLanes(
  lanes: readonly (readonly Step[])[],
  print: (text: string) => void,
  onStart?: (name: string) => void,
): Promise<boolean>;
