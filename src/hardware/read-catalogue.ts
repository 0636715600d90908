import type { z } from 'zod';
import { catalogueFile, gpu, instanceType, type Macro, macro } from '../api/catalogue-file';
import { validate } from '../api/reading/validate';
import type { Finding } from '../api/resource';
import type { Problem } from '../errors';
import { located, readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source';
import { nearest } from '../nearest';
import { type Catalogue, instanceTypesOf, nameMeant, OUR_CATALOGUE } from './catalogue';
import { cloudOf } from './clouds';
import { below, stated } from './merged';

/** A catalogue, and what is wrong with the file that it was read from. */
export interface CatalogueReading {
  readonly catalogue: Catalogue;
  readonly problems: readonly Problem[];
}

/** Our catalogue with the rows of a user's file, which extend it or correct rows of the same name. */
export function readCatalogue(file: SourceFile): CatalogueReading {
  const read = readDataFile(file, catalogueFile);
  if ('problems' in read) return { catalogue: OUR_CATALOGUE, problems: read.problems };
  const { value, place } = read;
  const gpus = merged('gpus', value.gpus, OUR_CATALOGUE.gpus, gpu);
  const instanceTypes = merged(
    'instanceTypes',
    value.instanceTypes,
    OUR_CATALOGUE.instanceTypes,
    instanceType,
  );
  const macros = merged('macros', value.macros, OUR_CATALOGUE.macros, macro);
  const catalogue = { gpus: gpus.rows, instanceTypes: instanceTypes.rows, macros: macros.rows };
  const findings = [...gpus.findings, ...instanceTypes.findings, ...macros.findings];
  const broken = findings.length > 0 ? findings : [...brokenReferences(value, catalogue)];
  return { catalogue, problems: located(broken, place) };
}

interface Named {
  readonly name: string;
}

/** Known rows with those of a file: by name, field by field. */
function merged<T extends Named>(
  section: string,
  own: readonly Named[],
  known: ReadonlyMap<string, T>,
  schema: z.ZodType<T>,
): { rows: ReadonlyMap<string, T>; findings: readonly Finding[] } {
  const rows = new Map(known);
  const findings: Finding[] = [];
  for (const [index, row] of own.entries()) {
    const { secondHand: _, ...base } = { secondHand: [], ...known.get(row.name) };
    const checked = validate(schema, { ...base, ...stated(row) });
    if ('value' in checked) rows.set(row.name, checked.value);
    else findings.push(...checked.findings.map(below(section, index)));
  }
  return { rows, findings };
}

interface Rows {
  readonly instanceTypes: readonly Named[];
  readonly macros: readonly Named[];
}

function* brokenReferences({ instanceTypes, macros }: Rows, catalogue: Catalogue): Generator<Finding> {
  for (const [index, { name }] of instanceTypes.entries()) {
    const gpuName = catalogue.instanceTypes.get(name)?.gpu ?? '';
    if (catalogue.gpus.has(gpuName)) continue;
    const meant = nearest(gpuName, catalogue.gpus.keys());
    yield {
      code: 'unknown-reference',
      path: ['instanceTypes', index, 'gpu'],
      what: `the catalogue has no GPU '${gpuName}'`,
      hint: meant ? `Use '${meant}'` : 'Add it under gpus',
    };
  }
  for (const [index, { name }] of macros.entries()) {
    const row = catalogue.macros.get(name);
    if (row) yield* [...brokenMacro(row, catalogue)].map(below('macros', index));
  }
}

function* brokenMacro({ aliases, name }: Macro, catalogue: Catalogue): Generator<Finding> {
  for (const [index, alias] of aliases.entries()) {
    if (catalogue.instanceTypes.has(alias)) continue;
    const meant = nameMeant(alias, catalogue);
    yield {
      code: 'unknown-instance-type',
      path: ['aliases', index],
      what: `the catalogue has no instance type '${alias}'`,
      hint: meant ? `Use '${meant}'` : 'Add it under instanceTypes',
    };
  }
  const types = instanceTypesOf(name, catalogue);
  const kinds = new Set(types.map((type) => `${type.gpus} ${type.gpu}`));
  if (kinds.size > 1) {
    const what = `its aliases have different GPUs: ${[...kinds].join(', ')}`;
    yield { code: 'contradiction', path: ['aliases'], what, hint: 'Give each kind a macro of its own' };
  }
  const clouds = types.flatMap((type) => cloudOf(type)?.provider ?? []);
  const twice = clouds.find((cloud, index) => clouds.indexOf(cloud) !== index);
  if (twice) {
    const what = `it has two aliases on ${twice}`;
    yield { code: 'contradiction', path: ['aliases'], what, hint: 'Keep one a cloud' };
  }
}
