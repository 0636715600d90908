import { startupSecondsForFiles } from '../startup-and-shutdown';

/** The startup budget of an engine that reads files from shared storage, or from the internet. */
export function budgetOf(filesGiB: number, cached: boolean): string {
  return `${startupSecondsForFiles(filesGiB, cached) / 60}m`;
}
