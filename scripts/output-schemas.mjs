// Writes the JSON Schemas of what the command line prints and writes for machines, from the types of the values.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  SchemaGenerator,
} from 'ts-json-schema-generator';

const require = createRequire(import.meta.url);
const { formatSchema } = require('../src/api/json-schema.ts');
const { OUTPUT_DOCUMENTS } = require('./output-documents.ts');

const CONFIG = {
  tsconfig: 'tsconfig.json',
  // Readers of one version of a document may meet fields that were added to it.
  additionalProperties: true,
  skipTypeCheck: true,
  topRef: false,
  sortProps: true,
};

// One program for all, because each takes seconds to read.
const paths = new Set(Object.values(OUTPUT_DOCUMENTS).map(({ path }) => path));
const program = createProgram({ ...DEFAULT_CONFIG, ...CONFIG, path: `{${[...paths].join(',')}}` });

/** The document with most definitions. Others refer to them there. */
const SHARED = 'plan';

/** The names of what it defines. It is the first. */
const shared = new Set();

for (const [name, { path, type }] of Object.entries(OUTPUT_DOCUMENTS)) {
  const config = { ...DEFAULT_CONFIG, ...CONFIG, path, type };
  const generator = new SchemaGenerator(program, createParser(program, config), createFormatter(config), config);
  const { definitions = {}, ...schema } = generator.createSchema(type);
  if (name === SHARED) for (const one of Object.keys(definitions)) shared.add(plainName(one));
  const isShared = (one) => name !== SHARED && shared.has(one);
  const own = Object.entries(definitions).filter(([one]) => !isShared(plainName(one)));
  const whole = own.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(own) };
  writeFileSync(`schema/${name}.json`, `${formatSchema(withDefs(whole, isShared))}\n`);
}

/** Definitions are in the same place in all schemas of the package. */
function withDefs(value, isShared) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withDefs(inner, isShared));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isReference = key === '$ref' && typeof inner === 'string';
      return [plainName(key), isReference ? referenceTo(inner, isShared) : withDefs(inner, isShared)];
    }),
  );
}

function referenceTo(definition, isShared) {
  const name = plainName(decodeURIComponent(definition.replace('#/definitions/', '')));
  return `${isShared(name) ? `${SHARED}.json` : ''}#/$defs/${name}`;
}

/** `CostChange<"namespace">` is named `CostChangeNamespace`. */
function plainName(name) {
  if (!name.includes('<')) return name;
  const words = name.match(/\w+/g).filter((word) => word !== 'never');
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}
