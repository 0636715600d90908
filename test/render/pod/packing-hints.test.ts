import { compileFleet } from '../../../src/plan/compile-fleet';
import { renderPackingHints } from '../../../src/render/pod/scheduling';
import { computeReplicas } from '../../../src/replicas/compute-replicas';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import { schedule } from '../../../src/scheduler/schedule';
import { aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc, gpus, request } from '../../api/build';
import { aReplica, fleetOf, pick, pods } from '../build';

const small = (cluster: Doc = {}, engine: Doc = {}) =>
  pods(aDeployment('ml/q', { engines: [anEngine('main', engine)] }), {
    small: true,
    cluster: aCluster('us', { pools: { h100: 2 }, ...cluster }),
  });

const HINTS = ['affinity', 'topologySpreadConstraints'];

test('a small pod prefers nodes with pods of any deployment, spread over what all nodes share', () => {
  const { spec } = small({ poolLabel: 'example.com/pool' })['Standalone']!;
  const labelSelector = { matchLabels: { 'app.kubernetes.io/managed-by': 'fleetwright' } };
  const want = {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: { labelSelector, namespaceSelector: {}, topologyKey: 'kubernetes.io/hostname' },
          },
        ],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'example.com/pool', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ],
  };
  expect(pick(spec, want)).toEqual(want);
});

test('every pod carries the label that hints look for', () => {
  const { metadata } = small()['Standalone']!;
  expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'fleetwright' });
});

describe('no hints', () => {
  const cases: Record<string, { pod: Doc }> = {
    'for a pod that takes a node': {
      pod: pods(aDeployment('ml/q'))['Standalone']!.spec,
    },
    'in a pool that packs by itself': {
      pod: small({ pools: { h100: { nodeCount: 2, packing: 'BinPack' } } })['Standalone']!.spec,
    },
    'in a pool that gives each pod a node': {
      pod: small({ pools: { h100: { nodeCount: 2, packing: 'Exclusive' } } })['Standalone']!.spec,
    },
    'for a pod without devices': {
      pod: small({}, { members: [aMember({ role: 'Leader', gpus: 0 }), aMember({ role: 'Worker' })] })['Leader']!.spec,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { pod }) => {
    expect(HINTS.filter((hint) => hint in pod)).toEqual([]);
  });
});

test('a pod of extended resources gets hints as one of claims does', () => {
  const replica = aReplica(aDeployment('ml/q'), { small: true });
  const [engine] = replica.engines;
  const counted = { ...engine!.members[0]!, claims: [], extended: { 'nvidia.com/gpu': 1 } };
  expect(Object.keys(renderPackingHints(replica, engine!, counted))).toEqual(HINTS);
});

/** Whether pods of these requests take a node of eight GPUs each. */
function takesNode(...devices: Doc[]): boolean {
  return takesNodeWith({ devices });
}

function takesNodeWith(nodeSelector: Doc): boolean {
  const fleet = fleetOf(
    aClass('h100', { devices: [gpus(8)], node: { allocatable: { cpu: '80' } } }),
    aCluster('us', { pools: { h100: 4 } }),
    aDeployment('ml/q', { engines: [{ name: 'main', members: [{ ...aMember(), nodeSelector }] }] }),
  );
  const model = compileFleet(fleet, byPath);
  const matcher = new PodMatcher();
  const { placements } = schedule(model, [], matcher);
  return computeReplicas(fleet, model, matcher, placements)[0]!.engines[0]!.members[0]!.takesNode;
}

test('a pod takes a node where nothing of some kind is left', () => {
  expect(takesNode(request('gpu', 8))).toBe(true);
  expect(takesNode(request('a', 4), request('b', 4))).toBe(true);
  expect(takesNode(request('gpu', 7))).toBe(false);
});

test('a pod that the plan counts as a node takes it', () => {
  const constraints = [{ distinctAttribute: 'gpu.nvidia.com/architecture' }];
  expect(takesNodeWith({ devices: [request('gpu', 1)], constraints })).toBe(true);
});
