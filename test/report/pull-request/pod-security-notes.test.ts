import { aClass, aCluster, aDeployment } from '../../api/build';
import { diff } from '../../diff/build';
import type { FleetDiff } from '../../../src/diff/fleet-diff';
import { formatLevelNotes } from '../../../src/report/pull-request/pod-security-notes';

type Change = FleetDiff['objects'][number];

const level = (before: string, after: string, cluster = 'us'): Change =>
  ({
    action: 'change',
    cluster,
    kind: 'Namespace',
    name: 'ml',
    fields: [{ path: ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'], field: '', before, after }],
    causes: [],
  }) as Change;
const creates = (kind: string, name: string, change: Partial<Change> = {}): Change => ({
  action: 'create',
  cluster: 'us',
  kind,
  name,
  fields: [],
  causes: [],
  ...change,
});
const restricted = (name: string, cluster = 'us') => creates('Namespace', name, { cluster, podSecurity: 'restricted' });
const workload = creates('Deployment', 'q', { namespace: 'ml' });
const managed = [
  { id: 'InferenceCluster us', fields: [{ field: 'spec.namespaces' }] },
] as unknown as FleetDiff['declarations'];
const newCluster = [{ cluster: 'us', kind: 'Cluster', action: 'create' }] as unknown as FleetDiff['cloud'];
const KEPT = 'Fleetwright then creates and labels no namespaces there.';

interface Row {
  objects: Change[];
  declarations?: FleetDiff['declarations'];
  cloud?: FleetDiff['cloud'];
  want: string[];
}

const rows: Record<string, Row> = {
  'that restricts its pods less is named': {
    objects: [level('baseline', 'privileged'), level('baseline', 'privileged', 'eu')],
    want: ['Lowers the Pod Security level of namespace `ml` on `eu`, `us` from baseline to privileged.'],
  },
  'that restricts them more has what that refuses, and the way to keep its level': {
    objects: [level('baseline', 'restricted'), level('privileged', 'baseline', 'eu')],
    want: [
      `Raises the Pod Security level of namespace \`ml\` on \`us\` from baseline to restricted, \`ml\` on \`eu\` from privileged to baseline: pods there that need more are refused when they next start. To keep the level, set \`namespaces: Existing\` of InferenceCluster \`eu\`, \`us\`: ${KEPT}`,
    ],
  },
  'that is new and has no pods of the fleet may be that of a team': {
    objects: [restricted('apps'), restricted('apps', 'eu')],
    want: [
      `Sets the Pod Security level of namespace \`apps\` on \`eu\`, \`us\` to restricted: where one exists already, pods there that need more are refused when they next start. To leave namespaces as they are, set \`namespaces: Existing\` of InferenceCluster \`eu\`, \`us\`: ${KEPT}`,
    ],
  },
  'in which the fleet runs from now on is new': { objects: [restricted('ml'), workload], want: [] },
  'of another cluster has pods there alone': {
    objects: [restricted('ml', 'eu'), workload],
    want: [expect.stringMatching(/^Sets the Pod Security level of namespace `ml` on `eu` to restricted: /)],
  },
  'in which the fleet stages a cache is new': {
    objects: [restricted('ml'), creates('Job', 'stage', { namespace: 'ml' })],
    want: [],
  },
  'exists already where the namespaces of its cluster were not managed before': {
    objects: [restricted('ml'), workload],
    declarations: managed,
    want: [expect.stringMatching(/^Sets the Pod Security level of namespace `ml` on `us` to restricted: /)],
  },
  'on a cluster that is created is new': { objects: [restricted('apps')], cloud: newCluster, want: [] },
  'whose level refuses no pod needs no line': {
    objects: [creates('Namespace', 'apps', { podSecurity: 'privileged' })],
    want: [],
  },
  'of gateways is for Fleetwright alone': { objects: [restricted('fleetwright-system')], want: [] },
};

test.each(Object.entries(rows))('a namespace %s', (_, { objects, declarations = [], cloud = [], want }) => {
  expect(formatLevelNotes({ objects, declarations, cloud })).toEqual(want);
});

test('a namespace that restricts its pods less has the reason where one is known', () => {
  const objects = [level('restricted', 'baseline')];
  const [line] = formatLevelNotes({ objects, declarations: [], cloud: [] }, ({ namespace, cluster, level: now }) => {
    return `${namespace} on ${cluster} is ${now}`;
  });
  expect(line).toMatch(/ on `us` from restricted to baseline \(ml on us is baseline\)\.$/);
});

test('namespaces that are managed from now on are compared with their levels', () => {
  const [was, is] = ['Existing', 'Managed'].map((namespaces) => [
    aClass('h100'),
    aCluster('us', { pools: { h100: 1 }, namespaces }),
    aDeployment('ml/q'),
  ]);
  expect(formatLevelNotes(diff(was!, is!))).toEqual([
    expect.stringMatching(/^Sets the Pod Security level of namespace `ml` on `us` to baseline: /),
  ]);
  expect(formatLevelNotes(diff(is!, was!))).toEqual([]);
});
