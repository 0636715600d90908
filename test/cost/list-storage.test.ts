import type { Resource } from '../../src/api/kinds';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { costOf } from './fleet-cost';

/** Weights of 100 GiB on a cluster of AWS, in the file system that comes with it. */
const onEfs = (more: Doc = {}): Resource[] => [
  aClass('p5', { from: 'aws/p5.48xlarge' }),
  aCluster('us', { source: 'EKS', pools: { p5: 1 }, ...more }),
  aCache('ml/weights', { sizeGiB: 100 }),
  aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], cache: 'weights' }),
];

const paid = (region?: string): Doc => ({
  storage: [
    { fileSystem: 'EFS', perGiBMonth: 0.1, source: 'invoice', asOf: '2026-09-01', ...(region && { region }) },
  ],
});
const SOURCE = 'factualminds.com/blog/amazon-efs-pricing-throughput-modes-storage-classes';
const LIST = { perMonth: 30, unknown: 0, asOf: '2026-06-01' };
const PAID = { perMonth: 10, unknown: 0, asOf: '2026-09-01' };
const UNKNOWN = { unknown: 1 };

interface Row {
  resources: readonly Resource[];
  file?: Doc;
  want: Doc;
}

const rows: Record<string, Row> = {
  'is that of EFS in its region, with source and day': {
    resources: onEfs(),
    want: {
      storage: LIST,
      clusters: [{ volumes: [{ price: { perGiBMonth: 0.3, source: SOURCE, asOf: '2026-06-01' } }] }],
    },
  },
  'comes after what the user pays': { resources: onEfs(), file: paid(), want: { storage: PAID } },
  'stays where the user pays elsewhere': {
    resources: onEfs(),
    file: paid('eu-west-1'),
    want: { storage: LIST },
  },
  'is none of another region': {
    resources: onEfs({
      cluster: { source: 'EKS', eks: { region: 'eu-west-1' } },
      pools: { p5: { nodeCount: 1, zones: ['eu-west-1a'] } },
    }),
    want: { storage: UNKNOWN },
  },
  'is none in another currency': {
    resources: onEfs(),
    file: { currency: 'EUR' },
    want: { storage: UNKNOWN },
  },
  'is none of a class that the user names': {
    resources: onEfs({ storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
    want: { storage: UNKNOWN },
  },
  'is not lowered by discounts, which are on nodes': {
    resources: onEfs(),
    file: { discounts: [{ name: 'agreement', kind: 'Negotiated', factor: 0.5 }] },
    want: { storage: LIST },
  },
};

test.each(Object.entries(rows))('the list price of storage %s', (_, { resources, file, want }) => {
  expect(costOf(resources, file)).toMatchObject(want);
});
