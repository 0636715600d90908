import type { Resource } from '../../src/api/kinds';
import { copied, judge, made, q, site, small } from './lost-nodes-build';

const RECREATE = { strategy: 'Recreate' };

const cases: Record<string, { before: Resource[]; after: Resource[]; want: object }> = {
  'a pool that still holds all its replicas may restart them, and is drained first where it would take all down': {
    before: [made('EKS'), site('EKS'), q()],
    after: [made('EKS'), site('EKS', { nodeCount: 2 }), q()],
    want: {
      sentence: 'May restart 2 replicas of `ml/q`, and resizes the node pool `us/h100` to 2 nodes instead of 4',
      happens: '2 may restart, about 2 to 17 min: the cloud chooses which nodes go',
      serving: ':warning: ≥ 0 of 2',
      total: expect.stringContaining('2 may restart'),
      refused: [],
      verdict: 'the gate passes if nodes are drained first',
    },
  },
  'nothing has to be drained where enough serve whichever nodes go': {
    before: [made('EKS'), site('EKS'), q()],
    after: [made('EKS'), site('EKS', { nodeCount: 3 }), q()],
    want: {
      happens: '1 may restart, about 2 to 17 min: the cloud chooses which nodes go',
      serving: '≥ 1 of 2',
      refused: [],
      verdict: 'the gate passes',
    },
  },
  'replicas that all have to serve stay up if as many nodes as go are sure to be without them': {
    before: [made('EKS'), site('EKS'), q({ minAvailable: 2 })],
    after: [made('EKS'), site('EKS', { nodeCount: 2 }), q({ minAvailable: 2 })],
    want: { serving: ':warning: ≥ 0 of 2', refused: [], verdict: 'the gate passes if nodes are drained first' },
  },
  'a drain that takes fewer than minAvailable down is refused': {
    before: [made('EKS'), site('EKS'), small()],
    after: [made('EKS'), site('EKS', { nodeCount: 1 }), small()],
    want: {
      serving: ':warning: ≥ 0 of 2',
      refused: [
        expect.stringMatching(
          /^ml\/q: 1 replica is sure to serve during the rollout, fewer than minAvailable: 2, even if nodes are drained first\. In an earlier change, .* apply this change when it serves \(you can undo the earlier one afterwards\); or lower 'minAvailable' to 1 \(cost unchanged\)$/,
        ),
      ],
      verdict: 'refused, 1 problem',
    },
  },
  'Recreate does not accept that nodes go, which are drained first': {
    before: [made('EKS'), site('EKS'), q({ replicas: 1, rollout: RECREATE })],
    after: [made('EKS'), site('EKS', { nodeCount: 1 }), q({ replicas: 1, rollout: RECREATE })],
    want: { serving: ':warning: ≥ 0 of 1', refused: [], verdict: 'the gate passes if nodes are drained first' },
  },
  'copies restart one at a time where their nodes are drained': {
    before: [made('EKS'), site('EKS', { nodeCount: 2 }), copied(2)],
    after: [made('EKS'), site('EKS', { nodeCount: 1 }), copied(2)],
    want: { serving: ':warning: ≥ 0 of 1', refused: [], verdict: 'the gate passes if nodes are drained first' },
  },
  'copies that the same change adds do not serve while nodes are drained': {
    before: [made('EKS'), site('EKS', { nodeCount: 2 }, { monitoring: {} }), copied({ min: 1, max: 2 })],
    after: [made('EKS'), site('EKS', { nodeCount: 1 }, { monitoring: {} }), copied({ min: 2, max: 2 })],
    want: {
      serving: ':warning: ≥ 0 of 1',
      refused: [
        expect.stringMatching(
          /^ml\/q may have no serving replica for .*, even if nodes are drained first; because .* set 'replicas: 2' \(cost unchanged; the new replica runs on us\/h100\)/,
        ),
      ],
    },
  },
  'the only replica on a pool that gets fewer nodes may restart, unless another node is chosen and drained': {
    before: [made('EKS'), site('EKS'), q({ replicas: 1 })],
    after: [made('EKS'), site('EKS', { nodeCount: 2 }), q({ replicas: 1 })],
    want: {
      sentence: 'May restart 1 replica of `ml/q`, and resizes the node pool `us/h100` to 2 nodes instead of 4',
      happens: '1 may restart, about 2 to 17 min: the cloud chooses which nodes go',
      serving: ':warning: ≥ 0 of 1',
      refused: [],
      verdict: 'the gate passes if nodes are drained first',
    },
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
  expect(judge(before, after)).toMatchObject(want);
});
