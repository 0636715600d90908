import type { Resource } from '../../../src/api/kinds';
import { errorAt, warningAt } from '../../../src/base/diagnostic';
import type { DiagnosticCode } from '../../../src/base/diagnostic-codes';
import { findChangeWarnings } from '../../../src/diff/change-warnings';
import { findGateFindings } from '../../../src/diff/gate-findings';
import { formatGateFindings } from '../../../src/report/diff/gate-text';
import { splitWarnings } from '../../../src/report/plan/fresh-remarks';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aCache, aClass, aCluster, aMember, byPath } from '../../api/build';
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

/** What the gate refuses because clients get another model. */
function refusals(before: Resource[], after: Resource[], acceptRemovals = false): string[] {
  const earlier = state('main', [...base, ...before]);
  const later = state('here', [...base, ...after], earlier.decision.lock, earlier);
  const context = { before: earlier.decision, after: later.decision, applied: 'withWaves', acceptRemovals } as const;
  const findings = findGateFindings(diff([...base, ...before], [...base, ...after]), context);
  return formatGateFindings(
    findings.filter(({ kind }) => kind === 'model-swapped'),
    { fleet: later.decision.fleet, locate: byPath },
  );
}

const SENTENCE = '(model `Qwen/Qwen3-8B` → `Qwen/Qwen3-0.6B`)';
const CELL = '1 restarted with downtime, about 2 to 9 min: model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B';

const cases: Record<string, { before: Resource[]; after: Resource[]; headline?: string; row?: string; warn?: string }> =
  {
    'a model that is the first argument': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [model(['Qwen/Qwen3-0.6B'])],
    },
    'a model behind a served name that is new, and was the name of the former model': {
      before: [model(['Qwen/Qwen3-8B'])],
      after: [model(['Qwen/Qwen3-0.6B', '--served-model-name=Qwen/Qwen3-8B'])],
      headline: 'Serves `Qwen/Qwen3-0.6B` instead of `Qwen/Qwen3-8B` under the name `Qwen/Qwen3-8B`, and restarts 1 ',
      row: `${CELL}, served-model-name Qwen/Qwen3-8B added |`,
      warn: "clients of ml/q get Qwen/Qwen3-0.6B instead of Qwen/Qwen3-8B by the name 'Qwen/Qwen3-8B'",
    },
    'a model behind a served name that stays': {
      before: [model(['--model=Qwen/Qwen3-8B', '--served-model-name=chat'])],
      after: [model(['--model=Qwen/Qwen3-0.6B', '--served-model-name=chat'])],
      headline: 'Serves `Qwen/Qwen3-0.6B` instead of `Qwen/Qwen3-8B` under the name `chat`, and restarts 1 replica of ',
      warn: "clients of ml/q get Qwen/Qwen3-0.6B instead of Qwen/Qwen3-8B by the name 'chat'",
    },
    'a model whose files are in a cache': {
      before: [weights('Qwen/Qwen3-8B'), cached(['--served-model-name=chat'])],
      after: [weights('Qwen/Qwen3-0.6B'), cached(['--served-model-name=chat'])],
      headline:
        'under the name `chat`, and restarts 1 replica of `ml/q` with **downtime of about 2 to 9 minutes plus the time to stage its cache (not with Argo CD)**. Stages the files of the cache `ml/w` again on `us` ',
      row: '1 restarted with downtime, about 2 to 9 min plus the time to stage its cache \\(not with Argo CD\\): model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B |',
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
      headline: `olls \`ml/q\` to \`v0.12.0\` with **downtime of about 3 to 12 minutes** ${SENTENCE}`,
      row: '1 restarted with downtime, about 3 to 12 min: v0.11.0 → v0.12.0, model Qwen/Qwen3-8B → Qwen/Qwen3-0.6B |',
    },
  };

describe('another model is named in the first sentence and in the table', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, headline = SENTENCE, row = CELL, warn }) => {
    const found = review(before, after);
    expect(found).toMatchObject({ headline: expect.stringContaining(headline), row: expect.stringContaining(row) });
    expect(found.warnings).toEqual(warn === undefined ? [] : [warn]);
  });
});

const chat = (name: string) => [model([`--model=${name}`, '--served-model-name=chat'])];
const REFUSED = [
  "ml/q has another model under the name 'chat': Qwen/Qwen3-8B instead of meta-llama/Llama-3.1-8B-Instruct. Deploy it next to this one, under a name of its own; if clients of this name may get it, add --accept-removals to plan --gate",
];

