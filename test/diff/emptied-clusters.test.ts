import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import { type ApplyMode, countServing } from '../../src/diff/serving-during-change';
import { formatServing } from '../../src/report/diff/change-sentences';
import { formatPullRequestComment } from '../../src/report/pull-request/comment';
import { aClass, aMember, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { readCells } from '../report/pull-request/table-cells';
import { change, state } from './build';

const sites = (nodes: Record<string, number>): Resource[] => [
  aClass('h100'),
  ...Object.entries(nodes).map(([name, nodeCount]) => aSite(name, { pools: { h100: { nodeCount } } })),
];
const TWO = sites({ eu: 1, us: 2 });
const APPS = { from: [{ namespaceSelector: {} }] };

/** Replicas that take a node each, and whose clients are pods of their clusters. */
const q = (tag: string, replicas = 3, options: Doc = {}): ModelDeployment => {
  const container = { name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] };
  const members = [aMember({ gpus: 8, template: { spec: { containers: [container] } } })];
  const labels = { replicaLabels: { app: 'q' }, networkPolicy: APPS };
  return aModel('ml/q', { replicas, engines: [{ name: 'main', members }], ...labels, ...options });
};
const [OLD, NEW] = ['v0.11.0', 'v0.12.0'];

const judge = (before: readonly Resource[], after: readonly Resource[], applied: ApplyMode = 'withWaves') => {
  const earlier = state('main', before);
  const { later, diff } = change(earlier, after);
  const states = { before: earlier.decision, after: later.decision };
  const warnings = findChangeWarnings(diff, { ...states, mustExist: [], at: 'a', applied });
  const comment = formatPullRequestComment(diff, later.decision.plan, {
    name: 'fleet',
    verdicts: [],
    earlierWarnings: [],
  });
  const [first] = diff.deployments;
  return {
    warned: warnings.flatMap(({ code, message, hint }) => (code === 'cluster-down' ? [`${message}. ${hint}`] : [])),
    cell: readCells(comment, '| `ml/q`')['serving during rollout'],
    text: first && formatServing(first),
  };
};

interface Row {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
  readonly applied?: ApplyMode;
  readonly want: Partial<ReturnType<typeof judge>>;
}

const cases: Record<string, Row> = {
  'the only replica of a cluster, to which no service sends requests, restarts': {
    before: [...TWO, q(OLD)],
    after: [...TWO, q(NEW)],
    want: {
      warned: [
        "ml/q has no serving replica on eu for a time while the change is applied, and no service sends requests to it: clients there then get no answer. Set 'rollout.surge: 1' if there is room for it, add a replica there in an earlier change, or tell clients when",
      ],
      cell: ':warning: Pulumi: ≥ 2 of 3 (for a time 0 on eu)<br>Argo CD: ≥ 1 of 3 (for a time 0 on eu)<br>Flux, kubectl: 0',
      text: '3 replicas; at least 2 serve during rollout (for a time none on eu), 1 where clusters are applied independently, 0 where all are replaced at once',
    },
  },
  'so does that of another one, of which a second replica is removed': {
    before: [...TWO, q(OLD)],
    after: [...TWO, q(NEW, 2)],
    want: {
      warned: [expect.stringMatching(/^ml\/q has no serving replica on eu and us for .* Set 'rollout.surge: 1'/)],
    },
  },
  'no replica at all serves, which the gate refuses': {
    before: [...TWO, q(OLD)],
    after: [...TWO, q(NEW, 2)],
    applied: 'perCluster',
    want: { warned: [] },
  },
  'nothing is said where all clusters keep a serving replica': {
    before: [...sites({ eu: 2, us: 2 }), q(OLD, 4)],
    after: [...sites({ eu: 2, us: 2 }), q(NEW, 4)],
    want: { warned: [], cell: 'Pulumi: ≥ 3 of 4<br>Argo CD: ≥ 2 of 4<br>Flux, kubectl: 0' },
  },
  'nothing is said where a service sends requests to the others': {
    before: [...TWO, q(OLD), aDoor(['us']), aSplit('ml/q', [to({ app: 'q' })])],
    after: [...TWO, q(NEW), aDoor(['us']), aSplit('ml/q', [to({ app: 'q' })])],
    want: { warned: [], cell: 'Pulumi: ≥ 2 of 3<br>Argo CD: ≥ 1 of 3<br>Flux, kubectl: 0' },
  },
  'nothing is said where no pod of a cluster can be a client': {
    before: [...TWO, q(OLD, 3, { networkPolicy: {} })],
    after: [...TWO, q(NEW, 3, { networkPolicy: {} })],
    want: { warned: [], cell: 'Pulumi: ≥ 2 of 3<br>Argo CD: ≥ 1 of 3<br>Flux, kubectl: 0' },
  },
  'nothing is said where downtime is accepted': {
    before: [...TWO, q(OLD, 3, { rollout: { strategy: 'Recreate' } })],
    after: [...TWO, q(NEW, 3, { rollout: { strategy: 'Recreate' } })],
    want: { warned: [] },
  },
  'nothing is said of a cluster that all replicas leave': {
    before: [...TWO, q(OLD)],
    after: [...sites({ eu: 0, us: 2 }), q(OLD, 2)],
    want: { warned: [] },
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, applied, want }) => {
  expect(judge(before, after, applied)).toMatchObject(want);
});

test('a replica that an earlier change adds on another cluster does not serve the clients of this one', () => {
  const [on, off] = [sites({ eu: 1, us: 0 }), sites({ eu: 1, us: 1 })];
  const earlier = state('main', [...on, q(OLD, 1)]);
  const before = state('main', [...off, q(OLD, 1)], earlier.decision.lock, earlier);
  const [first] = change(before, [...off, q(NEW, 1)]).diff.deployments;
  expect(first?.extra).toMatchObject({ pools: ['us/h100'], emptied: { perCluster: ['eu'] } });
});

test('a drain that keeps the replica of a cluster serving counts, and that nodes go without it is said apart', () => {
  const pools = { main: 'h100' };
  const serving = countServing(
    q(OLD, 2),
    [
      { action: 'roll', cluster: 'eu', index: 0, pools, nodes: 'replace', mayStay: true, ifDrained: 'serves' },
      { action: 'keep', cluster: 'us', index: 0, pools },
    ],
    { before: 2, after: 2 },
    true,
  );
  expect(serving).toMatchObject({ emptied: { withWaves: [] }, undrained: { emptied: { withWaves: ['eu'] } } });
});
