/** What engines measure. Engines name the same measures differently. */
export const MEASURES = [
  'waiting',
  'running',
  'kvUse',
  'ttft',
  'interTokenLatency',
  'endToEndLatency',
  'requests',
  'errors',
  'tokensIn',
  'tokensOut',
] as const;

export type Measure = (typeof MEASURES)[number];

/** The name that an engine uses for a measure. Gauges and counters are whole names, histograms lack `_bucket`. */
export interface EngineMetric {
  readonly name: string;

  /** Matchers of labels in PromQL that select the measure: `finished_reason="error"`. */
  readonly matchers?: string;

  /** The bounds of the buckets of a histogram, in seconds. Absent: they are unknown or no round numbers. */
  readonly buckets?: readonly number[];
}

/** The metrics of an engine. A measure without a name is one that the engine does not have. */
export interface EngineMetrics {
  readonly path: string;

  /** The switches that enable them. */
  readonly switches: readonly string[];

  /** The names, with the file that defines them and the release or commit that was read. */
  readonly names?: Readonly<Partial<Record<Measure, EngineMetric>>>;
  readonly source?: string;
  readonly version?: string;
}
