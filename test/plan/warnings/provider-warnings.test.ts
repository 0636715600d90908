import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findProviderWarnings } from '../../../src/plan/warnings/provider-warnings';
import { aCluster, byPath, parsed } from '../../api/build';

interface Row {
  provider?: string;
  from: string;
  want: string[];
}

const LABEL = 'fleetwright.dev/provider';

const rows: Record<string, Row> = {
  'a machine of the cloud that the label names is fine': { provider: 'GKE', from: 'gcp/a2-ultragpu-2g', want: [] },
  'a machine of another cloud': {
    provider: 'AKS',
    from: 'gcp/a2-ultragpu-2g',
    want: [
      "InferenceCluster us spec.nodePools.0.className: InferenceClass 'a100' has 'gcp/a2-ultragpu-2g' of GKE, and the label of the cluster says AKS. Use a class for AKS, or correct the label.",
    ],
  },
  'a cloud in another case': {
    provider: 'gke',
    from: 'gcp/a2-ultragpu-2g',
    want: [`InferenceCluster us metadata.labels.${LABEL}: no cloud has the name 'gke'. Use 'GKE'.`],
  },
  'a cloud by the prefix of its machines': {
    provider: 'GCP',
    from: 'gcp/a2-ultragpu-2g',
    want: [`InferenceCluster us metadata.labels.${LABEL}: no cloud has the name 'GCP'. Use 'GKE'.`],
  },
  'a provider of the house says nothing about machines': { provider: 'house', from: 'gcp/a2-ultragpu-2g', want: [] },
  'a cluster without the label may be on any cloud': { from: 'gcp/a2-ultragpu-2g', want: [] },
};

test.each(Object.entries(rows))('%s', (_, { provider, from, want }) => {
  const declared = parsed('InferenceClass', 'a100', { from });
  const cluster = aCluster('us', { pools: { a100: 1 }, ...(provider && { labels: { [LABEL]: provider } }) });
  const found = locateAll(findProviderWarnings(assemble([declared, cluster])), byPath);
  expect(found.map(formatDiagnostic)).toEqual(want);
});
