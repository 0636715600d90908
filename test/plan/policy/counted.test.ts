import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, anEngine, type Doc } from '../../api/build';
import { findings, reported } from './build';

const TEN = aClass('ten', { price: { perHour: 10 } });
const eu = aCluster('eu', { pools: { ten: 2 } });
const eight = (more: Doc = {}) => aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });
const MONITORED = { pools: { ten: 2 }, monitoring: {} };
const SCALED = anEngine('main', { copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 4 }] } });

const cases: Record<string, { resources: Resource[]; rule: Doc; before?: Resource[]; want: string[] }> = {
  'devices of copies that scaling may add are counted, and named': {
    resources: [TEN, aCluster('eu', MONITORED), eight({ replicas: 2, engines: [SCALED] })],
    rule: { deviceQuota: { most: 3 } },
    want: [
      'denied by rule: policy.yaml:2:5: the fleet uses 6 of gpu.nvidia.com (4 of them in copies that scaling may add), and the limit is 3. It is met with 1 replica of ml/q instead of 2.',
    ],
  },
  'copies of a replica that drains count as draining': {
    before: [TEN, aCluster('us', MONITORED), eight({ engines: [SCALED] })],
    resources: [
      TEN,
      aCluster('eu', MONITORED),
      aCluster('us', { ...MONITORED, taints: [{ key: 'maintenance', effect: 'NoExecute' }] }),
      eight({ engines: [SCALED] }),
    ],
    rule: { deviceQuota: { most: 3 } },
    want: [
      `denied by rule: policy.yaml:2:5: the fleet uses 6 of gpu.nvidia.com (3 of them in draining replicas, 2 in copies that scaling may add), and the limit is 3.`,
    ],
  },
  'what uses most of it is named, with as many copies as meet it, where no replica is new': {
    before: [TEN, aCluster('eu', MONITORED), eight({ engines: [SCALED] }), aDeployment('ml/r')],
    resources: [TEN, aCluster('eu', MONITORED), eight({ engines: [SCALED] }), aDeployment('ml/r')],
    rule: { deviceQuota: { most: 3 } },
    want: [
      "denied by rule: policy.yaml:2:5: the fleet uses 4 of gpu.nvidia.com (2 of them in copies that scaling may add), and the limit is 3. Most is used by ml/q (3), ml/r (1). It is met with 'copies.max: 2' instead of 3 in engine main of ml/q.",
    ],
  },
  'of a budget too, with as many replicas as meet it': {
    before: [TEN, aCluster('eu', { pools: { ten: 4 } }), eight({ replicas: 3 }), aDeployment('ml/r')],
    resources: [TEN, aCluster('eu', { pools: { ten: 4 } }), eight({ replicas: 3 }), aDeployment('ml/r')],
    rule: { budget: { namespace: 'ml', perMonth: 20_000 } },
    want: [
      'denied by rule: policy.yaml:2:5: namespace ml costs $22,813, and the limit is $20,000 a month. Most is used by ml/q ($21,900), ml/r ($913). It is met with 2 replicas of ml/q instead of 3.',
    ],
  },
  'one that is rolled in place with a new shape counts': {
    before: [TEN, eu, eight()],
    resources: [TEN, eu, aDeployment('ml/q', { engines: [anEngine('main', { gpus: 4 })] })],
    rule: { moves: { most: 0 } },
    want: [
      'denied by rule: policy.yaml:2:5: 1 replica moves, or is rolled in place with a new shape, and the limit for one change is 0.',
    ],
  },
};

test.each(Object.entries(cases))('what a limit counts: %s', (_, { resources, rule, before, want }) => {
  expect(reported(resources, rule, before)).toEqual(want);
});

test('a plan that costs more than a budget says what to raise, and to what', () => {
  const [found] = findings([TEN, eu, eight()], { budget: { perMonth: 1 } });
  expect(found?.hint).toBe(
    "Change the fleet, or raise budget.perMonth of rule 'rule' (policy.yaml:2:5) from 1 to 14600",
  );
});
