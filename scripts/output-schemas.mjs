// Writes the JSON Schemas of what the command line prints and writes for machines, from the types of the values.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createGenerator } from 'ts-json-schema-generator';

const { formatSchema } = createRequire(import.meta.url)('../src/api/json-schema.ts');

const DOCUMENTS = {
  plan: { path: 'src/cli/json-documents.ts', type: 'PlanDocument' },
  'what-if': { path: 'src/cli/json-documents.ts', type: 'WhatIfDocument' },
  survival: { path: 'src/cli/json-documents.ts', type: 'SurvivalDocument' },
  fit: { path: 'src/cli/json-documents.ts', type: 'FitDocument' },
  routing: { path: 'src/routing/routing-document.ts', type: 'RoutingDocument' },
  smoke: { path: 'src/cli/json-documents.ts', type: 'SmokeDocument' },
  'endpoint-models': { path: 'src/cli/json-documents.ts', type: 'EndpointModelsDocument' },
  status: { path: 'src/cli/json-documents.ts', type: 'StatusDocument' },
  draft: { path: 'src/cli/json-documents.ts', type: 'DraftDocument' },
  doctor: { path: 'src/cli/json-documents.ts', type: 'DoctorDocument' },
};

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const options = {
    ...document,
    tsconfig: 'tsconfig.json',
    // Readers of one version of a document may meet fields that were added to it.
    additionalProperties: true,
    skipTypeCheck: true,
    topRef: false,
    sortProps: true,
  };
  const { definitions, ...schema } = createGenerator(options).createSchema(document.type);
  const whole = definitions === undefined ? schema : { ...schema, $defs: definitions };
  writeFileSync(`schema/${name}.json`, `${formatSchema(withDefs(whole))}\n`);
}

/** Definitions are in the same place in all schemas of the package. */
function withDefs(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDefs);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isReference = key === '$ref' && typeof inner === 'string';
      return [plainName(key), isReference ? referenceTo(inner) : withDefs(inner)];
    }),
  );
}

function referenceTo(definition) {
  return `#/$defs/${plainName(decodeURIComponent(definition.replace('#/definitions/', '')))}`;
}

/** `CostChange<"namespace">` is named `CostChangeNamespace`. */
function plainName(name) {
  if (!name.includes('<')) return name;
  const words = name.match(/\w+/g).filter((word) => word !== 'never');
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
}
