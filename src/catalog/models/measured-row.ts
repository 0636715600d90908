/** The speed of a model on a GPU in a layout, as a benchmark measured it. */
export interface MeasuredRow {
  readonly repository: string;

  /** The name of a GPU of the catalog. */
  readonly gpu: string;
  readonly tp: number;
  readonly pp?: number | undefined;
  readonly dp?: number | undefined;
  readonly engine?: string | undefined;

  /** Requests that ran at once. */
  readonly concurrency: number;

  /** Tokens of a prompt and of an answer, on average. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requestsPerSecond: number;
  readonly outputTokensPerSecond: number;
  readonly timeToFirstTokenMs?: number | undefined;
  readonly timePerOutputTokenMs?: number | undefined;

  /** The file, and the tool that wrote it. */
  readonly source: string;
  readonly asOf?: string | undefined;
}
