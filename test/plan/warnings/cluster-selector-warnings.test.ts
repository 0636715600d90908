import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findClusterSelectorWarnings } from '../../../src/plan/warnings/cluster-selector-warnings';
import { aCluster, aDeployment, byPath, type Doc } from '../../api/build';

const SELECTOR = 'ModelDeployment ml/q spec.template.spec.clusterSelector';
const REGION = 'topology.kubernetes.io/region';

const rows: Record<string, { selector: Doc; want: string[] }> = {
  'labels that a cluster has are fine': { selector: { matchLabels: { [REGION]: 'berlin', tier: 'gpu1' } }, want: [] },
  'a misspelled value gets the value of a cluster': {
    selector: { matchLabels: { [REGION]: 'berln' } },
    want: [`${SELECTOR}.matchLabels.${REGION}: no cluster has the label ${REGION}: berln. Did you mean 'berlin'?`],
  },
  'a misspelled key gets the key of a cluster': {
    selector: { matchExpressions: [{ key: 'teir', operator: 'Exists' }] },
    want: [`${SELECTOR}.matchExpressions.0.key: no cluster has the label teir. Did you mean 'tier'?`],
  },
  'each value of a list is checked, whatever its case': {
    selector: { matchExpressions: [{ key: 'fleetwright.dev/provider', operator: 'In', values: ['gke', 'Existing'] }] },
    want: [
      `${SELECTOR}.matchExpressions.0.values.0: no cluster has the label fleetwright.dev/provider: gke. Did you mean 'GKE'?`,
    ],
  },
  'a value that differs in digits alone may be of a cluster to come': {
    selector: { matchLabels: { tier: 'gpu2' } },
    want: [],
  },
  'a value like none may be of a cluster to come': { selector: { matchLabels: { tier: 'edge' } }, want: [] },
  'what clusters must not have may be of none': {
    selector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gpu'] }] },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_, { selector, want }) => {
  const fleet = assemble([
    aCluster('onprem', { labels: { [REGION]: 'berlin', tier: 'gpu1' } }),
    aCluster('us', { source: 'GKE' }),
    aDeployment('ml/q', { clusterSelector: selector }),
  ]);
  expect(locateAll(findClusterSelectorWarnings(fleet), byPath).map(formatDiagnostic)).toEqual(want);
});
