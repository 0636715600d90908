import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { aClass, aCluster, byPath, type Doc, gpus, MACHINES } from '../api/build';
import { aDoor, aSplit, to } from '../routing/build';
import { state } from './build';
import { copied, judge, judgeStates, made, q, scaledDown, single, site } from './lost-nodes-build';

const EMPTY = { empty: { className: 'h100', nodeCount: 0 } };
const other = aCluster('eu', { pools: { h100: { nodeCount: 4 } } });
const ROLL = { strategy: 'Rolling' };
const DOWN = '2 down, about 3 to 17 min plus the time to create nodes: their nodes are deleted first';
const REFUSED = [
  expect.stringMatching(
    /^ml\/q has no serving replica for about .* plus the time to create nodes while the change is applied; because .*In an earlier change, set 'replicas: [34]' and declare a node pool 'a-h100' like us\/h100 /,
  ),
];

const cases: Record<string, { before: Resource[]; after: Resource[]; want: object }> = {
  'a pool that is deleted before the new one exists takes its replicas down': {
    before: [made('GKE'), site('GKE'), q()],
    after: [made('GKE', { spot: true }), site('GKE'), q()],
    want: {
      sentence:
        'Deletes the node pool `us/h100` and creates it again with spot nodes (the cloud can take them away at any time), with **downtime of 2 replicas for about 3 to 17 minutes plus the time to create nodes**',
      happens: DOWN,
      serving: ':warning: 0 of 2',
      refused: REFUSED,
    },
  },
  'replicas that move off a pool that is deleted count once as down': {
    before: [made('GKE'), aCluster('us', { source: 'GKE', pools: { h100: { nodeCount: 4 }, ...EMPTY } }), other, q()],
    after: [made('GKE'), aCluster('us', { source: 'GKE', pools: EMPTY }), other, q()],
    want: {
      sentence:
        'Deletes the node pool `us/h100`, moves 1 replica of `ml/q` from us to eu (down while moving; 1 of 2 serve), and leaves `us` without replicas',
    },
  },
  'zones of a pool on EKS take its replicas down': {
    before: [made('EKS'), site('EKS'), q()],
    after: [made('EKS'), site('EKS', { zones: ['us-east-1b'] }), q()],
    want: { happens: DOWN, serving: ':warning: 0 of 2', refused: REFUSED },
  },
  'a zone that a pool on GKE loses takes its replicas down': {
    before: [made('GKE'), site('GKE', { zones: ['us-central1-a'] }), q()],
    after: [made('GKE'), site('GKE', { zones: ['us-central1-b'] }), q()],
    want: {
      sentence:
        'Deletes the nodes of the node pool `us/h100` in us-central1-a before any exist in us-central1-b, with **downtime of 2 replicas for about 3 to 17 minutes plus the time to create nodes**',
      happens: DOWN,
      serving: ':warning: 0 of 2',
      refused: REFUSED,
    },
  },
  'a zone that a pool on GKE gains takes nothing down': {
    before: [made('GKE'), site('GKE', { zones: ['us-central1-a'] }), q()],
    after: [made('GKE'), site('GKE', { zones: ['us-central1-a', 'us-central1-b'] }), q()],
    want: { happens: undefined, refused: [] },
  },
  'a cluster that is replaced is declared next to the old one, not its pool': {
    before: [made('GKE'), site('GKE'), q()],
    after: [made('GKE'), site('GKE', {}, { network: { private: true } }), q()],
    want: {
      happens: DOWN.replace('nodes:', 'the cluster:'),
      refused: [expect.stringContaining('Declare the new cluster next to the old one')],
    },
  },
  'a cluster on AKS that moves to another region takes its replicas down': {
    before: [made('AKS'), site('AKS'), q()],
    after: [made('AKS'), site('AKS', {}, { cluster: { source: 'AKS', aks: { location: 'swedencentral' } } }), q()],
    want: {
      sentence:
        'Replaces the cluster `us` (location `westeurope` → `swedencentral`), deleted first, with **downtime of 2 replicas for about 3 to 17 minutes plus the time to create the cluster**',
      happens: DOWN.replace('nodes:', 'the cluster:'),
      refused: [expect.stringContaining('Declare the new cluster next to the old one')],
    },
  },
  'replicas that also roll are down all at once': {
    before: [made('GKE'), site('GKE'), q({ rollout: ROLL })],
    after: [made('GKE', { spot: true }), site('GKE'), q({ rollout: ROLL }, 'vllm/vllm-openai:v0.12.0')],
    want: { happens: DOWN, serving: ':warning: 0 of 2', refused: REFUSED },
  },
  'Recreate in waves does not accept that a pool takes all replicas down': {
    before: [made('GKE'), site('GKE'), q({ rollout: { strategy: 'Recreate', parallel: 1 } })],
    after: [made('GKE', { spot: true }), site('GKE'), q({ rollout: { strategy: 'Recreate', parallel: 1 } })],
    want: { serving: ':warning: 0 of 2', refused: REFUSED },
  },
  'nodes that are recreated restart one replica at a time': {
    before: [made('GKE'), site('GKE'), q()],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), q()],
    want: {
      sentence:
        'Recreates the nodes of the node pool `us/h100` one at a time (without a spare node), which restarts 2 replicas',
      happens: '2 restarted while nodes are recreated, each about 3 to 17 min plus the time to create nodes',
      serving: '≥ 1 of 2',
      refused: [],
    },
  },
  'nodes of the only replica that are recreated are downtime': {
    before: [made('GKE'), site('GKE'), q({ replicas: 1 })],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), q({ replicas: 1 })],
    want: {
      sentence:
        'Recreates the nodes of the node pool `us/h100` one at a time (without a spare node), which restarts 1 replica with **downtime**',
      serving: ':warning: 0 of 1',
      refused: [expect.stringContaining('ml/q has no serving replica')],
    },
  },
  'recreated nodes name the deployments with downtime, of several': {
    before: [made('GKE'), site('GKE'), q(), single],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), q(), single],
    want: {
      sentence:
        'Recreates the nodes of the node pool `us/h100` one at a time (without a spare node), which restarts 3 replicas, `ml/single` with **downtime**',
      refused: [expect.stringContaining('ml/single has no serving replica')],
    },
  },
  'replicas that also roll restart with their nodes too': {
    before: [made('GKE'), site('GKE'), q()],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), q({}, 'vllm/vllm-openai:v0.12.0')],
    want: {
      happens:
        '2 restarted, 1 at a time, each about 3 to 17 min: v0.11.0 → v0.12.0; 2 restarted before that, when their nodes are recreated, each about 3 to 17 min plus the time to create nodes',
      serving: 'Pulumi, Argo CD: ≥ 1 of 2<br>Flux, kubectl: 0',
      refused: [],
    },
  },
  'a replica with copies on other nodes serves while nodes are recreated': {
    before: [made('GKE'), site('GKE'), copied(2)],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), copied(2)],
    want: { happens: undefined, refused: [] },
  },
  'copies of an autoscaler that the same change adds do not serve while nodes are recreated': {
    before: [made('GKE'), site('GKE', {}, { monitoring: {} }), copied({ min: 1, max: 4 })],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE', {}, { monitoring: {} }), copied({ min: 2, max: 4 })],
    want: { serving: ':warning: 0 of 1', refused: [expect.stringContaining('ml/q has no serving replica')] },
  },
  'nor do those of a fixed number': {
    before: [made('GKE'), site('GKE'), copied(1)],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), copied(2)],
    want: { serving: ':warning: 0 of 1', refused: [expect.stringContaining('ml/q has no serving replica')] },
  },
  'nor those that the same change removes': {
    before: [made('GKE'), site('GKE'), copied(2)],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), copied(1)],
    want: { serving: ':warning: 0 of 1', refused: [expect.stringContaining('ml/q has no serving replica')] },
  },
  'replicas that move off a pool that is scaled to 0 lose their nodes at once': {
    before: [made('EKS'), site('EKS'), q()],
    after: [made('EKS'), scaledDown('EKS', 0, 2), q()],
    want: {
      sentence:
        'Moves 2 replicas of `ml/q` from us/h100 to us/new with **downtime of about 3 to 17 minutes plus the time to create nodes**, creates the node pool `us/new`, and resizes the node pool `us/h100` to 0 nodes instead of 4',
      serving: ':warning: 0 of 2',
      refused: [expect.stringContaining('ml/q has no serving replica')],
    },
  },
  'where a pool gets fewer nodes than its replicas need, those that stay can lose their nodes too': {
    before: [made('EKS'), site('EKS'), q({ replicas: 4 })],
    after: [made('EKS'), scaledDown('EKS', 3, 1), q({ replicas: 4 })],
    want: {
      happens:
        '1 may restart, about 2 to 17 min plus the time to create nodes: the cloud chooses which nodes go; 1 moved, down while moving, about 2 to 17 min plus the time to create nodes: us/h100 → us/new',
      serving: '≥ 2 of 4',
      refused: [],
    },
  },
  'the size of a pool is said once, in front of what moves because of it': {
    before: [made('GKE'), scaledDown('GKE', 1, 2), q({ replicas: 1 })],
    after: [made('GKE'), scaledDown('GKE', 0, 2), q({ replicas: 1 })],
    want: {
      sentence:
        'Resizes the node pool `us/h100` to 0 nodes instead of 1, which moves 1 replica of `ml/q` from us/h100 to us/new with **downtime of about 2 to 17 minutes**',
    },
  },
  'where others are removed with the nodes, those that stay can lose theirs': {
    before: [made('EKS'), site('EKS'), q({ replicas: 4 })],
    after: [made('EKS'), site('EKS', { nodeCount: 3 }), q({ replicas: 3 })],
    want: { serving: '≥ 2 of 4', refused: [] },
  },
  'all of them where as many nodes go as stay': {
    before: [made('EKS'), site('EKS'), q({ replicas: 4 })],
    after: [made('EKS'), site('EKS', { nodeCount: 2 }), q()],
    want: {
      serving: ':warning: ≥ 0 of 4',
      refused: [
        expect.stringContaining("n an earlier change, set 'replicas: 2', and keep the nodes (cost unchanged); or "),
      ],
    },
  },
  'a pool that holds those that are removed too can be emptied in advance': {
    before: [made('EKS'), site('EKS'), q({ replicas: 3 })],
    after: [made('EKS'), site('EKS', { nodeCount: 3 }), q()],
    want: { serving: '≥ 1 of 3', refused: [], verdict: 'the gate passes' },
  },
  'a pool without replicas takes nothing down': {
    before: [made('GKE'), site('GKE')],
    after: [made('GKE', { spot: true }), site('GKE')],
    want: {
      sentence:
        'Deletes the node pool `us/h100` and creates it again with spot nodes (the cloud can take them away at any time), with no replica on it',
      refused: [],
    },
  },
};

