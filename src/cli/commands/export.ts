import { resourceIdOf } from '../../api/kinds';
import { sortedBy } from '../../base/order';
import { pluralize } from '../../base/text';
import { writeFileAtomic } from '../../files/write-file';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import type { CommonFlags } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import { formatJsonDocument, type Io } from '../output';
import { readFleet } from '../read-inputs';

export interface ExportFlags extends CommonFlags {
  /** The output file. Default: standard output. */
  readonly out?: string;
}

/** `fleetwright export`: prints what a program or a directory declares as manifests, sorted and without defaults. */
export function runExport(target: string, flags: ExportFlags, io: Io): ExitCode {
  const { resources } = readFleet(target, flags, io);
  const documents = sortedBy(resources, resourceIdOf).map(toCanonicalDocument);
  const text = flags.json
    ? formatJsonDocument('Export', { resources: documents })
    : formatDocuments(documents, 'Written by fleetwright export.');
  if (flags.out === undefined) io.out(text);
  else {
    writeFileAtomic(flags.out, text);
    if (!flags.quiet) io.out(`Wrote ${pluralize(documents.length, 'resource')} to ${flags.out}.\n`);
  }
  return EXIT.ok;
}
