// Writes the JSON Schemas of what the command line prints and writes for machines, from the types of the values.
import { writeFileSync } from 'node:fs';
import { createGenerator } from 'ts-json-schema-generator';

const DOCUMENTS = {
  plan: { path: 'src/cli/json-documents.ts', type: 'PlanDocument' },
  'what-if': { path: 'src/cli/json-documents.ts', type: 'WhatIfDocument' },
  survival: { path: 'src/cli/json-documents.ts', type: 'SurvivalDocument' },
  routing: { path: 'src/routing/routing-document.ts', type: 'RoutingDocument' },
  smoke: { path: 'src/cli/json-documents.ts', type: 'SmokeDocument' },
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
  const schema = createGenerator(options).createSchema(document.type);
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}
