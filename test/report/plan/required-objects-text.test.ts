import type { ClusterNeeds } from '../../../src/plan/plan';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatRequiredObjects, mergeRequiredObjects } from '../../../src/report/plan/required-objects-text';

/** Clusters of which each needs a namespace, and a DNS record with a name of its own. */
const needs = (count: number): ClusterNeeds[] =>
  Array.from({ length: count }, (_, at) => ({
    cluster: `c${at}`,
    objects: [
      { kind: 'Namespace', name: 'ml', keys: [], for: ['ModelDeployment ml/a'] },
      { kind: 'DNS record', name: `${at}.example.com`, keys: [], for: [`InferenceCluster c${at}`] },
    ],
  }));

test('of many clusters that need different objects, each object is one line, with the command that lists each', () => {
  expect(terminalLines(mergeRequiredObjects(needs(20), undefined, 'plan --all'))).toEqual([
    'Must exist before manifests are applied:',
    '  Namespace ml on 20 clusters, for ModelDeployment ml/a',
    '  20 of kind DNS record (0.example.com, 1.example.com, 10.example.com, 17 more) on 20 clusters, for InferenceCluster c0, InferenceCluster c1, InferenceCluster c10, 17 more',
    "Each object: 'plan --all'.",
  ]);
});

test('few clusters have an entry each', () => {
  expect(mergeRequiredObjects(needs(12))).toEqual(formatRequiredObjects(needs(12)));
});
