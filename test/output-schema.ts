import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';

const read = (name: string): object => JSON.parse(readFileSync(`schema/${name}.json`, 'utf8')) as object;

/** Compiles the schema of a document for machines, by its name, with the one to which others refer. */
export function compileOutputSchema(name: string): ValidateFunction {
  const ajv = new Ajv({ allowUnionTypes: true });
  if (name !== 'plan') ajv.addSchema(read('plan'), 'plan.json');
  return ajv.compile(read(name));
}
