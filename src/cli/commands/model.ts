import { FleetwrightError } from '../../base/errors';
import { suggestName } from '../../base/name-suggestion';
import type { ModelRow } from '../../catalog/models/model-row';
import { readTextFileIfExists } from '../../files/read-file';
import { writeFileAtomic } from '../../files/write-file';
import { commandOfAddition } from '../../fleet/models/model-addition';
import { BUILT_IN_MODELS, findNearestModels, searchModels } from '../../fleet/models/model-book';
import { readModels } from '../../fleet/models/read-models';
import { extendDataFile } from '../../manifest/extend-data-file';
import { formatDocuments } from '../../manifest/format-yaml';
import { formatModels } from '../../report/fit/model-table';
import { commandError, meantHint } from '../command-error';
import { EXIT, type ExitCode } from '../exit-code';
import { readModelFolder } from '../model-config';
import { formatBlocks, formatJsonDocument, type Io, type OutputFlags } from '../output';
import { readFleet } from '../read-inputs';

export interface ModelFlags extends OutputFlags {
  readonly fleet?: string;
  readonly yaml?: boolean;
}

/** `fleetwright model [QUERY]`: prints the models that sizing knows. */
export function runModel(query: string, flags: ModelFlags, io: Io): ExitCode {
  const book = (flags.fleet === undefined ? undefined : readFleet(flags.fleet, {}, io).fleet.models) ?? BUILT_IN_MODELS;
  const rows = searchModels(query, book);
  if (rows.length === 0) {
    const hint = meantHint(
      suggestName(query, findNearestModels(query, book)),
      nearestHint(findNearestModels(query, book)),
    );
    throw commandError('unknown-model', 'model', `no model matches '${query}'`, hint);
  }
  const exact = rows.find(({ repository }) => repository === query);
  io.out(formatRows(flags.yaml && exact ? [exact] : rows, flags, io));
  return EXIT.ok;
}

function nearestHint(names: readonly string[]): string {
  return `The nearest are ${names.map((name) => `'${name}'`).join(', ')}; to add another, run ${commandOfAddition()}`;
}

function formatRows(rows: readonly ModelRow[], flags: ModelFlags, io: Io): string {
  if (flags.json) return formatJsonDocument('Models', { models: rows });
  if (flags.yaml) {
    const named = rows.map(({ repository, ...row }) => ({ repository, ...row }));
    return formatDocuments([{ models: named }], 'Written by fleetwright model.');
  }
  return formatBlocks(formatModels(rows), { flags, io });
}

export interface AddModelFlags extends OutputFlags {
  readonly out: string;
  readonly name?: string;
  readonly quiet?: boolean;
}

/** `fleetwright model add PATH`: writes the row of a folder with a `config.json` into a model catalog. */
export function runAddModel(path: string, { out, name, quiet }: AddModelFlags, io: Io): ExitCode {
  const row = readModelFolder(path, name);
  const text = readTextFileIfExists(out);
  if (text !== undefined) requireSound(out, text);
  const rows = { field: 'models', rows: [row], key: 'repository' };
  const extended = extendDataFile(text, rows, 'Models: set spec.models of the Fleet to this file.');
  requireSound(out, extended);
  writeFileAtomic(out, extended);
  if (!quiet) io.out(`wrote ${row.repository} to ${out}\n`);
  return EXIT.ok;
}

/** @throws FleetwrightError when a file is no model catalog: it is left as it is */
function requireSound(path: string, text: string): void {
  const { problems } = readModels({ path, text });
  if (problems.length > 0) throw new FleetwrightError(problems);
}
