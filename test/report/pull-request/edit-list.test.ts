import type { DeclarationChange } from '../../../src/diff/declaration-changes';
import { nameNumbers, numberEdits } from '../../../src/report/pull-request/edit-list';

const ENGINES = 'spec.template.spec.engines';
const IMAGE = 'template.spec.containers[engine].image';

const rows: Record<string, { fields: string[]; want: string[] }> = {
  'a field without what its declaration and its position say': {
    fields: [`${ENGINES}[vllm].members[0].${IMAGE}`],
    want: ['containers[engine].image: a -> b'],
  },
  'fields of two engines with their engines': {
    fields: [`${ENGINES}[prefill].members[0].${IMAGE}`, `${ENGINES}[decode].members[0].${IMAGE}`],
    want: [
      'engines[prefill].members[0].containers[engine].image: a -> b',
      'engines[decode].members[0].containers[engine].image: a -> b',
    ],
  },
  'fields of two members with their members': {
    fields: [`${ENGINES}[vllm].members[0].nodeSelector.pool`, `${ENGINES}[vllm].members[1].nodeSelector.pool`],
    want: ['engines[vllm].members[0].pool: a -> b', 'engines[vllm].members[1].pool: a -> b'],
  },
  'labels of two places with their whole paths': {
    fields: ['metadata.labels.team', 'spec.template.metadata.labels.team'],
    want: ['metadata.labels.team: a -> b', 'spec.template.metadata.labels.team: a -> b'],
  },
};

test.each(Object.entries(rows))('lists %s', (_, { fields, want }) => {
  const change: DeclarationChange = {
    id: 'ModelDeployment ml/q',
    action: 'changed',
    where: 'a.yaml:1:1',
    fields: fields.map((field, i) => ({ field, path: [field], before: 'a', after: 'b', where: `a.yaml:${i + 2}:1` })),
  };
  const { lines } = numberEdits([change], () => undefined);
  expect(lines).toEqual(
    want.map((text, i) => `${i + 1}. \`ModelDeployment ml/q\` \`${text}\` (\`a.yaml:${i + 2}:1\`)`),
  );
});

test.each([
  ['one edit by its number', [4], 'edit 4'],
  ['two edits in a row by both', [1, 2], 'edits 1 and 2'],
  ['edits apart by each', [1, 3, 5], 'edits 1, 3 and 5'],
  ['three or more in a row by the first and the last', [1, 2, 3, 5, 7, 8, 9, 10], 'edits 1 to 3, 5 and 7 to 10'],
])('names %s', (_, numbers, want) => {
  expect(nameNumbers(numbers)).toBe(want);
});

test.each([
  [
    'of leader and worker',
    [
      ['vllm', 0],
      ['vllm', 1],
    ],
    ', leader and worker',
  ],
  [
    'of two engines',
    [
      ['decode', 0],
      ['prefill', 0],
    ],
    ', engines decode and prefill',
  ],
] as const)('an edit %s that is written once is one edit', (_, places, suffix) => {
  const change: DeclarationChange = {
    id: 'ModelDeployment ml/q',
    action: 'changed',
    where: 'a.yaml:1:1',
    fields: places.map(([engine, member]) => {
      const field = `${ENGINES}[${engine}].members[${member}].${IMAGE}`;
      return { field, path: [field], before: 'a', after: 'b', where: 'a.yaml:9:1' };
    }),
  };
  const { lines, refer } = numberEdits([change], () => undefined);
  expect(lines).toEqual([`1. \`ModelDeployment ml/q\` \`containers[engine].image: a -> b\` (\`a.yaml:9:1\`)${suffix}`]);
  const causes = change.fields.map((field) => ({ id: change.id, action: change.action, field, where: field.where }));
  expect(refer(causes.slice(1))).toBe('   (1)');
});

test('a new fleet names the files of its policies, and how many rules they have', () => {
  const added: DeclarationChange = { id: 'Fleet fleet', action: 'added', where: 'a.yaml:1:1', fields: [] };
  const policies = ['p.yaml:2:5', 'p.yaml:4:5'].map((where) => ({ where }));
  expect(numberEdits([added], () => undefined, policies).lines).toEqual([
    '1. `Fleet fleet` added (`a.yaml:1:1`): policies `p.yaml` (new, 2 rules)',
  ]);
});

test('a position has the edits that are there, or the only one on its line', () => {
  const change: DeclarationChange = {
    id: 'ModelDeployment ml/q',
    action: 'changed',
    where: 'a.yaml:1:1',
    fields: ['a.yaml:2:1', 'a.yaml:3:1', 'a.yaml:3:9'].map((where, i) => {
      return { field: `f${i}`, path: [`f${i}`], before: 'a', after: 'b', where };
    }),
  };
  const { at } = numberEdits([change], () => undefined);
  expect(['a.yaml:3:9', 'a.yaml:2:7', 'a.yaml:3:5', 'b.yaml:2:1'].map(at)).toEqual([[3], [1], [], []]);
});

const raise = (name: string, line: number, after: string): DeclarationChange => ({
  id: `ModelDeployment ml/${name}`,
  action: 'changed',
  where: `a.yaml:${line}:1`,
  fields: [{ field: 'spec.priority', path: ['spec', 'priority'], before: '1', after, where: `a.yaml:${line}:9` }],
});

test('of many edits, those of several declarations that change the same share a number and a line', () => {
  const equal = Array.from({ length: 12 }, (_, i) => raise(`q${i + 10}`, i + 10, '2'));
  const { lines, at, cite } = numberEdits([...equal, raise('odd', 99, '3')], () => undefined);
  expect(lines).toEqual([
    '1. `ModelDeployment ml/odd` `spec.priority: 1 -> 3` (`a.yaml:99:9`)',
    '2. `spec.priority: 1 -> 2` of 12 ModelDeployments: `ml/q10` (`a.yaml:10:9`), `ml/q11` (`a.yaml:11:9`), `ml/q12` (`a.yaml:12:9`), 9 more',
  ]);
  expect([at('a.yaml:21:9'), at('a.yaml:99:9')]).toEqual([[2], [1]]);
  const [last] = equal.at(-1)?.fields ?? [];
  const cause = {
    id: 'ModelDeployment ml/q21',
    action: 'changed' as const,
    where: 'a.yaml:21:9',
    ...(last && { field: last }),
  };
  expect(cite.nameEdits([cause])).toBe('edit 2');
});
