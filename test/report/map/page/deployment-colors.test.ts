import { groupBy } from '../../../../src/base/order';
import { colorsOf } from '../../../../src/report/map/page/deployment-colors';

test('a deployment looks the same in every map, as its name says', () => {
  expect(['ml/qwen3-8b', 'ml/llama-70b', 'search/embeddings'].map(colorsOf)).toEqual([
    { hue: 135, tone: 0, pattern: 2 },
    { hue: 285, tone: 0, pattern: 1 },
    { hue: 120, tone: 1, pattern: 0 },
  ]);
});

test('names that differ at their end only look as different as others', () => {
  const looks = Array.from({ length: 1000 }, (_, i) => JSON.stringify(colorsOf(`team-1/model-${i}`)));
  const counts = groupBy(looks, (look) => look);
  expect(counts.size).toBe(24 * 2 * 3);
  expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThan(20);
});
