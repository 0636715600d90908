import { locateAll } from '../../../src/api/kinds';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { findClusterSelectorWarnings } from '../../../src/plan/warnings/cluster-selector-warnings';
import { aCluster, aDeployment, anEngine, byPath, type Doc, parsed } from '../../api/build';

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
  'a misspelled key gets a well-known key, also where no cluster has it': {
    selector: { matchLabels: { 'fleetwright.dev/netwrok': 'eu' } },
    want: [
      `${SELECTOR}.matchLabels.fleetwright.dev/netwrok: no cluster has the label fleetwright.dev/netwrok: eu. Did you mean 'fleetwright.dev/network'?`,
    ],
  },
  'a misspelled prefix gets the key with the right one': {
    selector: { matchLabels: { 'topolgy.kubernetes.io/region': 'berlin' } },
    want: [
      `${SELECTOR}.matchLabels.topolgy.kubernetes.io/region: no cluster has the label topolgy.kubernetes.io/region: berlin. Did you mean '${REGION}'?`,
    ],
  },
  'a missing prefix is added': {
    selector: { matchLabels: { region: 'berlin' } },
    want: [`${SELECTOR}.matchLabels.region: no cluster has the label region: berlin. Did you mean '${REGION}'?`],
  },
  'a misspelled name behind a long prefix gets the name': {
    selector: { matchLabels: { 'topology.kubernetes.io/regoin': 'berlin' } },
    want: [
      `${SELECTOR}.matchLabels.topology.kubernetes.io/regoin: no cluster has the label topology.kubernetes.io/regoin: berlin. Did you mean '${REGION}'?`,
    ],
  },
  'the name of a cluster under another key gets the label of names': {
    selector: { matchLabels: { name: 'us' } },
    want: [
      `${SELECTOR}.matchLabels.name: no cluster has the label name: us. Did you mean 'fleetwright.dev/cluster: us'?`,
    ],
  },
  'another name behind a known prefix may be of a cluster to come': {
    selector: { matchLabels: { 'topology.kubernetes.io/zone': 'berlin' } },
    want: [],
  },
  'a well-known key that no cluster has may be of a cluster to come': {
    selector: { matchExpressions: [{ key: 'fleetwright.dev/network', operator: 'Exists' }] },
    want: [],
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

const spreads: Record<string, { spreadBy: string; want: string[] }> = {
  'a failure domain, and a label of a cluster, are fine': { spreadBy: 'tier', want: [] },
  'a misspelled failure domain gets its name': {
    spreadBy: 'regoin',
    want: [
      "ModelDeployment ml/q spec.placement.spreadBy: no cluster has the label regoin, and no failure domain has this name. Did you mean 'region'?",
    ],
  },
  'a misspelled label of a failure domain gets the key': {
    spreadBy: 'teir',
    want: [
      "ModelDeployment ml/q spec.placement.spreadBy: no cluster has the label teir, and no failure domain has this name. Did you mean 'tier'?",
    ],
  },
  'a failure domain like none may come later': { spreadBy: 'rack', want: [] },
};

test.each(Object.entries(spreads))('%s', (_, { spreadBy, want }) => {
  const template = { spec: { engines: [anEngine('main')] } };
  const fleet = assemble([
    aCluster('onprem', { labels: { tier: 'gpu1' } }),
    parsed('ModelDeployment', 'ml/q', { replicas: 2, placement: { spreadBy, minDomains: 2 }, template }),
  ]);
  expect(locateAll(findClusterSelectorWarnings(fleet), byPath).map(formatDiagnostic)).toEqual(want);
});

const OWN = 'InferenceCluster us metadata.labels';

test.each<[string, Record<string, string>, string[]]>([
  [
    'is like the label of a region',
    { 'topology.kubernetes.io/regoin': 'berlin' },
    [
      `${OWN}.topology.kubernetes.io/regoin: nothing reads the label topology.kubernetes.io/regoin. Did you mean '${REGION}'?`,
    ],
  ],
  ['is next to the label that it is like', { [REGION]: 'berlin', 'topology.kubernetes.io/regoin': 'berlin' }, []],
  ['is of the house', { 'acme.example/region': 'berlin', region: 'berlin', 'topology.kubernetes.io/zone': 'a' }, []],
])('a label of a cluster that %s', (_, labels, want) => {
  const found = findClusterSelectorWarnings(assemble([aCluster('us', { labels })]));
  expect(locateAll(found, byPath).map(formatDiagnostic)).toEqual(want);
});
