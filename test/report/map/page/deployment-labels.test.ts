import { labelDeployments } from '../../../../src/report/map/page/deployment-labels';

/** The label of each name of a namespace. */
const labels = (...names: string[]): string[] => labelDeployments(names.map((name) => `ml/${name}`));

const SIMILAR = ['llama-70b-chat', 'llama-70b-chat-next', 'llama-70b-batch', 'llama-8b-chat', 'qwen3-coder'];

test.each<[name: string, names: string[], want: string[]]>([
  ['come from the name, and tell similar names apart', SIMILAR, ['l70', 'ln', 'lb', 'l8', 'qc']],
  ['contain all of a number', ['llama-70b', 'llama-7b', 'gpt-oss-120b'], ['l70', 'l7', 'g120']],
  ['are the number of a name that ends in a long one', ['qwen3-8b-team-000', 'qwen3-8b-team-002'], ['000', '002']],
  ['have a letter before a short number', ['chat-v1', 'chat-v2', 'team-12'], ['v1', 'v2', 't12']],
  [
    'of equal numbers begin with what distinguishes them',
    ['chat-000', 'code-001', 'rank-000'],
    ['c000', '001', 'r000'],
  ],
  [
    'of a common number have one letter more, because a device has no room for more',
    ['bge-m3', 'bge-reranker-v2-m3'],
    ['bg3', 'br3'],
  ],
  ['of numbers that are too long have letters only', ['run-20260101', 'run-20260102'], ['ra', 'rb']],
])('labels %s', (_, names, want) => {
  expect(labels(...names)).toEqual(want);
});

test('names that differ only by their namespace have labels that begin with what distinguishes it', () => {
  expect(labelDeployments(['ml/chat', 'search/chat', 'team-1/x', 'team-12/x'])).toEqual(['mc', 'sc', 't1x', 't12x']);
});

test('a label that several deployments would have is the label of none, so that none is taken for another', () => {
  const ids = ['a/llama-8', 'b/llama-8', 'ml/lima-chat', 'ml/llama-8b-chat'];
  expect(labelDeployments(ids)).toEqual(['al8', 'bl8', 'li', 'll']);
});

/** Fleets with names in which numbers stand everywhere. */
const FLEETS = [
  Array.from({ length: 600 }, (_, i) => `ml/qwen3-8b-team-${String(i).padStart(3, '0')}`),
  Array.from({ length: 120 }, (_, i) => `team-${i % 7}/llama-${i % 3}b-chat-${i}`),
  Array.from({ length: 200 }, (_, i) => `t/${['qwen3', 'q3', 'q-30'][i % 3]}-8b-${i}`),
];

test.each(FLEETS.map((ids) => [ids[0]!, ids] as const))(
  'the label of %s and of all like it has no number but the last of its name',
  (_, ids) => {
    const wrong = labelDeployments(ids).flatMap((label, i) => {
      const own = /\d+$/.exec(ids[i]!)?.[0];
      const [shown] = /\d+$/.exec(label) ?? [];
      return shown === own ? [] : [`${ids[i]}: ${label}`];
    });
    expect(wrong).toEqual([]);
  },
);

test('the order of deployments does not decide, and others change no label that only one would have', () => {
  const few = labels(...SIMILAR);
  expect(labels(...SIMILAR.toReversed()).reverse()).toEqual(few);
  expect(labels('a-first', ...SIMILAR, 'z-last').slice(1, -1)).toEqual(few);
});

test('no two of ten thousand deployments have the same label, and none is longer than six characters', () => {
  const numbered = Array.from({ length: 10_000 }, (_, i) => `team-${i % 50}/model-${String(i).padStart(5, '0')}`);
  const alike = Array.from({ length: 5000 }, (_, i) => `ml/${i.toString(36).replaceAll(/\d/g, 'x')}-m${i % 2}x${i}y`);
  for (const ids of [numbered, [...new Set(alike)]]) {
    const all = labelDeployments(ids);
    expect(new Set(all).size).toBe(ids.length);
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(6);
  }
});
