import type { Resource } from '../../src/api/kinds';
import { listDeclaredNodes } from '../../src/diff/declared-nodes';
import { findDisruptions } from '../../src/diff/pool-disruption';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import type { PlacedFleet } from '../../src/plan/decision';
import type { Placement } from '../../src/scheduler/placement';
import { formatPullRequestComment } from '../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, type Doc, MACHINES } from '../api/build';
import { diff, state } from './build';
import { copied, judge, made, q } from './lost-nodes-build';

const dc = (source: 'Existing' | 'GKE' = 'Existing'): Resource =>
  aCluster('dc', { source, pools: { h100: { nodeCount: 4 } } });
const machine = (machineType: string, options: Doc = {}): Resource => made('GKE', { machineType, ...options });
const l4 = (from: string, perHour: number): Resource =>
  aClass('h100', { devices: undefined, from: `gcp/${from}`, price: { perHour, currency: 'USD' } });
const model = aDeployment('ml/q', { engines: [{ name: 'main', members: [aMember({ gpus: 1 })] }] });

const ONE = q({ replicas: 1 });
const SAID = 'Declares n2 instead of n1 for the nodes of the node pool `dc/h100`';

const cases: Record<string, { before: Resource[]; after: Resource[]; want: object }> = {
  'the only replica on nodes that people replace is down, and a surge does not help': {
    before: [machine('n1'), dc(), ONE],
    after: [machine('n2'), dc(), ONE],
    want: {
      sentence: `${SAID}, which restarts 1 replica with **downtime**`,
      serving: ':warning: 0 of 1',
      refused: [
        expect.stringMatching(
          /^ml\/q has no serving replica(?!.*surge).*In an earlier change, set 'replicas: 2' .*dc\/h100/,
        ),
      ],
    },
  },
  'others serve meanwhile': {
    before: [machine('n1'), dc(), q()],
    after: [machine('n2'), dc(), q()],
    want: { sentence: `${SAID}, which restarts 2 replicas`, serving: '≥ 1 of 2', refused: [] },
  },
  'nodes come before the replicas whose pods restart too': {
    before: [machine('n1'), dc(), ONE],
    after: [machine('n2'), dc(), q({ replicas: 1 }, 'vllm/vllm-openai:v0.12.0')],
    want: {
      sentence: `${SAID}, and rolls \`ml/q\` to \`v0.12.0\` with **downtime twice: about 3 to 17 minutes while nodes are recreated, then about 3 to 17 minutes when manifests are applied**`,
      happens:
        '1 restarted with downtime, about 3 to 17 min: v0.11.0 → v0.12.0; 1 restarted before that, when its node is recreated, about 3 to 17 min',
      refused: [expect.stringMatching(/^ml\/q has no serving replica twice: .* nodes are recreated, then .* applied;/)],
    },
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(judge(before, after)).toMatchObject(want);
});

test('replicas with copies, which no new node matches, stop for good', () => {
  const [before, after] = [machine('n1'), machine('n2')].map((one) => assemble([one, dc(), copied(2)])) as [
    Fleet,
    Fleet,
  ];
  const renewed = listDeclaredNodes(before, after, new Map());
  const place = { cluster: 'dc', index: 0, pools: { main: 'h100' } };
  const find = (misplaced: Placement[]) => {
    const held = { unknown: [], misplaced } as unknown as PlacedFleet['held'];
    const [deployment] = after.deployments;
    return (
      deployment &&
      findDisruptions(renewed, { before: { fleet: before }, after: { held } }).find(deployment, {
        action: 'keep',
        ...place,
      })
    );
  };
  expect(find([])).toBeUndefined();
  expect(find([{ deployment: 'ml/q', ...place, shape: '' }])).toMatchObject({ nodes: 'replace', misplaced: true });
});

test('the row of the fleet names the pool, and what a node costs', () => {
  const [before, after] = [l4('g2-standard-48', 4), l4('g2-standard-96', 8)].map((one) => [one, dc(), model]) as [
    Resource[],
    Resource[],
  ];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(diff(before, after), state('here', after).decision.plan, context);
  expect(text).toContain('`dc/h100` 4 nodes, $5,840 instead of $2,920 each: +$11,680');
});

const { gke } = MACHINES.GKE;

test.each<[string, Resource[], Resource[], object[]]>([
  ['another machine', [machine('n1'), dc()], [machine('n2'), dc()], [{ cluster: 'dc', name: 'h100', machine: 'n2' }]],
  ['another disk', [machine('n1'), dc()], [machine('n1', { diskSizeGb: 500 }), dc()], []],
  [
    'hardware that is declared',
    [aClass('h100'), dc()],
    [aClass('h100', { provisioning: { provider: 'GKE', gke } }), dc()],
    [],
  ],
  ['nodes that a stack creates', [machine('n1'), dc('GKE')], [machine('n2'), dc('GKE')], []],
])('people replace nodes: %s', (_, before, after, want) => {
  const found = listDeclaredNodes(assemble(before), assemble(after), new Map());
  expect(found).toEqual(want.map((one) => expect.objectContaining(one)));
});
