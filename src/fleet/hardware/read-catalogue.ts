import type { z } from 'zod';
import { catalogueFile, gpuRow, instanceTypeRow, macroRow } from '../../api/catalogue-file';
import type { Path } from '../../api/resource';
import { validateAgainst } from '../../api/schema/validate';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import type { HardwareMacro } from '../../catalog/row-types';
import { locateInFile, readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';
import { definedFieldsOf, prefixPath } from './catalogue-overrides';
import { cloudOf } from './cloud-instance-types';
import { BUILT_IN_CATALOGUE, type Catalogue, resolveInstanceTypes, suggestInstanceType } from './hardware';

/** Reads a catalog file. Its rows extend the built-in catalog or override built-in rows of the same name. */
export function readCatalogue(file: SourceFile): { catalogue: Catalogue; problems: readonly Diagnostic[] } {
  const read = readDataFile(file, catalogueFile);
  if ('problems' in read) return { catalogue: BUILT_IN_CATALOGUE, problems: read.problems };
  const { value, place } = read;
  const known = BUILT_IN_CATALOGUE;
  const gpus = mergeRows('gpus', value.gpus, known.gpus, gpuRow);
  const instanceTypes = mergeRows('instanceTypes', value.instanceTypes, known.instanceTypes, instanceTypeRow);
  const macros = mergeRows('macros', value.macros, known.macros, macroRow);
  const catalogue = { gpus: gpus.rows, instanceTypes: instanceTypes.rows, macros: macros.rows };
  const findings = [...gpus.findings, ...instanceTypes.findings, ...macros.findings];
  const broken = findings.length > 0 ? findings : [...checkReferences(value, catalogue)];
  return { catalogue, problems: locateInFile(broken, place) };
}

interface NamedRow {
  readonly name: string;
}

/** Merges the rows of a file into the known rows by name, field by field. */
function mergeRows<T extends NamedRow>(
  section: string,
  added: readonly NamedRow[],
  known: ReadonlyMap<string, T>,
  schema: z.ZodType<T>,
): { rows: ReadonlyMap<string, T>; findings: readonly Diagnostic<Path>[] } {
  const rows = new Map(known);
  const findings: Diagnostic<Path>[] = [];
  for (const [index, row] of added.entries()) {
    const { secondHand: _, ...base } = { secondHand: [], ...known.get(row.name) };
    const checked = validateAgainst(schema, { ...base, ...definedFieldsOf(row) });
    if ('value' in checked) rows.set(row.name, checked.value);
    else findings.push(...checked.findings.map(prefixPath(section, index)));
  }
  return { rows, findings };
}

interface Rows {
  readonly instanceTypes: readonly NamedRow[];
  readonly macros: readonly NamedRow[];
}

function* checkReferences({ instanceTypes, macros }: Rows, catalogue: Catalogue): Generator<Diagnostic<Path>> {
  for (const [index, { name }] of instanceTypes.entries()) {
    const gpuName = catalogue.instanceTypes.get(name)?.gpu ?? '';
    if (catalogue.gpus.has(gpuName)) continue;
    const meant = suggestName(gpuName, catalogue.gpus.keys());
    const what = `the catalog has no GPU '${gpuName}'`;
    const hint = meant ? `Use '${meant}'` : 'Add it under gpus';
    yield errorAt('unknown-reference', ['instanceTypes', index, 'gpu'], what, hint);
  }
  for (const [index, { name }] of macros.entries()) {
    const row = catalogue.macros.get(name);
    if (row) yield* [...checkMacro(row, catalogue)].map(prefixPath('macros', index));
  }
}

function* checkMacro({ aliases, name }: HardwareMacro, catalogue: Catalogue): Generator<Diagnostic<Path>> {
  for (const [index, alias] of aliases.entries()) {
    if (catalogue.instanceTypes.has(alias)) continue;
    const meant = suggestInstanceType(alias, catalogue);
    const what = `the catalog has no instance type '${alias}'`;
    const hint = meant ? `Use '${meant}'` : 'Add it under instanceTypes';
    yield errorAt('unknown-instance-type', ['aliases', index], what, hint);
  }
  const types = resolveInstanceTypes(name, catalogue);
  const kinds = new Set(types.map((type) => `${type.gpus} ${type.gpu}`));
  if (kinds.size > 1) {
    const what = `the aliases have different GPUs: ${[...kinds].join(', ')}`;
    yield errorAt('contradiction', ['aliases'], what, 'Declare a macro for each GPU');
  }
  const clouds = types.flatMap((type) => cloudOf(type)?.provider ?? []);
  const twice = clouds.find((cloud, index) => clouds.indexOf(cloud) !== index);
  if (twice) {
    const what = `two aliases are on ${twice}`;
    yield errorAt('contradiction', ['aliases'], what, 'Keep one for each cloud');
  }
}
