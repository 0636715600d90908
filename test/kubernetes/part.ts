/** What a part of the tests is asked to do. */
export interface Options {
  /** The size that is run now and then by hand, instead of the one of every day. */
  readonly long: boolean;

  /** Where random inputs begin. The same seed gives the same inputs. */
  readonly seed: number;

  /** How many fleets to replay, instead of what the size says. */
  readonly fleets?: number;
}

/** What a part found out. */
export interface Report {
  /** Lines with figures, for the end of the run. */
  readonly figures: readonly string[];

  /** What is wrong, each for a person to look into. Empty: the part passes. */
  readonly failures: readonly string[];
}

/** A comparison of what we say with what Kubernetes does. */
export interface Part {
  readonly name: string;

  /** Whether it waits most of the time: it then runs next to the others, in a process of its own. Default: false. */
  readonly waits?: boolean;
  readonly run: (options: Options) => Promise<Report>;
}
