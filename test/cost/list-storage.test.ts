import type { Resource } from '../../src/api/kinds';
import { aCache, aClass, aCluster, aDeployment, anEngine, type Doc } from '../api/build';
import { costOf } from './fleet-cost';

/** Weights of 100 GiB on a cluster, in the file system that comes with it. */
const weightsOn = (from: string, cluster: Doc): Resource[] => [
  aClass('p5', { from }),
  aCluster('us', { pools: { p5: 1 }, ...cluster }),
  aCache('ml/weights', { sizeGiB: 100 }),
  aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], cache: 'weights' }),
];
const onEfs = (more: Doc = {}): Resource[] => weightsOn('aws/p5.48xlarge', { source: 'EKS', ...more });
const inRegion = (region: string): Doc => ({
  cluster: { source: 'EKS', eks: { region } },
  pools: { p5: { nodeCount: 1, zones: [`${region}a`] } },
});

/** On Google Cloud a volume has at least 1024 GiB; of a basic SSD 2560. */
const onFilestore = (tier?: string): Resource[] =>
  weightsOn('gcp/a3-highgpu-8g', {
    source: 'GKE',
    storage: { sharedFilesystem: tier === undefined ? {} : { tier } },
  });

/** On Azure Managed Lustre, of 8 TiB. */
const onLustre = (): Resource[] =>
  weightsOn('azure/Standard_ND96isr_H100_v5', {
    cluster: { source: 'AKS', aks: { location: 'eastus' } },
    pools: { p5: { nodeCount: 1, zones: ['1'] } },
    storage: { sharedFilesystem: { lustre: { sku: 'AMLFS-Durable-Premium-250', capacityTiB: 8 } } },
  });

const paid = (region?: string) => ({
  storage: [{ fileSystem: 'EFS', perGiBMonth: 0.1, source: 'invoice', asOf: '2026-09-01', ...(region && { region }) }],
});
const SOURCE = 'xbill9/zombiescan@0771551, pricing/table.json (AWS Price List API)';
const LIST = { perMonth: 30, unknown: 0, asOf: '2026-09-21' };
const perMonth = (amount: number): Doc => ({
  storage: { perMonth: expect.closeTo(amount, 6) as number, unknown: 0, asOf: '2026-09-21' },
});
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
      clusters: [{ volumes: [{ price: { perGiBMonth: 0.3, source: SOURCE, asOf: '2026-09-21' } }] }],
    },
  },
  'comes after what the user pays': { resources: onEfs(), file: paid(), want: { storage: PAID } },
  'stays where the user pays elsewhere': {
    resources: onEfs(),
    file: paid('eu-west-1'),
    want: { storage: LIST },
  },
  'is another in another region': { resources: onEfs(inRegion('eu-west-1')), want: perMonth(33) },
  'is none of a region that the list lacks': {
    resources: onEfs(inRegion('eu-west-9')),
    want: { storage: UNKNOWN },
  },
  'is that of enterprise on Google Cloud, where nothing else is asked for, with its smallest volume': {
    resources: onFilestore(),
    want: perMonth(1024 * 0.45),
  },
  'is that of a regional tier': { resources: onFilestore('Regional'), want: perMonth(1024 * 0.45) },
  'is that of a zonal tier': { resources: onFilestore('Zonal'), want: perMonth(1024 * 0.25) },
  'is unknown of Azure Managed Lustre, whose prices no source states': {
    resources: onLustre(),
    want: { storage: UNKNOWN, clusters: [{ volumes: [{ cache: 'Azure Managed Lustre', sizeGiB: 8192 }] }] },
  },
  'is what the user pays for all of Azure Managed Lustre, whatever is in it': {
    resources: onLustre(),
    file: { storage: [{ ...paid().storage[0], fileSystem: 'Azure Managed Lustre' }] },
    want: { storage: { perMonth: expect.closeTo(819.2, 6) as number, unknown: 0, asOf: '2026-09-01' } },
  },
  'is that of Azure Files on AKS, with its smallest share': {
    resources: weightsOn('azure/Standard_ND96isr_H100_v5', {
      cluster: { source: 'AKS', aks: { location: 'eastus' } },
      pools: { p5: { nodeCount: 1, zones: ['1'] } },
    }),
    want: { storage: { perMonth: 16, unknown: 0, asOf: '2026-07-24' } },
  },
  'is unknown on AKS in a region that the list lacks': {
    resources: weightsOn('azure/Standard_ND96isr_H100_v5', {
      cluster: { source: 'AKS', aks: { location: 'westeurope' } },
      pools: { p5: { nodeCount: 1, zones: ['1'] } },
    }),
    want: { storage: UNKNOWN },
  },
  'is that of Nebius in every region, with its smallest volume': {
    resources: weightsOn('nebius/gpu-h100-sxm_8gpu-128vcpu-1600gb', { cluster: { source: 'Nebius', nebius: {} } }),
    want: { storage: { perMonth: expect.closeTo(1024 * 0.08, 2) as number, unknown: 0, asOf: '2026-10-07' } },
  },
  'is unknown for basic HDD, which no list states': {
    resources: onFilestore('BasicHDD'),
    want: { storage: UNKNOWN },
  },
  'is unknown for basic SSD': { resources: onFilestore('BasicSSD'), want: { storage: UNKNOWN } },
  'is unknown in another currency': {
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
