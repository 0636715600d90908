import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, anEngine, byPath, type Doc, MACHINES } from '../api/build';
import { costOf } from './fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const FOUR = aClass('four', { price: { perHour: 4, asOf: '2026-10-01' } });
const FREE = aClass('free');
const onCloud = (cloud: 'EKS' | 'GKE') =>
  aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' }, provisioning: MACHINES[cloud] });
const q = ({ gpus = 8, ...more }: Doc & { gpus?: number } = {}) =>
  aDeployment('ml/q', { engines: [anEngine('main', { gpus })], ...more });
const weights = (more: Doc = {}) => aCache('ml/weights', { sizeGiB: 100, ...more });
const cached = (more: Doc = {}) => q({ cache: 'weights', ...more });
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const stored = (fileSystem: string, perGiBMonth: number, region?: string) => ({
  storage: [{ fileSystem, perGiBMonth, source: 'invoice', asOf: '2026-09-01', ...(region && { region }) }],
});

interface Row {
  resources: readonly Resource[];
  file?: Doc;
  want: Doc;
}

const hour = (perHour: number, unknown = 0) => ({ perHour, perMonth: perHour * 730, unknown });

const rows: Record<string, Row> = {
  'nodes cost whether they are used or not, and a month has 730 hours': {
    resources: [TEN, aCluster('eu', { pools: { ten: 3 } })],
    want: {
      currency: 'USD',
      hoursPerMonth: 730,
      fixed: { ...hour(30), asOf: '2026-11-01' },
      total: { least: hour(30), most: hour(30) },
      idle: hour(30),
    },
  },
  'an autoscaled pool costs between its bounds, apart from what always runs': {
    resources: [
      TEN,
      FOUR,
      aCluster('eu', { pools: { ten: 1, four: { nodeCount: 2, minNodeCount: 1, maxNodeCount: 5 } } }),
    ],
    want: {
      fixed: hour(10),
      autoscaled: { least: hour(4), most: hour(20) },
      total: { least: hour(14), most: hour(30) },
      clusters: [
        {
          pools: [
            { pool: 'four', autoscaled: true, nodes: { least: 1, most: 5 }, least: hour(4), most: hour(20) },
            { pool: 'ten', autoscaled: false, nodes: { least: 1, most: 1 }, least: hour(10) },
          ],
        },
      ],
    },
  },
  'an autoscaler without a minimum may leave no node': {
    resources: [TEN, aCluster('eu', { pools: { ten: { nodeCount: 2, maxNodeCount: 5 } } })],
    want: { autoscaled: { least: hour(0), most: hour(50) }, idle: hour(0) },
  },
  'an autoscaler on EKS without a minimum keeps the node from which it learns the devices': {
    resources: [onCloud('EKS'), aCluster('eu', { source: 'EKS', pools: { ten: { nodeCount: 0, maxNodeCount: 5 } } })],
    want: { autoscaled: { least: hour(10), most: hour(50) }, idle: hour(10) },
  },
  'and one on GKE keeps none': {
    resources: [onCloud('GKE'), aCluster('eu', { source: 'GKE', pools: { ten: { nodeCount: 0, maxNodeCount: 5 } } })],
    want: { autoscaled: { least: hour(0), most: hour(50) }, idle: hour(0) },
  },
  'replicas cost their part of a node, and what they leave is idle': {
    resources: [TEN, aCluster('eu', { pools: { ten: 2 } }), q({ gpus: 2, replicas: 3 })],
    want: {
      idle: hour(12.5),
      clusters: [{ idle: hour(12.5), pools: [{ taken: 0.75, rollouts: 0 }] }],
      namespaces: [{ namespace: 'ml', replicas: hour(7.5), storage: hour(0), total: hour(7.5) }],
      deployments: [
        {
          deployment: 'ml/q',
          cost: hour(7.5),
          replicas: [0, 1, 2].map((index) => ({ cluster: 'eu', index, cost: hour(2.5) })),
        },
      ],
    },
  },
  'what is held for rollouts is no part of a replica, and idle': {
    resources: [TEN, aCluster('eu', { pools: { ten: 3 } }), q({ rollout: { surge: 1 } })],
    want: {
      idle: hour(20),
      clusters: [{ pools: [{ taken: 1, rollouts: 1 }] }],
      deployments: [{ cost: hour(10) }],
    },
  },
  'copies that an autoscaler chooses cost between their bounds, and all of them are taken': {
    resources: [
      TEN,
      aCluster('eu', { pools: { ten: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4 } }, monitoring: {} }),
      aDeployment('ml/q', {
        engines: [anEngine('main', { gpus: 8, copies: { min: 1, max: 3 }, scaling: { on: [{ queue: 4 }] } })],
      }),
    ],
    want: {
      total: { least: hour(10), most: hour(40) },
      clusters: [{ pools: [{ taken: 3 }] }],
      namespaces: [{ leastReplicas: hour(10), replicas: hour(30) }],
      deployments: [
        { least: hour(10), cost: hour(30), replicas: [{ cluster: 'eu', index: 0, least: hour(10), cost: hour(30) }] },
      ],
    },
  },
  'nodes that an autoscaler adds for replicas are not idle': {
    resources: [TEN, aCluster('eu', { pools: { ten: { nodeCount: 1, maxNodeCount: 4 } } }), q({ replicas: 3 })],
    want: { idle: hour(0), clusters: [{ pools: [{ taken: 3 }] }], deployments: [{ cost: hour(30) }] },
  },
  'an autoscaled pool costs at least the nodes that its replicas need': {
    resources: [
      TEN,
      aCluster('eu', { pools: { ten: { nodeCount: 1, minNodeCount: 1, maxNodeCount: 4 } } }),
      q({ gpus: 4, replicas: 5 }),
    ],
    want: {
      total: { least: hour(30), most: hour(40) },
      idle: hour(5),
      clusters: [{ pools: [{ taken: 2.5, nodes: { least: 3, most: 4 } }] }],
    },
  },
  'copies that an autoscaler can remove raise no lower bound': {
    resources: [
      TEN,
      aCluster('eu', { pools: { ten: { nodeCount: 1, maxNodeCount: 4 } }, monitoring: {} }),
      aDeployment('ml/q', {
        engines: [anEngine('main', { gpus: 8, copies: { min: 2, max: 3 }, scaling: { on: [{ queue: 4 }] } })],
      }),
    ],
    want: { total: { least: hour(20), most: hour(40) }, clusters: [{ pools: [{ nodes: { least: 2, most: 4 } }] }] },
  },
  'what no one knows is unknown, and a sum with it is at least the rest': {
    resources: [
      TEN,
      FREE,
      aCluster('eu', { pools: { ten: 1 } }),
      aCluster('us', { pools: { free: 2 } }),
      q({ replicas: 2 }),
    ],
    want: {
      fixed: hour(10, 1),
      total: { least: hour(10, 1), most: hour(10, 1) },
      idle: { unknown: 1 },
      clusters: [{ total: { least: hour(10) } }, { total: { least: { unknown: 1 } } }],
      deployments: [{ cost: hour(10, 1), replicas: [{ cost: hour(10) }, { cluster: 'us', cost: { unknown: 1 } }] }],
    },
  },
  'a pool of no nodes costs nothing, whatever its price': {
    resources: [FREE, aCluster('eu', { pools: { free: 0 } })],
    want: { fixed: hour(0), idle: hour(0) },
  },
  'a price of zero is a price': {
    resources: [aClass('owned', { price: { perHour: 0 } }), aCluster('eu', { pools: { owned: 2 } })],
    want: { fixed: hour(0) },
  },
  'the price, its source and its day stand at every pool, and the oldest day at every sum': {
    resources: [TEN, FOUR, aCluster('eu', { pools: { ten: 1, four: 1 } })],
    want: {
      total: { least: { asOf: '2026-10-01' } },
      clusters: [
        {
          pools: [
            { price: { perHour: 4, source: 'InferenceClass four', asOf: '2026-10-01' } },
            { least: { asOf: '2026-11-01' } },
          ],
        },
      ],
      sources: [
        { source: 'InferenceClass four', asOf: '2026-10-01', discounts: [] },
        { source: 'InferenceClass ten', asOf: '2026-11-01', discounts: [] },
      ],
    },
  },
  'nodes on spot have the price on spot, and none where only that on demand is known': {
    resources: [
      aClass('g2', { from: 'gcp/g2-standard-4', devices: [], provisioning: { gke: { spot: true } } }),
      aClass('g2-8', {
        from: 'gcp/g2-standard-8',
        devices: [],
        provisioning: { gke: { spot: true } },
      }),
      aCluster('eu', { source: 'GKE', pools: { g2: 1, 'g2-8': 1 } }),
    ],
    want: { fixed: { perHour: 0.397, unknown: 1 } },
  },
  'storage is unknown where no one says': {
    resources: [TEN, aCluster('eu', { pools: { ten: 1 }, ...nfs }), weights(), cached()],
    want: {
      storage: { unknown: 1 },
      total: { least: hour(10, 1) },
      namespaces: [{ replicas: hour(10), storage: { unknown: 1 }, total: hour(10, 1) }],
      clusters: [{ volumes: [{ cache: 'ml/weights', sizeGiB: 100, cost: { unknown: 1 } }] }],
    },
  },
  'storage costs by its class, a month': {
    resources: [TEN, aCluster('eu', { pools: { ten: 1 }, ...nfs }), weights(), cached()],
    file: stored('nfs', 0.073),
    want: {
      storage: { perHour: 0.01, perMonth: 7.3, unknown: 0, asOf: '2026-09-01' },
      clusters: [{ volumes: [{ price: { perGiBMonth: 0.073, source: 'invoice', asOf: '2026-09-01' } }] }],
    },
  },
  'storage costs by what its file system is called, and by the smallest volume that it makes': {
    resources: [
      aClass('ten', { price: { perHour: 10 }, from: 'gcp/a3-highgpu-8g' }),
      aCluster('eu', { source: 'GKE', pools: { ten: 1 } }),
      weights(),
      cached(),
    ],
    file: stored('Filestore (enterprise)', 0.5),
    want: { clusters: [{ volumes: [{ sizeGiB: 1024, cost: { perMonth: 512 } }] }] },
  },
  'a price of storage in another region is none': {
    resources: [
      aClass('ten', { price: { perHour: 10 }, from: 'gcp/a3-highgpu-8g' }),
      aCluster('eu', {
        source: 'GKE',
        pools: { ten: 1 },
        storage: { sharedFilesystem: { tier: 'BasicHDD' } },
      }),
      weights(),
      cached(),
    ],
    file: stored('Filestore (basic HDD)', 0.5, 'us-east1'),
    want: { storage: { unknown: 1 } },
  },
  'a cache on two clusters is paid for twice': {
    resources: [
      TEN,
      aCluster('eu', { pools: { ten: 1 }, ...nfs }),
      aCluster('us', { pools: { ten: 1 }, ...nfs }),
      weights(),
      cached({ replicas: 2 }),
    ],
    file: stored('nfs', 0.073),
    want: { storage: { perMonth: 14.6 } },
  },
  'a volume that exists already is not paid for here': {
    resources: [
      TEN,
      aCluster('eu', { pools: { ten: 1 } }),
      aCache('ml/weights', {
        source: 'ExistingPVC',
        existingPVC: { claimName: 'x' },
        huggingFace: undefined,
        sizeGiB: undefined,
      }),
      cached(),
    ],
    want: { storage: { perHour: 0, unknown: 0 }, clusters: [{ volumes: [] }] },
  },
};

