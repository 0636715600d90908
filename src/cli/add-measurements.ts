import { basename } from 'node:path';
import { createGpuHardware } from '../analyze/fit/catalogue-hardware';
import { FleetwrightError } from '../base/errors';
import { pluralize } from '../base/text';
import type { MeasuredRow } from '../catalog/models/measured-row';
import type { ModelRow } from '../catalog/models/model-row';
import { readTextFile } from '../files/read-file';
import { writeFileAtomic } from '../files/write-file';
import { findModel, type ModelBook } from '../fleet/models/model-book';
import { readModels } from '../fleet/models/read-models';
import { extendDataFile } from '../manifest/extend-data-file';
import { parseBenchmarkText, readBenchmarkFile } from '../sizing/benchmark-results';
import type { ServingOptions } from '../sizing/serving-options';
import { commandError } from './command-error';
import type { FitFlags } from './commands/fit-flags';
import { parseLayoutFlags } from './commands/layout-flags';
import type { DecidedFleet } from './decide-fleet';
import type { Io } from './output';

interface Run {
  readonly model: ModelRow;
  readonly options: ServingOptions;
  readonly decided: DecidedFleet | undefined;
  readonly flags: FitFlags;
}

/**
 * Adds the results in the files of `--measured` to the model catalog of the fleet. Rows that it has already are not
 * added again.
 *
 * @returns the new rows
 */
export function addMeasurements(run: Run, io: Io): readonly MeasuredRow[] {
  const { model, options, decided, flags } = run;
  const { measured = [], engine } = flags;
  if (measured.length === 0) return [];
  const { path, text, book } = requireFile(decided);
  const layout = requireLayout(run);
  const rows = measured.flatMap((file) =>
    readResults(file, model, book).map(
      (result): MeasuredRow => ({
        repository: model.repository,
        ...layout,
        ...(engine !== undefined && { engine: `${options.engine.name}@${options.engine.version.join('.')}` }),
        ...result,
      }),
    ),
  );
  const known = new Set(book.measurements.map(identityOf));
  const added = rows.filter((row) => !known.has(identityOf(row)));
  if (added.length > 0) {
    const extended = extendDataFile(text, { field: 'measurements', rows: added }, 'Models and measurements.');
    const { problems } = readModels({ path, text: extended });
    if (problems.length > 0) throw new FleetwrightError(problems);
    writeFileAtomic(path, extended);
  }
  if (!flags.json) io.err(`added ${pluralize(added.length, 'measurement')} to ${path}\n`);
  return added;
}

function identityOf({ repository, gpu, tp, pp = 1, dp = 1, concurrency, source }: MeasuredRow): string {
  return JSON.stringify([repository, gpu, tp, pp, dp, concurrency, source]);
}

function requireFile(decided: DecidedFleet | undefined): { path: string; text: string; book: ModelBook } {
  const models = decided?.fleet.models;
  const file = decided?.named.models;
  if (models && file) return { ...file, book: models };
  const what = 'there is no model catalog to add the results to';
  const hint = "Use the directory of a fleet whose Fleet has 'models: ./models.yaml' in its spec";
  throw commandError('no-file', '--measured', what, hint);
}

/** Files of results state neither the GPU nor the layout. */
function requireLayout({ model, flags, decided }: Run): Pick<MeasuredRow, 'gpu' | 'tp' | 'pp' | 'dp'> {
  const layout = parseLayoutFlags(flags, model);
  if (flags.gpu === undefined || flags.tp === undefined || !layout || !decided) {
    const what = 'the files lack the GPU and the tensor parallel size';
    throw commandError('bad-flag', '--measured', what, "Add them: '--gpu h200 --tp 2'");
  }
  const found = createGpuHardware(flags.gpu, undefined, decided.fleet.hardware.catalogue);
  const { tp, pp, dp } = layout;
  return { gpu: found?.gpu.name ?? flags.gpu, tp, ...(pp > 1 && { pp }), ...(dp > 1 && { dp }) };
}

function readResults(
  path: string,
  model: ModelRow,
  book: ModelBook,
): Omit<MeasuredRow, 'repository' | 'gpu' | 'tp' | 'pp' | 'dp'>[] {
  const file = readBenchmarkFile(parseBenchmarkText(readTextFile(path)));
  if (!file || file.results.length === 0) {
    const what = 'it has no benchmark result';
    const hint = "Use a JSON file from 'vllm bench serve --save-result', GuideLLM or AIPerf";
    throw commandError('unknown-measurement', path, what, hint);
  }
  const measured = file.model === undefined ? undefined : findModel(file.model, book);
  if (measured && measured.repository !== model.repository) {
    const what = `it measures '${measured.repository}', not '${model.repository}'`;
    throw commandError('unknown-measurement', path, what, 'Use that model, or another file');
  }
  return file.results.map((result) => ({ ...result, source: `${basename(path)}, ${file.tool}` }));
}
