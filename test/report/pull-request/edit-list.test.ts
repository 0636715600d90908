import type { DeclarationChange } from '../../../src/diff/declaration-changes';
import { numberEdits } from '../../../src/report/pull-request/edit-list';

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