describe('what becomes of replicas when nodes go', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    expect(judge(before, after)).toMatchObject(want);
  });
});

describe('replicas that stay as they are, because they have errors, while their nodes are replaced', () => {
  const rest = [aDoor(['us']), aSplit('ml/chat', [to({ app: 'q' })])];
  const own = q({ replicaLabels: { app: 'q' } });
  const gateway = {
    gateway: { hostname: 'edge.us.example.com', tls: { issuer: { name: 'fleet' }, caRef: { name: 'ca' } } },
  };
  const { provider, gke } = MACHINES.GKE;
  const poolOf = (perNode: number, spot = false): Resource[] => [
    aClass('h100', { devices: [gpus(perNode)], provisioning: { provider, gke: { ...gke, spot } } }),
    site('GKE', {}, gateway),
  ];
  const judgeHeld = (perNode: number) => {
    const earlier = state('main', [...poolOf(8), ...rest, own]);
    const resources = [...poolOf(perNode, true), ...rest, own];
    const options = { notes: [], warnings: [], held: new Set(['ml/q']) };
    const decision = decide(assemble(resources), byPath, earlier.decision.lock, options);
    const later = { name: 'here', resources, locate: byPath, warnings: [], decision, cost: decision.plan.cost };
    return judgeStates(earlier, later);
  };

  test('stop for good where the new nodes do not match, and their service answers nothing', () => {
    expect(judgeHeld(4)).toMatchObject({
      sentence:
        'Deletes the node pool `us/h100` and creates it again with spot nodes (the cloud can take them away at any time), which **stops all 2 replicas of `ml/q` for good**: the new nodes do not match',
      replicas: '2 → 0',
      happens: '2 down for good: the new nodes do not match',
      total: expect.stringContaining('2 stopped for good, because the new nodes do not match'),
      details: Array(2).fill('stops for good: the new nodes do not match'),
      refused: [
        expect.stringContaining(
          'ModelService ml/chat answers nothing after the change: all replicas of ml/q stop for good',
        ),
        expect.stringContaining('ml/q has no serving replica after the change: the new nodes do not match; because'),
      ],
    });
  });

  test('are down while nodes are replaced where the new nodes match', () => {
    expect(judgeHeld(8)).toMatchObject({ replicas: '2', happens: DOWN, refused: REFUSED });
  });
});

const usWith = (pools: Record<string, Doc>): Resource => aCluster('us', { source: 'GKE', pools });

test('a replica comes to another pool without downtime as the remedy says', () => {
  const spot = aClass('spot', { provisioning: { provider: 'GKE', gke: { ...MACHINES.GKE.gke, spot: true } } });
  const old = { h100: { nodeCount: 1 } };
  const next = { spot: { className: 'spot', nodeCount: 1 } };
  const shared = [made('GKE'), spot];
  const one = [...shared, usWith(old), q({ replicas: 1 })];
  const raised = [...shared, usWith({ ...old, ...next }), q({ replicas: 2 })];
  const lowered = [...shared, usWith(next), q({ replicas: 1 })];
  expect(judge(one, raised).refused).toEqual([]);
  const earlier = state('main', one);
  const grown = state('grown', raised, earlier.decision.lock, earlier);
  const moved = state('moved', lowered, grown.decision.lock, grown);
  expect(judgeStates(grown, moved)).toMatchObject({ serving: '≥ 1 of 2', refused: [] });
  expect(moved.decision.lock.placements.map((line) => line.pools)).toEqual([{ main: 'spot' }]);
});
