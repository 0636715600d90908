import type { Resource } from '../../src/api/kinds';
import { aMember, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../routing/build';
import { judge } from './lost-nodes-build';

const SITES = [H100, aSite('us'), aSite('eu')];

/** Replicas that serve on a port, two on each cluster by default. */
const onPort = (port: number, spec: Doc = {}, engine: Doc = {}): Resource => {
  const args = ['Qwen/Qwen3-8B', `--port=${port}`];
  const template = { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.24.0', args }] } };
  const replicaLabels = { app: 'q' };
  const engines = [{ name: 'main', members: [aMember({ gpus: 1, template })], ...engine }];
  return aModel('ml/q', { replicas: 4, replicaLabels, engines, ...spec });
};

const picked = [aDoor(['us', 'eu']), aSplit('ml/chat', [to({ app: 'q' })], { picker: { kind: 'PrefixCache' } })];

interface Row {
  readonly spec?: Doc;

  /** The engine before and after. */
  readonly before?: Doc;
  readonly after?: Doc;
  readonly others?: Resource[];
  readonly serving: string;
  readonly refused: unknown[];
}

const ONE = { replicas: 1 };
const COPIES = { before: { copies: 2 }, after: { copies: 2 } };
const POLICY = expect.stringMatching(
  /: its port changes from 30000 to 8000, and its NetworkPolicy then admits the new one alone; because .*\. Keep port 30000 \(cost unchanged\); or (?!.*surge)/,
);
const PICKER = expect.stringMatching(
  /: its port changes from 30000 to 8000, and its endpoint picker asks the new one at once; because .* Keep port 30000 \(cost unchanged\); or (?!.*surge)/,
);

const rows: Record<string, Row> = {
  'the policies of replicas change in their turn, so that the others serve': {
    serving: 'Pulumi: ≥ 3 of 4<br>Argo CD: ≥ 2 of 4<br>Flux, kubectl: 0',
    refused: [],
  },
  'a policy admits no copy that has not restarted': {
    ...COPIES,
    spec: ONE,
    serving: ':warning: 0 of 1',
    refused: [POLICY],
  },
  'without policies, copies restart one after the other': {
    ...COPIES,
    spec: { ...ONE, networkPolicy: { enabled: false } },
    serving: '≥ 1 of 1, with one copy fewer',
    refused: [],
  },
  'a surge does not help where the policy admits no old pod': {
    spec: { ...ONE, rollout: { surge: 1 } },
    serving: ':warning: 0 of 1',
    refused: [POLICY],
  },
  'an endpoint picker asks all replicas at once': { others: picked, serving: ':warning: 0 of 4', refused: [PICKER] },
  'it asks those neither that run next to new ones': {
    others: picked,
    after: { name: 'new' },
    serving: ':warning: 0 of 4',
    refused: [PICKER],
  },
};

test.each(Object.entries(rows))('%s', (_, { spec, before, after, others = [], serving, refused }) => {
  const [was, is] = [onPort(30_000, spec, before), onPort(8000, spec, after)];
  const judged = judge([...SITES, ...others, was], [...SITES, ...others, is]);
  expect(judged).toMatchObject({ serving, refused });
});

test('a port that stays takes no requests from old pods', () => {
  const [was, is] = [{}, { replicaLabels: { app: 'q', x: 'y' } }].map((more) =>
    onPort(8000, { ...ONE, ...more }, { copies: 2 }),
  );
  expect(judge([...SITES, ...picked, was!], [...SITES, ...picked, is!])).toMatchObject({
    serving: '≥ 1 of 1, with one copy fewer',
    refused: [],
  });
});