test.each(Object.entries(rows))('cost: %s', (_, { resources, file, want }) => {
  expect(costOf(resources, file)).toMatchObject(want);
});

test('what it costs does not depend on the order of what is declared', () => {
  const resources = [
    TEN,
    FOUR,
    aCluster('eu', { pools: { ten: 1, four: 2 }, ...nfs }),
    aCluster('us', { pools: { four: 2, ten: 3 }, ...nfs }),
    weights(),
    cached({ replicas: 4 }),
    aDeployment('ab/q', { replicas: 2 }),
  ];
  expect(costOf(resources.toReversed(), stored('nfs', 1))).toEqual(costOf(resources, stored('nfs', 1)));
});

test('replicas that are draining cost until they are finalized, and are marked', () => {
  const [eu, us] = [aCluster('eu', { pools: { ten: 1 } }), aCluster('us', { pools: { ten: 1 } })];
  const { lock } = decide(assemble([TEN, eu, q()]), byPath, EMPTY_LOCK);
  const drained = aCluster('eu', { pools: { ten: 1 }, taints: [{ key: 'drain', effect: 'NoExecute' }] });
  const { cost } = decide(assemble([TEN, drained, us, q()]), byPath, lock).plan;
  expect(cost.deployments).toMatchObject([
    { cost: hour(20), replicas: [{ cluster: 'eu', draining: true, cost: hour(10) }, { cluster: 'us' }] },
  ]);
});
