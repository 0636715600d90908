import { labelDeployments } from '../../../../src/report/map/page/deployment-labels';

test('labels are short, tell similar names apart, and come from the name', () => {
  const ids = ['ml/chat', 'ml/chat-next', 'ml/llama-70b', 'ml/llama-8b', 'ml/qwen3-coder', 'search/chat'];
  expect(labelDeployments(ids)).toEqual(['ch', 'cn', 'l7', 'l8', 'qc', 'c']);
});

test('no two of ten thousand deployments have the same label, and none is longer than six characters', () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `team-${i % 50}/model-${String(i).padStart(5, '0')}`);
  const labels = labelDeployments(ids);
  expect(new Set(labels).size).toBe(ids.length);
  expect(Math.max(...labels.map(({ length }) => length))).toBeLessThanOrEqual(6);
});

test('names that differ in nothing but their namespace have labels of their own', () => {
  const labels = labelDeployments(Array.from({ length: 30 }, (_, i) => `team-${i}/x`));
  expect(new Set(labels).size).toBe(30);
});
