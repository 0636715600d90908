import type { FitDocument } from '../../../src/cli/json-documents';
import type { Workspace } from '../cli';

/** Settings of a fleet that names a model catalog. */
export const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: { name: main }
spec: { models: ./data/models.yaml }
`;

/** What a benchmark of vLLM wrote. */
export const MEASURED = {
  model_id: 'Qwen/Qwen3-8B',
  max_concurrency: 8,
  completed: 10,
  total_input_tokens: 10_000,
  total_output_tokens: 2000,
  request_throughput: 2,
  output_throughput: 400,
};

/** What `fit --json` prints. */
export function runFit(work: Workspace, args: string): FitDocument {
  const { code, out, err } = work.run(`fit ${args} --json`);
  if (code !== 0) throw new Error(out + err);
  return JSON.parse(out) as FitDocument;
}
