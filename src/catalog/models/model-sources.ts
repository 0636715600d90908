/** Shapes as the `config.json` of the repository states them; parameters computed from the shape. */
export const AICONFIGURATOR = {
  source: 'ai-dynamo/aiconfigurator at 095f58a (Apache-2.0), model_configs; parameters computed from the shape',
  asOf: '2026-11-22',
} as const;

export const LITGPT = {
  source: 'PyPI litgpt 0.5.13, config.py; parameters computed from the shape',
  asOf: '2026-11-22',
} as const;

/**
 * Where litgpt has other positions than `config.json`: more of them need YaRN.
 *
 * @param where what the present positions are known from
 */
export function litgptWithPositionsOf(where: string) {
  return { source: `${LITGPT.source}; positions of config.json (${where})`, asOf: '2026-11-29' } as const;
}

export const KAITO = {
  source: 'kaito-project/kaito at 056b828, model_catalog.yaml: shape and bytes of the safetensors files',
  asOf: '2026-11-22',
} as const;

/** The shape of the base model, and the weights that vLLM logged. */
export const RUNS = {
  source: 'vLLM logs of public performance runs, and config.json of the base model',
  asOf: '2026-11-22',
} as const;

/** The shape of the base model. */
export const BENCHMARKS = {
  source: 'SemiAnalysisAI/InferenceX at 843c6254 (Apache-2.0), and config.json of the base model',
  asOf: '2026-11-22',
} as const;

/** The shape of the base model, and the context and quantization that its cards state. */
export const CARDS = {
  source: 'model cards on huggingface.co, recipes of vLLM, and config.json of the base model',
  asOf: '2026-11-30',
} as const;
