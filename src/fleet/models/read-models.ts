import { modelCatalogueFile, modelRow } from '../../api/model-catalogue-file';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { hintAtName } from '../../base/name-suggestion';
import { gpuKeyOf } from '../../catalog/gpu-names';
import type { MeasuredRow } from '../../catalog/models/measured-row';
import { SIZED_ENGINES } from '../../catalog/engine-overheads';
import { locateInFile, readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';
import { definedFieldsOf, prefixPath } from '../hardware/catalogue-overrides';
import { commandOfAddition } from './model-addition';
import { BUILT_IN_MODELS, type ModelBook } from './model-book';

interface ModelReading {
  readonly models: ModelBook;
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads a model catalog. Its rows extend the built-in models or override built-in rows of the same repository.
 *
 * @param gpus the GPUs that a measurement may name. Absent where no fleet is read: its classes can name further GPUs,
 *   so names are not checked
 */
export function readModels(file: SourceFile, gpus?: readonly string[]): ModelReading {
  const read = readDataFile(file, modelCatalogueFile);
  if ('problems' in read) return { models: BUILT_IN_MODELS, problems: read.problems };
  const { value, place } = read;
  const models = new Map(BUILT_IN_MODELS.models);
  const findings: Diagnostic<Path>[] = [];
  for (const [index, row] of value.models.entries()) {
    const { secondHand: _, ...base } = { secondHand: [], ...models.get(row.repository) };
    const checked = validateAgainst(modelRow, { ...base, ...definedFieldsOf(row) });
    if ('value' in checked) models.set(row.repository, checked.value);
    else findings.push(...checked.findings.map(prefixPath('models', index)));
  }
  const { measurements } = value;
  const known = { models: new Set(models.keys()), gpus, gpuKeys: new Set(gpus?.map(gpuKeyOf)) };
  for (const [index, row] of measurements.entries()) {
    findings.push(...[...checkMeasurement(row, known)].map(prefixPath('measurements', index)));
  }
  return { models: { models, measurements }, problems: locateInFile(findings, place) };
}

/** The names that a measurement may have. */
interface Measurable {
  readonly models: ReadonlySet<string>;
  readonly gpus: readonly string[] | undefined;
  readonly gpuKeys: ReadonlySet<string>;
}

/** A measurement of something unknown would count for nothing. */
function* checkMeasurement({ repository, gpu, engine }: MeasuredRow, known: Measurable): Iterable<Diagnostic<Path>> {
  const { models, gpus, gpuKeys } = known;
  if (!models.has(repository)) {
    const what = `no row of the model catalog is '${repository}', which is measured`;
    const hint = hintAtName(repository, [...models], `Add its row: ${commandOfAddition(repository)}`);
    yield errorAt('unknown-model', ['repository'], what, hint);
  }
  if (gpus && !gpuKeys.has(gpuKeyOf(gpu))) {
    yield errorAt('unknown-hardware', ['gpu'], `there is no GPU '${gpu}', which is measured`, hintAtName(gpu, gpus));
  }
  const name = engine?.split('@')[0];
  if (name !== undefined && !SIZED_ENGINES.includes(name)) {
    yield errorAt('bad-value', ['engine'], `there is no engine '${name}'`, hintAtName(name, SIZED_ENGINES));
  }
}
