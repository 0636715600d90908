import { digestShape } from '../../src/scheduler/shape-digest';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { ask, askFirst, cluster, deployment, device, engine, modelOf, nodeClass, run } from './build';
import { type Case, check } from './rows';

const STEP = { default: '80Gi', validRange: { min: '1Mi', max: '80Gi', step: '1Mi' } };
const VALUES = { default: '80Gi', validValues: ['10Gi', '20Gi', '40Gi', '80Gi'] };
const shared = (policy: object, options = {}) =>
  nodeClass('shared', device('gpu', { count: 2, shared: { ...policy }, ...options }));
const part = (memory: string, name = 'gpu') => ({ ...ask(name, 1), capacity: { requests: { memory } } });
const of = (id: string, replicas: number, request: object, spec = {}) =>
  deployment(id, {
    replicas,
    engines: [engine('main', [{ ...request }])],
    spec: { allowPartial: true, ...spec },
  });
const NEW = { version: '1.36.0' };
const all = (id: string, count: number, name = 'eu'): string[] =>
  Array.from({ length: count }, (_, i) => `${id} ${name}/${i} a`);

const cases: Record<string, Case> = {
  'pods that take 4 GiB each share a GPU of 80 GiB': {
    resources: [shared(STEP), cluster('eu', { a: 'shared x 1' }, NEW), of('ml/q', 50, part('4Gi'))],
    want: all('ml/q', 40),
  },
  'a request is raised to the next amount that the driver permits': {
    resources: [shared(VALUES), cluster('eu', { a: 'shared x 1' }, NEW), of('ml/q', 50, part('11Gi'))],
    want: all('ml/q', 8),
  },
  'a request without capacity takes what the driver sets': {
    resources: [shared(STEP), cluster('eu', { a: 'shared x 1' }, NEW), of('ml/q', 50, ask('gpu', 1))],
    want: all('ml/q', 2),
  },
  'without a policy, a request takes what it states': {
    resources: [shared({ default: '80Gi' }), cluster('eu', { a: 'shared x 1' }, NEW), of('ml/q', 50, part('30Gi'))],
    want: all('ml/q', 4),
  },
  'a request above the range of the driver has no place': {
    resources: [
      shared({ default: '1Gi', validRange: { min: '1Gi', max: '40Gi' } }),
      cluster('eu', { a: 'shared x 1' }, NEW),
      of('ml/q', 1, part('41Gi')),
    ],
    want: [],
  },
  'a whole GPU has a guaranteed place only where small parts cannot reach every GPU': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 1' }, NEW),
      of('ml/small', 2, part('4Gi'), { priority: 1 }),
      of('ml/whole', 1, ask('gpu', 1)),
    ],
    want: all('ml/small', 2),
  },
  'next to one small part, it has': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 1' }, NEW),
      of('ml/small', 1, part('4Gi'), { priority: 1 }),
      of('ml/whole', 1, ask('gpu', 1)),
    ],
    want: ['ml/small eu/0 a', 'ml/whole eu/0 a'],
  },
  'two GPUs of which a pod takes more than half are two GPUs': {
    resources: [shared(STEP), cluster('eu', { a: 'shared x 1' }, NEW), of('ml/q', 2, ask('gpu', 2))],
    want: all('ml/q', 1),
  },
  'two parts could be of the same GPU, so a count of them has no place': {
    resources: [
      shared({ default: '1Gi', validRange: { min: '1Gi' } }),
      cluster('eu', { a: 'shared x 1' }, NEW),
      of('ml/q', 1, ask('gpu', 2)),
    ],
    want: [],
  },
  'a cluster of an earlier version allocates whole GPUs': {
    resources: [
      shared({ default: '1Gi', validRange: { min: '1Gi' } }),
      cluster('eu', { a: 'shared x 1' }, { version: '1.35.0' }),
      of('ml/q', 3, ask('gpu', 1)),
    ],
    want: all('ml/q', 2),
  },
  'and takes no request with capacity': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 1' }, { version: '1.35.0' }),
      cluster('us', { a: 'shared x 1' }, NEW),
      of('ml/q', 2, part('4Gi')),
    ],
    want: all('ml/q', 2, 'us'),
  },
  'a GPU that pods do not share is taken as a whole by a request with capacity': {
    resources: [
      nodeClass('whole', device('gpu', { count: 2 })),
      cluster('eu', { a: 'whole x 1' }, NEW),
      of('ml/q', 3, part('4Gi')),
    ],
    want: all('ml/q', 2),
  },
  'and has no place for one that asks for more than it has': {
    resources: [
      nodeClass('whole', device('gpu', { count: 2 })),
      cluster('eu', { a: 'whole x 1' }, NEW),
      of('ml/q', 1, part('81Gi')),
    ],
    want: [],
  },
  'a capacity that the device does not publish has no place': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 1' }, NEW),
      of('ml/q', 1, { ...ask('gpu', 1), capacity: { requests: { shares: '1' } } }),
    ],
    want: [],
  },
  'two requests of a pod may take parts of the same GPU': {
    resources: [
      shared(STEP, { count: 1 }),
      cluster('eu', { a: 'shared x 2' }, NEW),
      deployment('ml/q', {
        replicas: 3,
        engines: [engine('main', [part('40Gi', 'a'), part('30Gi', 'b')])],
        spec: { allowPartial: true },
      }),
    ],
    want: all('ml/q', 2),
  },
  'but not more than it has': {
    resources: [
      shared(STEP, { count: 1 }),
      cluster('eu', { a: 'shared x 2' }, NEW),
      deployment('ml/q', {
        replicas: 3,
        engines: [engine('main', [part('60Gi', 'a'), part('30Gi', 'b')])],
        spec: { allowPartial: true },
      }),
    ],
    want: [],
  },
  'a pod that may take several forms of one shared GPU is charged for the node': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 2' }, NEW),
      deployment('ml/q', {
        replicas: 3,
        engines: [engine('main', [askFirst('gpu', part('4Gi', 'small'), part('2Gi', 'tiny'))])],
        spec: { allowPartial: true },
      }),
    ],
    want: all('ml/q', 2),
  },
  'a scheduler that packs nodes packs no GPUs': {
    resources: [
      shared(STEP),
      cluster('eu', { a: 'shared x 1 BinPack' }, NEW),
      of('ml/small', 2, part('4Gi'), { priority: 1 }),
      of('ml/whole', 1, ask('gpu', 1)),
    ],
    want: all('ml/small', 2),
  },
};

