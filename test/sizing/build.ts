import type { MeasuredRow } from '../../src/catalog/models/measured-row';

/** A measurement of eight requests at once on two GPUs of H200. */
export function aMeasuredRow(more: Partial<MeasuredRow> = {}): MeasuredRow {
  return {
    repository: 'Qwen/Qwen3-32B',
    gpu: 'h200',
    tp: 2,
    concurrency: 8,
    inputTokens: 1000,
    outputTokens: 200,
    requestsPerSecond: 2,
    outputTokensPerSecond: 400,
    source: 'eight.json',
    ...more,
  };
}
