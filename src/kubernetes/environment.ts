/** The variables of the process, or those of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What depends on variables of the process. */
export interface InEnvironment {
  readonly env: Environment;
}
