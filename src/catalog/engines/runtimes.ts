/** The known programs that serve models. `Custom` is any other program. */
export const RUNTIMES = [
  'vLLM',
  'SGLang',
  'TensorRTLLM',
  'TGI',
  'LlamaCpp',
  'Ollama',
  'NIM',
  'LMDeploy',
  'Dynamo',
  'Custom',
] as const;

/** A program that serves models. */
export type Runtime = (typeof RUNTIMES)[number];
