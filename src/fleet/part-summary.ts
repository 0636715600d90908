import type { PartSummaryFile } from '../api/part-summary-file';

/** What one part of a split fleet uses, as far as limits of the whole fleet count it. */
export type PartSummary = Omit<PartSummaryFile, 'kind' | 'version'>;
