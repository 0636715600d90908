/** Something about a selector that the known hardware tells. */
export interface Remark {
  /** A stable, kebab-case name of the kind of remark. */
  readonly code: string;

  /** Error: it can never work. Warning: it works by luck, if at all. */
  readonly severity: 'error' | 'warning';

  /** The part of the selector that it is about: offsets of its first character, and behind its last. */
  readonly start: number;
  readonly end: number;

  /** What is wrong, as a clause. */
  readonly what: string;

  /** What to do, as a clause. */
  readonly hint: string;
}
