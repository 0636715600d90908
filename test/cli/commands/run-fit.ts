import type { FitDocument } from '../../../src/cli/json-documents';
import type { Workspace } from '../cli';

/** Settings of a fleet that names a model catalog. */
export const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: main }
spec: { models: ./data/models.yaml }
`;

/** What `fit --json` prints. */
export function runFit(work: Workspace, args: string): FitDocument {
  const { code, out, err } = work.run(`fit ${args} --json`);
  if (code !== 0) throw new Error(out + err);
  return JSON.parse(out) as FitDocument;
}