test.each(Object.entries(cases))('%s', (_, row) => check(row));

test('the reason names the capacity, and what the device has of it', () => {
  const resources = [
    nodeClass('whole', device('gpu')),
    cluster('eu', { a: 'whole x 1' }, NEW),
    of('ml/q', 1, part('81Gi')),
  ];
  const [shortfall] = run(resources).shortfalls;
  expect(shortfall?.rejections[0]?.reason).toMatchObject({
    misfit: 'too-small',
    request: 'gpu',
    device: 'gpu',
    capacity: 'memory',
    wanted: 81 * 2 ** 30,
    has: 80 * 2 ** 30,
  });
});

test('a part is a part of the shape of a replica', () => {
  expect(digestOf(part('4Gi'))).not.toBe(digestOf(part('8Gi')));
  expect(digestOf(part('4Gi'))).not.toBe(digestOf(ask('gpu', 1)));
});

function digestOf(request: object): string {
  const resource = of('ml/q', 1, request);
  return resource.kind === 'ModelDeployment' ? digestShape(resource.spec.template.spec.engines) : '';
}

test('a pod has the share of the node, and the memory, of the part that it takes', () => {
  const { clusters, deployments } = modelOf(
    shared(STEP),
    cluster('eu', { a: 'shared x 1' }, NEW),
    of('ml/q', 1, part('4Gi')),
  );
  const { pod } = deployments[0]!.demand.engines[0]!.members[0]!;
  const fit = new PodMatcher().fit(pod, clusters[0]!.pools[0]!.node);
  expect(fit).toMatchObject({
    share: 1 / 40,
    memory: 4 * 2 ** 30,
    claims: [{ forms: [{ capacity: { memory: '4Gi' } }] }],
  });
});

test('a part that no cluster can allocate is an error that names the version', () => {
  const old = cluster('eu', { a: 'shared x 1' }, { version: '1.35.0' });
  expect(() => run([shared(STEP), old, of('ml/q', 1, part('4Gi'))])).toThrow(
    /eu has Kubernetes 1\.35\.0\. Use Kubernetes 1\.36 or later there, or remove it/,
  );
});
