import { resourceIdOf } from '../../api/kinds';
import { sortedBy } from '../../base/order';
import { hasSecret } from '../../base/redaction';
import { pluralize } from '../../base/text';
import { writeFileAtomic } from '../../files/write-file';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import { commandError } from '../command-error';
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
  refuseSecrets(text, target);
  if (flags.out === undefined) io.outManifests(text);
  else {
    writeFileAtomic(flags.out, text);
    if (!flags.quiet) io.out(`Wrote ${pluralize(documents.length, 'resource')} to ${flags.out}.\n`);
  }
  return EXIT.ok;
}

/** @throws FleetwrightError when the manifests contain a key: to hide it would change them */
function refuseSecrets(text: string, target: string): void {
  if (!hasSecret(text)) return;
  const what = 'the declarations contain what looks like a key in clear text, which the export would show';
  throw commandError(
    'literal-secret',
    target,
    what,
    "Refer to a Secret instead. 'fleetwright validate' lists the fields",
  );
}
