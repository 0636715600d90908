import { BUILT_IN_MODELS, findSimilarModels } from '../../../src/fleet/models/model-book';

test.each<[string, string, string[]]>([
  ['one that no other has', 'Qwen/Qwen3-Reranker-4B', []],
  ['one that others share', 'Qwen/Qwen3-VL-9B-Instruct', [2, 4, 8].map((b) => `Qwen/Qwen3-VL-${b}B-Instruct`)],
  ['one that is misspelled in the name', 'BAAI/bge-rerankr-v2', ['BAAI/bge-reranker-v2-m3']],
])('similar models differ in no purpose: %s', (_, name, want) => {
  expect(findSimilarModels(name, BUILT_IN_MODELS)).toEqual(want);
});
