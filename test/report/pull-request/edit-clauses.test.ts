import { listEditClauses } from '../../../src/report/pull-request/edit-clauses';

interface Edit {
  readonly before?: number;
  readonly after?: number;
  readonly want: string;
}

const edits: Record<string, Edit> = {
  'a higher one': { before: 1, after: 2, want: 'raises minAvailable of `ml/q` from 1 to 2' },
  'a lower one': { before: 2, after: 1, want: 'lowers minAvailable of `ml/q` from 2 to 1' },
  'a new one': { after: 1, want: 'sets minAvailable of `ml/q` to 1' },
  'one that is gone': { before: 1, want: 'removes minAvailable of `ml/q`' },
};

test.each(Object.entries(edits))('how many replicas have to be available: %s', (_, { want, ...values }) => {
  const field = { path: ['spec', 'minAvailable'], field: 'spec.minAvailable', where: 'a.yaml:1:1', ...values };
  const change = { id: 'ModelDeployment ml/q', action: 'changed', where: 'a.yaml:1:1', fields: [field] } as const;
  expect(listEditClauses({ declarations: [change] })).toEqual([want]);
});

test('a strategy that changes says it all: the surge changes with it', () => {
  const fields = [
    { path: ['spec', 'rollout', 'surge'], field: 'spec.rollout.surge', where: 'a.yaml:1:1', before: 1, after: 0 },
    { path: [], field: 'spec.rollout.strategy', where: 'a.yaml:1:1', before: 'Rolling', after: 'Recreate' },
  ];
  const change = { id: 'ModelDeployment ml/q', action: 'changed', where: 'a.yaml:1:1', fields } as const;
  expect(listEditClauses({ declarations: [change] })).toEqual([
    'rollouts of `ml/q` stop all old pods first from now on, whose downtime the gate no longer refuses',
  ]);
});

test('the same edit of three or more declarations is one clause', () => {
  const field = { path: [], field: 'spec.minAvailable', where: 'a.yaml:1:1', after: 2 };
  const declarations = ['a', 'b', 'c'].map((name) => {
    return { id: `ModelDeployment ml/${name}`, action: 'changed', where: 'a.yaml:1:1', fields: [field] } as const;
  });
  expect(listEditClauses({ declarations })).toEqual(['sets minAvailable of 3 deployments to 2']);
  expect(listEditClauses({ declarations: declarations.slice(1) })).toEqual([
    'sets minAvailable of `ml/b` to 2',
    'sets minAvailable of `ml/c` to 2',
  ]);
});
