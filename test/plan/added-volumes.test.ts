import { priceFile } from '../../src/api/price-file';
import { assemble } from '../../src/fleet/fleet';
import { BUILT_IN_HARDWARE } from '../../src/fleet/hardware/hardware';
import { buildPriceBook } from '../../src/fleet/prices/price-book';
import { createVolumePricer } from '../../src/plan/added-volumes';
import { aCache, aCluster, aDeployment, anEngine, type Doc } from '../api/build';

const priced = (fileSystem: string, perGiBMonth: number) => ({
  fileSystem,
  perGiBMonth,
  source: 'invoice',
  asOf: '2026-09-01',
});
const PRICES = buildPriceBook(priceFile.parse({ storage: [priced('nfs', 2), priced('ssd', 3)] }));
const EU = aCluster('eu', {
  storage: { sharedFilesystem: { storageClassName: 'nfs' }, blockDevice: { storageClassName: 'ssd' } },
});
const US = aCluster('us', { storage: { sharedFilesystem: { storageClassName: 'own' } } });
const AP = aCluster('ap', {
  storage: { sharedFilesystem: { storageClassName: 'nfs' }, blockDevice: { storageClassName: 'own' } },
});
const q = aDeployment('ml/q', { cache: 'w', engines: [anEngine('main', { gpus: 8, workers: 1 })] });
const tuned = aDeployment('ml/tuned', {
  cache: 'w',
  loraAdapters: [{ name: 'a', modelCacheRef: { name: 'adapter' } }],
});
const other = aDeployment('ml/other', { cache: 'w' });

interface Row {
  cache?: Doc;
  /** The replicas on the cluster eu. */
  present?: (typeof q)[];
  deployment?: string;
  on?: string;
  want: number | undefined;
}

const DISK = { storage: 'BlockDevice' };
const ADAPTER = aCache('ml/adapter', { sizeGiB: 1, ...DISK });
const CLAIM = { source: 'ExistingPVC', existingPVC: { claimName: 'x' }, huggingFace: undefined, sizeGiB: undefined };

const rows: Record<string, Row> = {
  'a cache that is not staged on the cluster needs a volume there': { want: 20 },
  'a volume that a replica of the deployment mounts already costs nothing more': { present: [q], want: 0 },
  'a volume that another deployment mounts already costs nothing more': { present: [other], want: 0 },
  'a cache that is staged everywhere costs nothing more': { cache: { stage: 'Everywhere' }, want: 0 },
  'each pod of a further replica has a disk of its own': { cache: DISK, present: [q], want: 60 },
  'a claim that exists costs nothing': { cache: CLAIM, want: 0 },
  'a deployment with adapters needs a volume for each cache': { deployment: 'ml/tuned', want: 23 },
  'of several volumes, one without a price leaves the sum unknown': {
    deployment: 'ml/tuned',
    on: 'ap',
    want: undefined,
  },
  'a volume of a storage class without a price has no known price': { on: 'us', want: undefined },
};

test.each(Object.entries(rows))('%s', (_, { cache, present = [], deployment: id = 'ml/q', on = 'eu', want }) => {
  const hardware = { ...BUILT_IN_HARDWARE, prices: PRICES };
  const fleet = assemble([EU, US, AP, aCache('ml/w', { sizeGiB: 10, ...cache }), ADAPTER, q, tuned, other], hardware);
  const price = createVolumePricer(
    fleet,
    present.map((deployment) => ({ deployment, cluster: EU })),
  );
  expect(price(id, on)).toBe(want);
});
