import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { findGateFindings } from '../../src/diff/gate-findings';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { describeExtra } from '../../src/report/diff/earlier-replicas';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { aClass, aCluster, aDeployment, aMember, type Doc } from '../api/build';
import { change, state } from './build';
import { atLeast } from './gate-fleet';

/** Nodes of 8 GPUs at 10 dollars an hour. */
const sites = (nodes: Record<string, number>): Resource[] => [
  aClass('h100', { price: { perHour: 10 } }),
  ...Object.entries(nodes).map(([name, nodeCount]) => aCluster(name, { pools: { h100: { nodeCount } } })),
];

const NEWER = 'v0.12.0';

const q = (replicas: number, tag = 'v0.11.0', id = 'ml/q', options: Doc = {}): ModelDeployment => {
  const container = { name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] };
  const members = [aMember({ gpus: 8, template: { spec: { containers: [container] } } })];
  return aDeployment(id, { replicas, engines: [{ name: 'main', members }], ...options });
};

/** Replicas whose clients are pods of their clusters. */
const local = (replicas: number, tag?: string): ModelDeployment =>
  q(replicas, tag, 'ml/q', { networkPolicy: { from: [{ namespaceSelector: {} }] } });

interface Row {
  before: Resource[];
  after: Resource[];
  applied?: ApplyMode;
  want: unknown[];
}

const LEAVE = "Leave 'replicas: 3' in this change, and lower it in a later one (cost unchanged until then): at least ";

const cases: Record<string, Row> = {
  'replicas that a change also removes are left until the others have restarted, where enough serve then': {
    before: [...sites({ eu: 1, us: 2 }), q(3)],
    after: [...sites({ eu: 1, us: 2 }), q(2, NEWER)],
    applied: 'perCluster',
    want: [
      expect.stringContaining(`. ${LEAVE}1 of 3 serves, with up to 3 times the requests of a replica today; or add `),
    ],
  },
  'a surge comes first where a cluster is left without a replica, and no service sends its clients to others': {
    before: [...sites({ eu: 2, us: 3 }), local(3)],
    after: [...sites({ eu: 2, us: 3 }), local(2, NEWER)],
    applied: 'perCluster',
    want: [
      expect.stringMatching(
        /\. Set 'rollout.surge: 1', for which there is room \([^)]*\); or leave 'replicas: 3' in this change, and lower it in a later one \(cost unchanged until then\): at least 1 of 3 serves, but for a time none on (eu|us), where clients then get no answer; or accept /,
      ),
    ],
  },
  'nothing is said of the requests of a replica where no service spreads them': {
    before: [...sites({ us: 3 }), local(3)],
    after: [...sites({ us: 3 }), local(1, NEWER)],
    want: [expect.stringContaining(`. ${LEAVE}2 of 3 serve; or set`)],
  },
  'a minAvailable that they keep counts': {
    before: [...sites({ us: 3 }), atLeast(2, q(3))],
    after: [...sites({ us: 3 }), atLeast(2, q(2, NEWER))],
    want: [expect.stringContaining(`. ${LEAVE}2 of 3 serve`)],
  },
  'they are not where that is not enough': {
    before: [...sites({ eu: 1, us: 1 }), q(2)],
    after: [...sites({ eu: 1, us: 1 }), q(1, NEWER)],
    applied: 'perCluster',
    want: [expect.not.stringContaining('Leave ')],
  },
  'they are not where another deployment gets their devices in the same change': {
    before: [...sites({ us: 3 }), q(3)],
    after: [...sites({ us: 3 }), q(1, NEWER), q(2, 'v0.11.0', 'ml/other')],
    want: [expect.not.stringContaining('Leave ')],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, applied = 'withWaves', want }) => {
  const earlier = state('main', before);
  const { later, diff } = change(earlier, after);
  const context = { before: earlier.decision, after: later.decision, applied, acceptRemovals: false };
  const located = { fleet: later.decision.fleet, locate: () => 'a' };
  expect(findGateFindings(diff, context).map((one) => formatGateFinding(one, located))).toEqual(want);
});

test('an earlier change that adds a replica says which number this one declares then', () => {
  const serving = { withWaves: 2, perCluster: 1, atOnce: 0 };
  const extra = { replicas: 4, added: 1, later: 3, needed: 1, pools: ['eu/h100'], ...serving };
  expect(describeExtra(extra, [], 'perCluster').text).toContain(
    "and apply this change with 'replicas: 3' when it serves: at least 1 of 4 serves then, with up to 3 times the requests of a replica today (you can lower 'replicas' afterwards)",
  );
});

test('an earlier change that adds a replica elsewhere names the cluster that has none for a time', () => {
  const emptied = { withWaves: [], perCluster: ['us'], atOnce: ['us'] };
  const serving = { withWaves: 2, perCluster: 1, atOnce: 0, emptied };
  const extra = { replicas: 2, added: 1, needed: 1, pools: ['eu/h100'], ...serving };
  expect(describeExtra(extra, [], 'perCluster')).toMatchObject({
    isDown: true,
    text: expect.stringContaining(
      ': at least 1 of 2 serves then, but for a time none on us, where clients then get no answer (you',
    ),
  });
});
