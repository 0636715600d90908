import type { Resource } from '../../../src/api/kinds';
import { findChangeWarnings } from '../../../src/diff/change-warnings';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel } from '../../routing/build';

const base = [
  aClass('h100'),
  aCluster('us', {
    pools: { h100: { nodeCount: 8 } },
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
  }),
];

interface Engine {
  image?: string;
  args: string[];
}

const container = ({ image = 'vllm/vllm-openai:v0.11.0', args }: Engine) => ({
  engines: [
    { name: 'main', members: [aMember({ template: { spec: { containers: [{ name: 'engine', image, args }] } } })] },
  ],
});
const model = (args: string[], change: object = {}) => aModel('ml/q', { ...container({ args }), ...change });
const weights = (repo: string) => aCache('ml/w', { huggingFace: { repo, revision: 'a'.repeat(40) } });
const cached = (served: string[] = []) => model(served, { modelCacheRef: { name: 'w' } });

/** The first sentence of a comment, the row of a deployment, and the warnings about models behind names. */
function review(before: Resource[], after: Resource[], id = 'ml/q') {
  const earlier = state('main', [...base, ...before]);
  const later = state('here', [...base, ...after], earlier.decision.lock, earlier);
  const change = diff([...base, ...before], [...base, ...after]);
  const context = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const lines = formatPullRequestComment(change, later.decision.plan, context).split('\n');
  const found = findChangeWarnings(change, { before: earlier.decision, after: later.decision, mustExist: [], at: 'a' });
  return {
    headline: lines[2],
    row: lines.find((line) => line.startsWith(`| \`${id}\``)),
    warnings: found.filter(({ code }) => code === 'model-swapped').map(({ message }) => message),
  };
}

const SENTENCE = '(model `Qwen/Qwen3-8B` → `Qwen/Qwen3-0.6B`)';
const CELL = '1 restarted with downtime: model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B';

const cases: Record<string, { before: Resource[]; after: Resource[]; headline?: string; row?: string; warn?: string }> =
  {
    'a model that is the first argument': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [model(['Qwen/Qwen3-0.6B'])],
    },
    'a model behind a served name that is new, and was the name of the former model': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [model(['Qwen/Qwen3-0.6B', '--served-model-name=Qwen/Qwen3-8B'])],
      row: `${CELL}, served-model-name Qwen/Qwen3-8B added |`,
      warn: "clients of ml/q get Qwen/Qwen3-0.6B instead of Qwen/Qwen3-8B by the name 'Qwen/Qwen3-8B'",
    },
    'a model behind a served name that stays': {
      before: [model(['--model=Qwen/Qwen3-8B', '--served-model-name=chat'])],
      after: [model(['--model=Qwen/Qwen3-0.6B', '--served-model-name=chat'])],
      warn: "clients of ml/q get Qwen/Qwen3-0.6B instead of Qwen/Qwen3-8B by the name 'chat'",
    },
    'a model whose files are in a cache': {
      before: [weights('Qwen/Qwen3-8B'), cached(['--served-model-name=chat'])],
      after: [weights('Qwen/Qwen3-0.6B'), cached(['--served-model-name=chat'])],
      headline: '1 replica of `ml/q` with **downtime**, because cache `ml/w` changed (model `Qwen/Qwen3-8B` → ',
      warn: "clients of ml/q get Qwen/Qwen3-0.6B instead of Qwen/Qwen3-8B by the name 'chat'",
    },
    'a model that moves from the arguments to a cache': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [weights('Qwen/Qwen3-0.6B'), cached()],
      row: 'model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B',
    },
    'another model together with another image': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [aModel('ml/q', container({ image: 'vllm/vllm-openai:v0.12.0', args: ['Qwen/Qwen3-0.6B'] }))],
      headline: `olls \`ml/q\` to \`v0.12.0\` with **downtime** ${SENTENCE}`,
      row: '1 restarted with downtime: v0.11.0 → v0.12.0, model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B |',
    },
  };

describe('another model is named in the first sentence and in the table', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, headline = SENTENCE, row = CELL, warn }) => {
    const found = review(before, after);
    expect(found).toMatchObject({ headline: expect.stringContaining(headline), row: expect.stringContaining(row) });
    expect(found.warnings).toEqual(warn === undefined ? [] : [warn]);
  });
});

test('the same model under another name is no other model', () => {
  const found = review([model(['Qwen/Qwen3-8B'])], [model(['Qwen/Qwen3-8B', '--served-model-name=chat'])]);
  expect(found.headline).not.toContain('model `');
  expect(found.warnings).toEqual([]);
});

test('a deployment that gets another name says what else is edited', () => {
  const renamed = aModel('ml/p', container({ image: 'vllm/vllm-openai:v0.12.0', args: ['Qwen/Qwen3-8B'] }));
  const { headline, row } = review([model(['Qwen/Qwen3-8B'])], [renamed], 'ml/q');
  expect(headline).toContain('enames `ml/q` to `ml/p` with **downtime** (v0.11.0 → v0.12.0)');
  expect(row).toContain('| renamed, v0.11.0 → v0.12.0; 1 added; 1 removed |');
});
