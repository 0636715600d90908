import type { Resource } from '../../../src/api/kinds';
import { formatStep } from '../../../src/report/diff/change-steps';
import { describeJoiningClusters } from '../../../src/report/diff/joining-clusters';
import { aClass, aCluster, MACHINES } from '../../api/build';
import { diff } from '../../diff/build';

const CLASSES = [aClass('h100'), aClass('gke', { provisioning: MACHINES.GKE })];
const existing = (name: string): Resource => aCluster(name, { source: 'Existing', pools: { h100: 2 } });
const created = (name: string): Resource => aCluster(name, { source: 'GKE', pools: { gke: 1 } });

test.each<[string, Resource[], Resource[], string[]]>([
  [
    'clusters that no stack creates come before all else',
    [],
    [existing('eu'), existing('us')],
    [
      'First, create the clusters eu, us with their nodes yourself, unless they exist (neither merging nor pulumi up creates them), and register them with the tool that applies manifests (Argo CD: under these names).',
    ],
  ],
  [
    'Argo CD knows one by its name',
    [],
    [existing('us')],
    [
      'First, create the cluster us with its nodes yourself, unless it exists (neither merging nor pulumi up creates it), and register it with the tool that applies manifests (Argo CD: as us).',
    ],
  ],
  ['one that a stack creates needs no step', [], [created('us')], []],
  ['one with another name is there', [existing('eu')], [existing('us')], []],
])('%s', (_, before, after, want) => {
  const change = diff([...CLASSES, ...before], [...CLASSES, ...after]);
  expect(describeJoiningClusters(change).map(formatStep)).toEqual(want);
});
