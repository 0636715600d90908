import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { ask, askFirst, cluster, deployment, device, engine, modelOf, nodeClass, nodeClassWith, run } from './build';
import { type Case, check } from './rows';

const counted = { extendedResource: 'nvidia.com/gpu' };
const gpu = (name: string, options = {}) => device(name, { ...counted, ...options });
const L4 = nodeClass('l4', gpu('gpu', { count: 4, architecture: 'Ada' }));
const MIXED = nodeClass(
  'mixed',
  gpu('ada', { count: 4, architecture: 'Ada' }),
  gpu('hopper', { count: 4, memory: '40Gi' }),
);
const withoutDra = (name: string, pools: Record<string, string>, options = {}) =>
  cluster(name, pools, { dra: false, ...options });
const asking = (request: ReturnType<typeof ask>, options = {}) =>
  deployment('ml/q', { engines: [engine('main', [request], options)], spec: { allowPartial: true } });

/** A cluster that has all features, and no room: otherwise using one would be an error. */
const ELSEWHERE = cluster('us', { a: 'l4 x 0' });
const ADA = 'device.attributes["gpu.nvidia.com"].architecture == "Ada"';
const ROOT = { matchAttribute: 'gpu.nvidia.com/architecture' };

const cases: Record<string, Case> = {
  'devices are charged as they are with claims': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 2' }),
      deployment('ml/q', { replicas: 3, gpus: 4, spec: { allowPartial: true } }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'a request that matches every device of the resource fits': {
    resources: [MIXED, withoutDra('eu', { a: 'mixed x 1' }), asking(ask('gpu', 8))],
    want: ['ml/q eu/0 a'],
  },
  'one that matches some of them does not': {
    resources: [MIXED, withoutDra('eu', { a: 'mixed x 1' }), asking(ask('gpu', 2, ADA))],
    want: [],
  },
  'not even where a pool lets others have all devices that do not match': {
    resources: [
      MIXED,
      withoutDra('eu', { a: 'mixed x 1' }, { pool: { reserved: { devices: { hopper: 4 } } } }),
      asking(ask('gpu', 2, ADA)),
    ],
    want: [],
  },
  'a pool that lets others have all of its devices has none': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }, { pool: { reserved: { devices: { gpu: 4 } } } }),
      asking(ask('gpu', 1)),
    ],
    want: [],
  },
  'with claims it does': {
    resources: [MIXED, cluster('eu', { a: 'mixed x 1' }), asking(ask('gpu', 2, ADA))],
    want: ['ml/q eu/0 a'],
  },
  'devices of different resources are distinguished': {
    resources: [
      nodeClass('two', gpu('ada', { architecture: 'Ada' }), gpu('hopper', { extendedResource: 'nvidia.com/h' })),
      withoutDra('eu', { a: 'two x 1' }),
      asking(ask('gpu', 2, ADA)),
    ],
    want: ['ml/q eu/0 a'],
  },
  'devices that no plugin counts are no match': {
    resources: [
      nodeClass('nics', gpu('gpu'), device('nic', { className: 'dra.net' })),
      withoutDra('eu', { a: 'nics x 1' }),
      asking(ask('nic', 1, 'device.driver == "dra.net"')),
    ],
    want: [],
  },
  'nor does a pod go without one of them': {
    resources: [
      nodeClass('nics', gpu('gpu'), device('nic', { className: 'dra.net' })),
      withoutDra('eu', { a: 'nics x 1' }),
      deployment('ml/q', {
        engines: [engine('main', [ask('gpu', 1), ask('nic', 1, 'device.driver == "dra.net"')])],
        spec: { allowPartial: true },
      }),
    ],
    want: [],
  },
  'a synthetic device narrows, whichever others there are': {
    resources: [
      nodeClass(
        'linked',
        gpu('gpu'),
        device('fast', { synthetic: true, className: 'link' }),
        device('slow', { synthetic: true, className: 'link', architecture: 'Ada' }),
      ),
      withoutDra('eu', { a: 'linked x 1' }),
      deployment('ml/q', {
        engines: [
          engine('main', [ask('gpu', 1), ask('link', 1, 'device.attributes["link"].architecture == "Hopper"')]),
        ],
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'pods that differ by what they use alone are distinguished': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      ELSEWHERE,
      deployment('ml/p', { gpus: 2 }),
      asking({ ...ask('gpu', 2), config: [{ driver: 'gpu.nvidia.com', parameters: {} }] }),
    ],
    want: ['ml/p eu/0 a'],
  },
  'two requests of one resource take their sum': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      deployment('ml/q', {
        replicas: 2,
        engines: [engine('main', [ask('a', 1), ask('b', 2)])],
        spec: { allowPartial: true },
      }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'alternatives are for claims': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      ELSEWHERE,
      asking(askFirst('gpu', { name: 'one', selectors: [{ cel: 'true' }] })),
    ],
    want: [],
  },
  'constraints are too': {
    resources: [L4, withoutDra('eu', { a: 'l4 x 1' }), ELSEWHERE, asking(ask('gpu', 2), { constraints: [ROOT] })],
    want: [],
  },
  'so is configuration of a driver': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      ELSEWHERE,
      asking({ ...ask('gpu', 2), config: [{ driver: 'gpu.nvidia.com', parameters: {} }] }),
    ],
    want: [],
  },
  'what only a claim can say goes where claims are': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      cluster('us', { a: 'l4 x 1' }),
      asking(ask('gpu', 2), { constraints: [ROOT] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'device taints are unknown without claims, so tolerations do no harm': {
    resources: [
      L4,
      withoutDra('eu', { a: 'l4 x 1' }),
      asking({ ...ask('gpu', 2), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a version that lacks a feature is no place for what uses it': {
    resources: [
      L4,
      cluster('eu', { a: 'l4 x 1' }, { version: '1.35.4-gke.100' }),
      cluster('us', { a: 'l4 x 1' }, { version: 'v1.36' }),
      asking({ ...ask('gpu', 2), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: ['ml/q us/0 a'],
  },
  'but one for what asks for the same and does not use it': {
    resources: [
      L4,
      cluster('eu', { a: 'l4 x 1' }, { version: '1.35.4-gke.100' }),
      cluster('us', { a: 'l4 x 0' }, { version: 'v1.36' }),
      deployment('ml/a', { engines: [engine('main', [ask('gpu', 2)])] }),
      asking({ ...ask('gpu', 2), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: ['ml/a eu/0 a'],
  },
  'a version that no one declares lacks nothing': {
    resources: [
      L4,
      cluster('eu', { a: 'l4 x 1' }),
      asking({ ...ask('gpu', 2), tolerations: [{ operator: 'Exists' }] }),
    ],
    want: ['ml/q eu/0 a'],
  },
};

test.each(Object.entries(cases))('schedule without DRA, or an old one: %s', (_, row) => check(row));

/** How a pod with two devices fits on a node of which the CPU is known too. */
function fitWith(dra: boolean) {
  const stated = nodeClassWith('box', { allocatable: { cpu: '80' } }, gpu('gpu'));
  const model = modelOf(stated, cluster('eu', { a: 'box x 1' }, { dra }), asking(ask('gpu', 2)));
  const pod = model.deployments[0]!.demand.engines[0]!.members[0]!.pod;
  const fit = new PodMatcher().fit(pod, model.clusters[0]!.pools[0]!.node);
  if ('misfit' in fit) throw new Error(fit.misfit);
  return fit;
}

test('a pod takes the same of a node with claims and without', () => {
  const [withDra, without] = [fitWith(true), fitWith(false)];
  expect(without.footprint).toEqual(withDra.footprint);
  expect(without.resources).toEqual(withDra.resources);
  expect(without.claims[0]!.forms[0]).toMatchObject({ claimedAs: 'nvidia.com/gpu', count: 2 });
});

test('the reason names the device that a plugin may hand out as well', () => {
  const { shortfalls } = run([MIXED, withoutDra('eu', { a: 'mixed x 1' }), asking(ask('gpu', 2, ADA))]);
  const reason = {
    filter: 'devices',
    engine: 'main',
    misfit: 'any-device',
    request: 'gpu',
    resource: 'nvidia.com/gpu',
    device: 'hopper',
  };
  expect(shortfalls[0]!.rejections).toEqual([{ cluster: 'eu', pool: 'a', reason }]);
});
