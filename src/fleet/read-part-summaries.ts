import { partSummaryFile } from '../api/part-summary-file';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { compareText } from '../base/order';
import { readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source-file';
import type { Fleet } from './fleet';
import type { PartSummary } from './part-summary';

/** The summaries of the other parts of a split fleet, and what is wrong with their files. */
export interface PartSummaryReading {
  readonly parts: readonly PartSummary[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads the summaries of the other parts of a split fleet, sorted by part. The summary of this part, which is named as
 * its Fleet, is skipped: the files of all parts can lie in one folder.
 */
export function readPartSummaries(files: readonly SourceFile[], fleet: Fleet): PartSummaryReading {
  const problems: Diagnostic[] = [];
  const found = new Map<string, PartSummary>();
  const places = new Map(fleet.clusters.map(({ metadata }) => [metadata.name, 'this part']));
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    const read = readDataFile(file, partSummaryFile);
    if ('problems' in read) {
      problems.push(...read.problems);
      continue;
    }
    const { kind: _, version: __, ...summary } = read.value;
    if (summary.part === fleet.settings?.metadata.name) continue;
    problems.push(...findFaults(summary, { read, places, fleet, isKnown: found.has(summary.part) }));
    for (const cluster of summary.clusters) places.set(cluster, `part '${summary.part}'`);
    found.set(summary.part, summary);
  }
  return { parts: [...found.values()].sort((a, b) => compareText(a.part, b.part)), problems };
}

interface KnownParts {
  readonly read: { readonly place: (path: readonly (string | number)[]) => string };

  /** Where each cluster is, as messages say it. */
  readonly places: ReadonlyMap<string, string>;
  readonly fleet: Fleet;

  /** Whether another file has a summary of this part. */
  readonly isKnown: boolean;
}

function findFaults(summary: PartSummary, { read, places, fleet, isKnown }: KnownParts): Diagnostic[] {
  const { currency } = fleet.hardware.prices;
  if (isKnown) {
    const hint = 'Remove one of the two files';
    return [errorAt('duplicate-part', read.place(['part']), `part '${summary.part}' has two summaries`, hint)];
  }
  const shared = summary.clusters.flatMap((name, i): Diagnostic[] => {
    const place = places.get(name);
    if (place === undefined) return [];
    const what = `cluster '${name}' is in ${place} too`;
    return [errorAt('cluster-in-two-parts', read.place(['clusters', i]), what, 'Declare a cluster in one part only')];
  });
  if (summary.currency === currency) return shared;
  const what = `the costs of part '${summary.part}' are in ${summary.currency}, and those of this part in ${currency}`;
  return [...shared, errorAt('part-currency', read.place(['currency']), what, 'Use one currency in all parts')];
}
