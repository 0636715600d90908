import { resourceId } from '../api/kinds';
import { writeFileAtomic } from '../files/write-file';
import { canonicalDocument } from '../manifest/canonical';
import { sortedBy } from '../order';
import { plural } from '../plan/format';
import { formatDocuments } from '../render/yaml';
import type { CommonFlags } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { readFleet } from './inputs';
import { type Io, jsonDocument } from './output';

export interface ExportFlags extends CommonFlags {
  /** Default: standard output. */
  readonly out?: string;
}

/** `fleetwright export`: prints what a program or a directory declares as manifests, sorted and without defaults. */
export function exportManifests(target: string, flags: ExportFlags, io: Io): ExitCode {
  const { resources } = readFleet(target, flags, io);
  const documents = sortedBy(resources, resourceId).map(canonicalDocument);
  const text = flags.json
    ? jsonDocument('Export', { resources: documents })
    : formatDocuments(documents, 'Written by fleetwright export.');
  if (flags.out === undefined) io.out(text);
  else {
    writeFileAtomic(flags.out, text);
    if (!flags.quiet) io.out(`Wrote ${plural(documents.length, 'resource')} to ${flags.out}.\n`);
  }
  return EXIT.ok;
}
