/** A document for machines that has a JSON Schema: the type that it is made from, and what prints or writes it. */
export interface OutputDocument {
  readonly path: string;
  readonly type: string;
  readonly from: string;
}

const PRINTED = 'src/cli/json-documents.ts';

/** By the name of the schema. */
export const OUTPUT_DOCUMENTS: Readonly<Record<string, OutputDocument>> = {
  plan: { path: PRINTED, type: 'PlanDocument', from: '`fleetwright plan --json`' },
  'what-if': { path: PRINTED, type: 'WhatIfDocument', from: '`fleetwright what-if --json`' },
  survival: { path: PRINTED, type: 'SurvivalDocument', from: '`fleetwright survive --json`' },
  fit: { path: PRINTED, type: 'FitDocument', from: '`fleetwright fit --json`' },
  doctor: { path: PRINTED, type: 'DoctorDocument', from: '`fleetwright doctor --json`' },
  draft: { path: PRINTED, type: 'DraftDocument', from: '`fleetwright doctor --write --json`' },
  status: { path: PRINTED, type: 'StatusDocument', from: '`fleetwright status --json`' },
  smoke: { path: PRINTED, type: 'SmokeDocument', from: '`fleetwright smoke --json`' },
  'endpoint-models': {
    path: PRINTED,
    type: 'EndpointModelsDocument',
    from: '`fleetwright smoke --models --json`',
  },
  routing: {
    path: 'src/routing/routing-document.ts',
    type: 'RoutingDocument',
    from: '`routing.json`, which `fleetwright synth` writes',
  },
};
