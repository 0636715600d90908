import type { Site } from './site';

/** One thing that was measured. */
export interface Row {
  readonly what: string;

  /** What has to come out, in words. */
  readonly wanted: string;

  /** What came out. */
  readonly measured: string;
  readonly holds: boolean;
}

/** Something that happens to a fleet under traffic. */
export interface Scenario<S = Site> {
  readonly name: string;

  /** `Beside`: runs beside those that disturb nothing. `Disturbs`: runs after them. Default: disturbs nothing. */
  readonly when?: 'Beside' | 'Disturbs';
  readonly run: (site: S) => Promise<readonly Row[]>;
}
