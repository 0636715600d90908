import { modelCatalogueFile, modelRow } from '../../api/model-catalogue-file';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
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
  for (const [index, { repository }] of measurements.entries()) {
    if (models.has(repository)) continue;
    const near = suggestName(repository, [...models.keys()]);
    const what = `no row of the model catalogue is '${repository}', which is measured`;
    const hint = near ? `Use '${near}'` : "Add its row: 'fleetwright model add PATH'";
    findings.push(errorAt('unknown-model', ['measurements', index, 'repository'], what, hint));
  }
  return { models: { models, measurements }, problems: locateFindings(findings, place) };
}
