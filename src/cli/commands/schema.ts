import { join } from 'node:path';
import { buildSchemaFiles } from '../../api/json-schema';
import { makeFolder, writeFileAtomic } from '../../files/write-file';
import { EXIT, type ExitCode } from '../exit-code';
import type { Io } from '../output';

export interface SchemaFlags {
  readonly quiet?: boolean;
  readonly out: string;
}

/** `fleetwright schema`: writes a JSON Schema for each kind, and one for all kinds, for editors. */
export function runSchema(flags: SchemaFlags, io: Io): ExitCode {
  makeFolder(flags.out);
  const files = buildSchemaFiles();
  for (const { name, text } of files) writeFileAtomic(join(flags.out, name), text);
  if (!flags.quiet) io.out(`Wrote ${files.length} schemas to ${flags.out}.\n`);
  return EXIT.ok;
}
