import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, anEngine, byPath } from '../../api/build';

const H100 = aClass('h100', { from: 'azure/Standard_ND96isr_H100_v5' });
const eu = aCluster('eu', {
  cluster: { source: 'AKS', aks: { location: 'westeurope' } },
  pools: { h100: { nodeCount: 2, zones: ['1'] } },
  storage: { sharedFilesystem: { lustre: { sku: 'AMLFS-Durable-Premium-500', capacityTiB: 4 } } },
});

/** A deployment with a cache of that size. */
const cached = (name: string, sizeGiB: number) => [
  aCache(`ml/${name}`, { sizeGiB }),
  aDeployment(`ml/${name}`, { engines: [anEngine('main', { gpus: 8 })], cache: name }),
];

const cases: Record<string, { sizes: number[]; want: string[] }> = {
  'caches that fill it are fine': { sizes: [2048, 2048], want: [] },
  'a cache too many is a warning': {
    sizes: [2048, 2049],
    want: [
      'InferenceCluster eu spec.storage.sharedFilesystem: the caches on the cluster need 4,097 GiB, and Azure Managed Lustre has 4,096. Use a larger file system, or fewer caches.',
    ],
  },
};

test.each(Object.entries(cases))('of a file system that caches share, %s', (_, { sizes, want }) => {
  const resources = sizes.flatMap((size, i) => cached(`c${i}`, size));
  const { plan } = decide(assemble([H100, eu, ...resources]), byPath, EMPTY_LOCK);
  const found = plan.warnings.filter(({ code }) => code === 'file-system-full');
  expect(found.map(formatDiagnostic)).toEqual(want);
});
