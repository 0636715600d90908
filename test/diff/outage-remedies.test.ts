import type { Resource } from '../../src/api/kinds';
import type { DeploymentDiff } from '../../src/diff/deployment-diff';
import type { FleetDiff } from '../../src/diff/fleet-diff';
import { findIndependentOutages } from '../../src/diff/independent-clusters';
import type { ServingDuringChange } from '../../src/diff/serving-during-change';
import { formatOutage } from '../../src/report/diff/outage-sentences';
import { assemble } from '../../src/fleet/fleet';
import { aClass, aDeployment, aMember, type Doc, gpus } from '../api/build';
import { aModel, aSite, aSplit, to } from '../routing/build';
import { atLeast, findings, NEWER } from './gate-fleet';

const rows: Record<string, { min?: number; serving: Partial<ServingDuringChange>; want: string[] }> = {
  'no replica that serves on any cluster is a warning': {
    serving: { before: 2, after: 2, withWaves: 1, perCluster: 0 },
    want: ['0 replicas of ml/q serve if clusters are applied independently, as with Argo CD'],
  },
  'fewer replicas than minAvailable are a warning': {
    min: 2,
    serving: { before: 3, after: 3, withWaves: 2, perCluster: 1 },
    want: [
      '1 replica of ml/q serves if clusters are applied independently, as with Argo CD, fewer than minAvailable: 2',
    ],
  },
  'as many replicas as minAvailable are none': {
    min: 1,
    serving: { before: 3, after: 3, withWaves: 2, perCluster: 1 },
    want: [],
  },
  'too few replicas with waves of all clusters are a finding of the gate alone': {
    serving: { before: 1, after: 1, withWaves: 0, perCluster: 0 },
    want: [],
  },
  'a deployment with Recreate accepts its downtime': {
    serving: { before: 2, after: 2, withWaves: 1, perCluster: 0, recreate: true },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_, { min, serving, want }) => {
  const model = aDeployment('ml/q', { replicas: 3 });
  const fleet = assemble([min === undefined ? model : atLeast(min, model)]);
  const diff = { deployments: [{ deployment: 'ml/q', serving, changes: [] }] } as unknown as FleetDiff;
  expect(findIndependentOutages(diff, fleet, 'fleet').map(({ message }) => message)).toEqual(want);
});

const SIZE = [{ id: 'ModelCache ml/q', field: { field: 'spec.sizeGiB' } }];

const remedies: Record<
  string,
  { causes: object[]; cachedStart?: DeploymentDiff['cachedStart']; room?: null; want: RegExp }
> = {
  'pods that only the size of a cache restarts keep their startup budget': {
    causes: SIZE,
    cachedStart: { budget: 60, ownDisk: false },
    want: /\. Set 'startup.budget: 60m' of the engines, as today, so that a larger cache does not restart their pods; or set/,
  },
  'of engines with several startup budgets, each keeps its own': {
    causes: SIZE,
    cachedStart: { ownDisk: false },
    want: /\. Set 'startup.budget' of the engines to its present value, so that/,
  },
  'pods with a disk of their own restart with a larger cache, whatever the startup budget': {
    causes: SIZE,
    cachedStart: { budget: 60, ownDisk: true },
    want: /their pods \(pods with a disk of their own restart all the same\); or set/,
  },
  'pods with a startup budget that no surge has room for keep it': {
    causes: SIZE,
    cachedStart: { budget: 60, ownDisk: false },
    room: null,
    want: /\. Set 'startup.budget: 60m' of the engines, as today, so that a larger cache does not restart their pods; or accept downtime with/,
  },
  'pods whose startup budget does not follow from the cache need room for a surge': {
    causes: SIZE,
    want: /\. Set 'rollout.surge: 1', for which there is room \(cost unchanged\); or accept downtime/,
  },
  'where nothing that was tried keeps one serving, downtime is what is left': {
    causes: [{ id: 'ModelDeployment ml/q', field: { field: 'spec.x' } }],
    room: null,
    want: /\. Accept downtime with 'rollout: Recreate' \(cost unchanged\)$/,
  },
  'pods that other fields restart need room for a surge': {
    causes: [
      { id: 'ModelCache ml/q', field: { field: 'spec.sizeGiB' } },
      { id: 'ModelDeployment ml/q', field: { field: 'spec.x' } },
    ],
    want: /\. Set 'rollout.surge: 1', for which there is room \(cost unchanged\); or accept downtime/,
  },
};

const recreatedOn = (cluster: string, by = cluster) => ({
  action: 'roll',
  nodes: 'roll',
  cluster,
  pools: { main: 'l4' },
  causes: [{ id: `InferenceCluster ${by}`, field: { field: 'spec.cluster.eks.kubernetesVersion' } }],
});

