import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const GKE = { 'spec.cluster': { source: 'GKE', gke: { region: 'us-central1' } }, 'spec.nodePools': [] };
const LUSTRE = { sku: 'AMLFS-Durable-Premium-250', capacityTiB: 8 };

const bad: Record<string, BadRow> = {
  'Azure Managed Lustre is created on AKS only': {
    change: { ...GKE, 'spec.storage.sharedFilesystem': { lustre: LUSTRE } },
    want: [
      'spec.storage.sharedFilesystem.lustre: Azure Managed Lustre is not created on GKE. Remove it, or name a storage class.',
    ],
  },
  'Azure Managed Lustre has a storage class of its own': {
    change: {
      'spec.cluster': { source: 'AKS', aks: { location: 'eastus' } },
      'spec.nodePools': [],
      'spec.storage.sharedFilesystem': { storageClassName: 'ours', lustre: LUSTRE },
    },
    want: [
      "spec.storage.sharedFilesystem.lustre: 'ours' is the storage class, so no file system is created. Keep one of the two.",
    ],
  },
};

test.each(Object.entries(bad))('%s', (_, { change, want }) => {
  expect(reported(changed(fullDocument('InferenceCluster'), change))).toEqual(want);
});
