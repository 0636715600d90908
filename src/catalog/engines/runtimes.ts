/** The programs that serve models and that we know. `Custom` is any other. */
export const RUNTIMES = [
  'vLLM',
  'SGLang',
  'TensorRTLLM',
  'TGI',
  'LlamaCpp',
  'Ollama',
  'NIM',
  'LMDeploy',
  'Custom',
] as const;

/** A program that serves models. */
export type Runtime = (typeof RUNTIMES)[number];
