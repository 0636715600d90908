import { modelCatalogueFile, modelRow } from '../../api/model-catalogue-file';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import type { Diagnostic } from '../../base/diagnostic';
import { locateFindings, readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';
import { definedFieldsOf, prefixPath } from '../hardware/catalogue-overrides';
import { BUILT_IN_MODELS, type ModelBook } from './model-book';

interface ModelReading {
  readonly models: ModelBook;
  readonly problems: readonly Diagnostic[];
}

/** Reads a model catalogue. Its rows extend the built-in models or override built-in rows of the same repository. */
export function readModels(file: SourceFile): ModelReading {
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
  return { models: { models, measurements }, problems: locateFindings(findings, place) };
}