const clusterByCluster: Record<string, { changes: object[]; serving: object; want: RegExp }> = {
  'clusters that recreate nodes by edits of their own are changed one after the other, or downtime is accepted': {
    changes: [recreatedOn('us'), recreatedOn('eu')],
    serving: { before: 2 },
    want: /\. Change eu and us one after the other, each in a change of its own \(cost unchanged\); or in an earlier change, add .* it serves \(you can undo the earlier one afterwards\); or accept downtime with 'rollout: Recreate' \(cost unchanged\)$/,
  },
  'in a change of one cluster its clients get no answer where they reach no replica elsewhere': {
    changes: [recreatedOn('us'), recreatedOn('eu')],
    serving: { before: 2, emptied: { withWaves: ['eu', 'us'] } },
    want: /; or change eu and us one after the other, each in a change of its own \(cost unchanged\), but for a time none on eu or us, where clients then get no answer; or accept/,
  },
  'clusters whose nodes one edit recreates cannot be changed one after the other': {
    changes: [recreatedOn('us', 'other'), recreatedOn('eu', 'other')],
    serving: { before: 2 },
    want: /\. (?!Change)/,
  },
  'the only cluster of a deployment cannot be changed after another': {
    changes: [recreatedOn('us'), recreatedOn('us')],
    serving: { before: 2 },
    want: /\. (?!Change)/,
  },
  'clusters are not changed one after the other where one replica fewer is below minAvailable': {
    changes: [recreatedOn('us'), recreatedOn('eu')],
    serving: { before: 2, minAvailable: 2 },
    want: /\. (?!Change)/,
  },
  'a node pool that is replaced takes more down than a rollout accepts': {
    changes: [{ ...recreatedOn('us'), nodes: 'replace' }],
    serving: { before: 1 },
    want: /^(?!.*Recreate)/,
  },
};

test.each(Object.entries(clusterByCluster))('%s', (_, { changes, serving, want }) => {
  expect(formatOutage({ deployment: 'ml/q', changes, serving } as unknown as DeploymentDiff)).toMatch(want);
});

test('a node pool that is removed without another one is to be kept', () => {
  const causes = [{ id: 'InferenceCluster us', field: { field: 'spec.nodePools[l4]', before: {} } }];
  const lost = { action: 'roll', nodes: 'replace', cluster: 'us', pools: { main: 'l4', other: 'h100' }, causes };
  expect(formatOutage({ deployment: 'ml/q', changes: [lost], serving: {} } as unknown as DeploymentDiff)).toBe(
    'ml/q has no serving replica after the change, until it has another place. Keep us/l4; or let the deployment ask for what another pool has',
  );
});

test('a cluster that is deleted under a replica without another place is kept, because no drain of it ends', () => {
  const causes = [{ id: 'InferenceCluster eu', action: 'removed' }];
  const lost = { action: 'roll', nodes: 'replace', cluster: 'eu', pools: { main: 'l4' }, causes };
  expect(formatOutage({ deployment: 'ml/q', changes: [lost], serving: {} } as unknown as DeploymentDiff)).toMatch(
    / after the change, until it has another place\. Keep eu until its replicas have other places$/,
  );
});

test.each(Object.entries(remedies))('%s', (_, { causes, cachedStart, room = { for: 'surge', missing: [] }, want }) => {
  const change = {
    deployment: 'ml/q',
    changes: [{ action: 'roll', causes }],
    serving: {},
    cachedStart,
    room: room ?? undefined,
  } as unknown as DeploymentDiff;
  expect(formatOutage(change)).toMatch(want);
});

test('the gate says to leave out the edit that restarts the only replica, where other edits restart none', () => {
  const both = atLeast(1, aModel('ml/chat', { engines: [NEWER] }));
  expect(findings([aModel('ml/chat')], [both])).toEqual([
    expect.stringMatching(/ Leave out that edit; or set 'rollout\.surge: 1'/),
  ]);
  expect(findings([aModel('ml/chat')], [aModel('ml/chat', { engines: [NEWER] })])).toEqual([
    expect.stringMatching(/\. Set 'rollout\.surge: 1'/),
  ]);
});

/** A deployment on nodes with such memory, behind a service that selects it by its label. */
function onMemory(name: string, memory: string, spec: Doc = {}): Resource {
  const devices = [{ name: 'gpu', count: 8, where: { memory } }];
  const engines = [{ name: 'main', members: [aMember({ nodeSelector: { devices } })] }];
  return aModel(name, { replicas: 1, replicaLabels: { app: 'chat' }, engines, ...spec });
}

const MIXED = [
  aClass('h100'),
  aClass('h200', { devices: [gpus(8, { memory: '141Gi' })] }),
  aSite('eu', { pools: { h200: { nodeCount: 1 } } }),
  aSite('us', { pools: { h100: { nodeCount: 1 } } }),
  aSplit('ml/chat', [to({ app: 'chat' })]),
];
const SMALL = '< 90Gi';
const LARGE = '> 90Gi';

test('a replica whose pool no longer matches stops first, which a second deployment avoids, and Recreate accepts', () => {
  const [old, edited] = [onMemory('ml/a', SMALL), onMemory('ml/a', LARGE)];
  expect(findings([...MIXED, old], [...MIXED, edited])).toEqual([
    expect.stringContaining(
      ". Instead of editing the deployment, add a second one with these edits and the same 'template.metadata.labels', and remove the first in a later change, when the second serves; or accept downtime with 'rollout: Recreate' (cost unchanged)",
    ),
  ]);
  const second = onMemory('ml/b', LARGE);
  expect(findings([...MIXED, old], [...MIXED, old, second])).toEqual([]);
  expect(findings([...MIXED, old, second], [...MIXED, second])).toEqual([]);
  expect(findings([...MIXED, old], [...MIXED, onMemory('ml/a', LARGE, { rollout: 'Recreate' })])).toEqual([]);
});