const swaps: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; refused: string[] }> = {
  'refuses another model behind a name': {
    before: chat('meta-llama/Llama-3.1-8B-Instruct'),
    after: chat('Qwen/Qwen3-8B'),
    refused: REFUSED,
  },
  'refuses another model of a cache behind a name': {
    before: [weights('meta-llama/Llama-3.1-8B-Instruct'), cached(['--served-model-name=chat'])],
    after: [weights('Qwen/Qwen3-8B'), cached(['--served-model-name=chat'])],
    refused: REFUSED,
  },
  'names all deployments that get the same model behind the same name in one line': {
    before: [...chat('a/b'), aModel('ml/p', container({ args: ['--model=a/b', '--served-model-name=chat'] }))],
    after: [...chat('a/c'), aModel('ml/p', container({ args: ['--model=a/c', '--served-model-name=chat'] }))],
    refused: [expect.stringContaining("ml/p, ml/q have another model under the name 'chat': a/c instead of a/b. ")],
  },
  'accepts another model behind a name with --accept-removals': {
    before: chat('meta-llama/Llama-3.1-8B-Instruct'),
    after: chat('Qwen/Qwen3-8B'),
    accept: true,
    refused: [],
  },
  'refuses a larger model of the same family': {
    before: chat('Qwen/Qwen3-0.6B'),
    after: chat('Qwen/Qwen3-8B'),
    refused: [expect.stringContaining('Qwen/Qwen3-8B instead of Qwen/Qwen3-0.6B')],
  },
  'passes the same model in another format of an owner who converts it': {
    before: chat('meta-llama/Llama-3.1-8B-Instruct'),
    after: chat('RedHatAI/Llama-3.1-8B-Instruct-FP8-dynamic'),
    refused: [],
  },
  'passes the same model of another day': {
    before: chat('a/b'),
    after: chat('a/b-0324'),
    refused: [],
  },
  'passes another revision of the same model': {
    before: [weights('a/b'), cached(['--served-model-name=chat'])],
    after: [
      aCache('ml/w', { huggingFace: { repo: 'a/b', revision: 'b'.repeat(40) } }),
      cached(['--served-model-name=chat']),
    ],
    refused: [],
  },
  'passes files at an address, of which the model is not known': {
    before: [weights('a/b'), cached(['--served-model-name=chat'])],
    after: [
      aCache('ml/w', { source: 'S3', huggingFace: undefined, s3: { uri: 's3://models/a', region: 'us-east-1' } }),
      cached(['--served-model-name=chat']),
    ],
    refused: [],
  },
  'passes the first model of a deployment without replicas': {
    before: [model(['--model=a/b', '--served-model-name=chat'], { replicas: 0 })],
    after: chat('a/c'),
    refused: [],
  },
};

describe('the gate', () => {
  test.each(Object.entries(swaps))('%s', (_, { before, after, accept, refused }) => {
    expect(refusals(before, after, accept)).toEqual(refused);
  });
});

const refusedAt = (code: DiagnosticCode) => ({
  earlierWarnings: [],
  refused: [errorAt(code, 'a.yaml:1:1', 'refused', '')],
});

test('what the gate refuses is no warning too', () => {
  const warnings = [warningAt('model-swapped', 'a.yaml:1:1', 'clients of ml/q get a/c', 'Give it a name')];
  expect(splitWarnings({ warnings }, refusedAt('model-swapped')).fresh).toEqual([]);
  expect(splitWarnings({ warnings }, { earlierWarnings: [] }).fresh).toEqual(warnings);
  // Restarts with downtime, at the same line, say nothing of the model.
  expect(splitWarnings({ warnings }, refusedAt('outage')).fresh).toEqual(warnings);
});

test('the same model under another name is no other model', () => {
  const found = review([model(['Qwen/Qwen3-8B'])], [model(['Qwen/Qwen3-8B', '--served-model-name=chat'])]);
  expect(found.headline).not.toContain('model `');
  expect(found.warnings).toEqual([]);
});

test('a deployment that gets another name says what else is edited', () => {
  const renamed = aModel('ml/p', container({ image: 'vllm/vllm-openai:v0.12.0', args: ['Qwen/Qwen3-8B'] }));
  const { headline, row } = review([model(['Qwen/Qwen3-8B'])], [renamed], 'ml/q');
  expect(headline).toContain('enames `ml/q` to `ml/p` with **downtime of about 2 to 17 minutes** (v0.11.0 → v0.12.0)');
  expect(row).toContain('| renamed, v0.11.0 → v0.12.0, down for about 2 to 17 min; 1 added; 1 removed |');
});

test('another model in a cache is behind the same name where engines take the path of its files', () => {
  const [before, after] = ['Qwen/Qwen3-8B', 'Qwen/Qwen3-0.6B'].map((repo) => [weights(repo), cached()]);
  expect(review(before!, after!).headline).toContain(
    'Serves `Qwen/Qwen3-0.6B` instead of `Qwen/Qwen3-8B` under the name `/mnt/models`',
  );
  expect(refusals(before!, after!)).toEqual([expect.stringContaining("under the name '/mnt/models'")]);
});

const sql = (uri: string) =>
  aCache('ml/sql', { source: 'S3', huggingFace: undefined, content: 'LoRA', s3: { uri, region: 'us-east-1' } });
const adapted = (name: string) =>
  model(['--model=Qwen/Qwen3-8B', '--enable-lora'], { loraAdapters: [{ name, modelCacheRef: { name: 'sql' } }] });

describe('adapters', () => {
  test('that keep their name and get other files come first', () => {
    const found = review([sql('s3://models/sql/v7'), adapted('sql')], [sql('s3://models/sql/v8'), adapted('sql')]);
    expect(found.headline).toContain(
      'Serves `s3://models/sql/v8` instead of `s3://models/sql/v7` as the adapter `sql`. Restarts 1 replica',
    );
  });

  test('with another name are the edit that a restart is for', () => {
    const files = sql('s3://models/sql/v7');
    expect(review([files, adapted('sql')], [files, adapted('sql-v7')]).row).toContain('adapter sql → sql-v7');
  });
});

const loading = (from: string): string[] => [`--model=${from}`, '--served-model-name=q'];

test('a cache that goes says from where the weights come', () => {
  const staged = model(loading('/mnt/models'), { modelCacheRef: { name: 'w' } });
  const files = aCache('ml/w', { huggingFace: { repo: 'Qwen/Qwen3-8B' } });
  expect(review([files, staged], [model(loading('Qwen/Qwen3-8B'))]).row).toContain(
    'weights from Hugging Face instead of the cache',
  );
  expect(review([model(loading('Qwen/Qwen3-8B'))], [files, staged]).row).toContain(
    'weights from the cache instead of Hugging Face',
  );
});
