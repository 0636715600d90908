/** The names of engines in `--engine` and in measurements: those with figures of their own, and others. */
export const SIZED_ENGINES: readonly string[] = [
  'vllm',
  'sglang',
  'tensorrt-llm',
  'trt',
  'tgi',
  'lmdeploy',
  'llama.cpp',
  'atom',
];
