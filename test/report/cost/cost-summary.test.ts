import type { Resource } from '../../../src/api/kinds';
import { formatCost } from '../../../src/report/cost/cost-summary';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc, MACHINES } from '../../api/build';
import { costOf } from '../../cost/fleet-cost';

const TEN = aClass('ten', { price: { perHour: 10, asOf: '2026-11-01' } });
const OTHER = aClass('other', { price: { perHour: 1 } });
const FREE = aClass('free');
const nfs = { storage: { sharedFilesystem: { storageClassName: 'nfs' } } };
const SCALED = { className: 'other', nodeCount: 2, minNodeCount: 1, maxNodeCount: 5 };

/** Where a price of nodes is stated. */
const STATE = "State a price in 'price' of the InferenceClass, or in the file of 'prices' of the Fleet.";

const cases: Record<string, { resources: Resource[]; file?: Doc; want: string[] }> = {
  'one figure, where there are no bounds and all is known': {
    resources: [TEN, aCluster('eu', { pools: { ten: 2 } })],
    want: [
      'Cost: $20 an hour, $14,600 a month of 730 hours',
      '  an hour: nodes that always run $20. Of this, idle: $20',
      '  prices: InferenceClass ten (2026-11-01)',
    ],
  },
  'two, where an autoscaler decides, and prices without a day': {
    resources: [TEN, OTHER, aCluster('eu', { pools: { ten: 2, scaled: SCALED } })],
    want: [
      'Cost: $21 to $25 an hour, $15,330 to $18,250 a month of 730 hours',
      '  an hour: nodes that always run $20; autoscaled nodes $1 to $5. Of this, idle: $21',
      '  prices: InferenceClass other (undated); InferenceClass ten (2026-11-01)',
    ],
  },
  'at least so much, where parts have no price': {
    resources: [
      TEN,
      FREE,
      aCluster('eu', { pools: { ten: 1, free: 1 }, ...nfs }),
      aCache('ml/weights'),
      aDeployment('ml/q', { cache: 'weights', engines: [anEngine('main', { gpus: 8 })], replicas: 2 }),
    ],
    want: [
      'Cost: $10 an hour, $7,300 a month of 730 hours, and 1 pool and 1 volume without a price',
      '  an hour: nodes that always run $10 and 1 pool without a price; storage unknown. Of this, idle: $0',
      `  no price: eu / free, eu / cache ml/weights. ${STATE}`,
      '  prices: InferenceClass ten (2026-11-01)',
    ],
  },
  'where else a node has a price, if it has none in its region': {
    resources: [aClass('h100', { provisioning: MACHINES.GKE }), aCluster('us', { source: 'GKE', pools: { h100: 1 } })],
    file: {
      currency: 'EUR',
      prices: ['us-east4', 'europe-west4'].map((region) => ({
        instanceType: 'gcp/a3-highgpu-8g',
        region,
        perHour: 92.94,
        source: 'bill',
        asOf: '2026-09-01',
      })),
    },
    want: [
      'Cost: unknown. No price is known for 1 pool.',
      `  no price: us / h100 (no price in us-central1; europe-west4: 92.94 EUR, us-east4: 92.94 EUR). ${STATE}`,
    ],
  },
  'the currency of the fleet, and storage': {
    resources: [
      aClass('euro', { price: { perHour: 10, currency: 'EUR' } }),
      aCluster('eu', { pools: { euro: 1 }, ...nfs }),
      aCache('ml/weights', { sizeGiB: 100 }),
      aDeployment('ml/q', { cache: 'weights', engines: [anEngine('main', { gpus: 8 })] }),
    ],
    file: {
      currency: 'EUR',
      storage: [{ fileSystem: 'nfs', perGiBMonth: 1.46, source: 'bill', asOf: '2026-09-01' }],
    },
    want: [
      'Cost: 10.20 EUR an hour, 7,446 EUR a month of 730 hours',
      '  an hour: nodes that always run 10 EUR; storage 0.20 EUR. Of this, idle: 0 EUR',
      '  prices: InferenceClass euro (undated); bill (2026-09-01)',
    ],
  },
  'that nothing is known': {
    resources: [FREE, aCluster('eu', { pools: { free: 1 } }), aCluster('us', { pools: { free: 1 } })],
    want: ['Cost: unknown. No price is known for 2 pools.', `  no price: eu / free, us / free. ${STATE}`],
  },
  'that the price of storage is stated in a file': {
    resources: [
      aClass('ten', { price: { perHour: 10 } }),
      aCluster('eu', { pools: { ten: 1 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
      aCache('ml/weights', { stage: 'Everywhere' }),
    ],
    want: [
      'Cost: $10 an hour, $7,300 a month of 730 hours, and 1 volume without a price',
      '  an hour: nodes that always run $10; storage unknown. Of this, idle: $10',
      "  no price: eu / cache ml/weights. State a price in the file of 'prices' of the Fleet.",
      '  prices: InferenceClass ten (undated)',
    ],
  },
  'why nodes on spot have no price': {
    resources: [
      aClass('g2', { from: 'gcp/g2-standard-8', devices: [], provisioning: { gke: { spot: true } } }),
      aCluster('eu', { pools: { g2: 1 }, labels: { 'topology.kubernetes.io/region': 'us-central1' } }),
    ],
    want: [
      'Cost: unknown. No price is known for 1 pool.',
      "  no price: eu / g2 (spot: no list has its price; state 'spotPerHour' in 'price' of the class)",
    ],
  },
  'many parts without a price, counted': {
    resources: [
      TEN,
      FREE,
      aCluster('eu', { pools: { ten: 1 } }),
      ...Array.from({ length: 10 }, (_, i) => aCluster(`c${i}`, { pools: { free: 1 } })),
    ],
    want: [
      'Cost: $10 an hour, $7,300 a month of 730 hours, and 10 pools without a price',
      '  an hour: nodes that always run $10 and 10 pools without a price. Of this, idle: $10 and 10 pools without a price',
      `  no price: ${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `c${i} / free, `).join('')}2 more. ${STATE}`,
      '  prices: InferenceClass ten (2026-11-01)',
    ],
  },
  discounts: {
    resources: [aClass('p5', { from: 'aws/p5.48xlarge' }), aCluster('us', { source: 'EKS', pools: { p5: 1 } })],
    file: { discounts: [{ name: 'three years', kind: 'Committed', factor: 0.5 }] },
    want: [
      'Cost: $27.52 an hour, $20,090 a month of 730 hours',
      '  an hour: nodes that always run $27.52. Of this, idle: $27.52',
      '  prices: aws/karpenter-provider-aws, zz_generated.pricing_aws.go (2026-07-20, less three years)',
    ],
  },
  'nothing of a fleet that buys nothing': { resources: [aCluster('door')], want: [] },
};

describe('where prices of other regions are known, the cost says', () => {
  const known = [TEN, aCluster('eu', { pools: { ten: 1 } })];
  const about = {
    cost: costOf([TEN, OTHER, aCluster('eu', { pools: { ten: 1, free: { className: 'other', nodeCount: 3 } } })]),
    assumed: [{ cluster: 'eu', pool: 'free', region: 'us-central1', perHour: 1 }],
  };

  test('what all of it is about, in place of what is known', () => {
    const cost = costOf([TEN, FREE, aCluster('eu', { pools: { ten: 1, free: 3 } })]);
    expect(terminalLines(formatCost(cost, [], about)).slice(0, 2)).toEqual([
      'Cost: about $9,490 a month (eu/free priced as in us-central1)',
      '  an hour: nodes that always run $13. Of this, idle: $13',
    ]);
  });

  test('what it is about in place of what is unknown', () => {
    const cost = costOf([FREE, aCluster('eu', { pools: { free: 3 } })]);
    expect(terminalLines(formatCost(cost, [], about))[0]).toBe(
      'Cost: about $9,490 a month (eu/free priced as in us-central1)',
    );
  });

  test('nothing of them where all is known', () => {
    expect(terminalLines(formatCost(costOf(known), [], about)).join()).not.toContain('about');
  });
});

test.each(Object.entries(cases))('the cost says %s', (_, { resources, file, want }) => {
  expect(terminalLines(formatCost(costOf(resources, file)))).toEqual(want);
});
