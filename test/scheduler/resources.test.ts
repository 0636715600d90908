import { ask, cluster, deployment, device, engine, nodeClass, nodeClassWith, run } from './build';
import { type Case, check } from './rows';

const NIC = device('nic', { className: 'nic.example.com', count: 4, memory: '1Mi' });
const BOX = nodeClassWith('box', { allocatable: { cpu: '80', memory: '800Gi' } });
const one = cluster('eu', { a: 'box x 1' });

/** Replicas of one pod that takes GPUs and asks for CPU and memory. */
const pods = (id: string, replicas: number, resources: Record<string, unknown>, gpus = 1) =>
  deployment(id, { replicas, engines: [engine('main', [ask('gpu', gpus)], { resources })] });

const all = (id: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${id} eu/${i} a`);

const requested: Record<string, Case> = {
  'CPU that containers request fills a node before its devices do': {
    resources: [BOX, one, pods('ml/q', 8, { requests: { cpu: '30', memory: '1Gi' } })],
    want: all('ml/q', 2),
  },
  'so does memory': {
    resources: [BOX, one, pods('ml/q', 8, { requests: { cpu: '1', memory: '300Gi' } })],
    want: all('ml/q', 2),
  },
  'a fraction of a CPU is counted in thousandths, rounded up': {
    resources: [BOX, one, pods('ml/q', 8, { requests: { cpu: '26666.7m', memory: '1Gi' } })],
    want: all('ml/q', 2),
  },
  'a limit alone is a request': {
    resources: [BOX, one, pods('ml/q', 8, { limits: { cpu: '30', memory: '1Gi' } })],
    want: all('ml/q', 2),
  },
  'a request wins over a limit': {
    resources: [BOX, one, pods('ml/q', 8, { requests: { cpu: '20' }, limits: { cpu: '30', memory: '1Gi' } })],
    want: all('ml/q', 4),
  },
  'every pod of a gang is counted': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 2' }),
      deployment('ml/q', {
        replicas: 4,
        engines: [
          engine('main', [ask('gpu', 1)], {
            workers: 1,
            resources: { requests: { cpu: '40', memory: '1Gi' } },
          }),
        ],
      }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'a member that claims no device is counted with what it requests': {
    resources: [BOX, one, deployment('ml/q', { engines: [gang({ requests: { cpu: '41' } })] })],
    want: [],
  },
  'and fits where there is enough': {
    resources: [BOX, one, deployment('ml/q', { engines: [gang({ requests: { cpu: '40' } })] })],
    want: all('ml/q', 1),
  },
};

/** A leader without devices, and a worker with half of them, each with these resources. */
function gang(resources: Record<string, unknown>): Record<string, unknown> {
  const built = engine('main', [ask('gpu', 4)], { workers: 1, resources }) as {
    members: Record<string, unknown>[];
  };
  const [leader, worker] = built.members;
  const { nodeSelector: _, ...claimless } = leader!;
  return { ...built, members: [claimless, worker] };
}

const FULL = { requests: { cpu: '80', memory: '800Gi' } };

const shares: Record<string, Case> = {
  'a silent pod requests its share of nine tenths of a node: 36 of 80 CPUs with half the devices': {
    resources: [BOX, one, pods('ml/half', 1, {}, 4), pods('ml/q', 1, { requests: { cpu: '44', memory: '1Gi' } })],
    want: ['ml/half eu/0 a', 'ml/q eu/0 a'],
  },
  'and not less': {
    resources: [BOX, one, pods('ml/half', 1, {}, 4), pods('ml/q', 1, { requests: { cpu: '44001m', memory: '1Gi' } })],
    want: ['ml/half eu/0 a'],
  },
  'pods that are all silent fill a node by their devices': {
    resources: [BOX, one, pods('ml/q', 9, {})],
    want: all('ml/q', 8),
  },
  'the share is the largest that it takes of any kind of device': {
    resources: [
      nodeClassWith('rdma', { allocatable: { cpu: '80' } }, device('gpu'), NIC),
      cluster('eu', { a: 'rdma x 1' }),
      deployment('ml/half', {
        engines: [engine('main', [ask('gpu', 1), ask('nic', 2, 'device.driver == "nic.example.com"')])],
      }),
      pods('ml/q', 1, { requests: { cpu: '44001m' } }),
    ],
    want: ['ml/half eu/0 a'],
  },
  'what is requested of one resource leaves the share of the other': {
    resources: [
      BOX,
      one,
      pods('ml/half', 1, { requests: { cpu: '1' } }, 4),
      pods('ml/q', 1, { requests: { cpu: '79', memory: '441Gi' } }),
    ],
    want: ['ml/half eu/0 a'],
  },
};

const stated: Record<string, Case> = {
  'a node whose CPU and memory no one states is bounded by its devices alone': {
    resources: [nodeClass('h100'), cluster('eu', { a: 'h100 x 1' }), pods('ml/q', 9, FULL)],
    want: all('ml/q', 8),
  },
  'where one of the two is stated, that one counts': {
    resources: [
      nodeClassWith('box', { allocatable: { memory: '800Gi' } }),
      one,
      pods('ml/q', 8, { requests: { cpu: '80', memory: '400Gi' } }),
    ],
    want: all('ml/q', 2),
  },
  'a pod may take a node whole': { resources: [BOX, one, pods('ml/q', 2, FULL)], want: all('ml/q', 1) },
  'what a pool reserves of CPU is removed': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 1' }, { pool: { reserved: { cpu: '21' } } }),
      pods('ml/q', 8, { requests: { cpu: '30', memory: '1Gi' } }),
    ],
    want: all('ml/q', 1),
  },
  'so is memory, and a node that has less than is reserved has none': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 1' }, { pool: { reserved: { memory: '900Gi' } } }),
      pods('ml/q', 8, { requests: { cpu: '1', memory: '1Gi' } }),
    ],
    want: [],
  },
  'so are devices': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 1' }, { pool: { reserved: { devices: { gpu: 6 } } } }),
      pods('ml/q', 8, { requests: { cpu: '1', memory: '1Gi' } }),
    ],
    want: all('ml/q', 2),
  },
  'a kind of device that is reserved whole is not there': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 1' }, { pool: { reserved: { devices: { gpu: 8 } } } }),
      pods('ml/q', 1, {}),
    ],
    want: [],
  },
  'what one pool reserves, another of the class has': {
    resources: [
      BOX,
      cluster('eu', { a: 'box x 1' }, { pool: { reserved: { devices: { gpu: 7 } } } }),
      cluster('us', { a: 'box x 1' }),
      pods('ml/q', 9, {}),
    ],
    want: ['ml/q eu/0 a', ...Array.from({ length: 8 }, (_, i) => `ml/q us/${i} a`)],
  },
};

describe('CPU and memory', () => {
  test.each(Object.entries(requested))('%s', (_, row) => check(row));
  test.each(Object.entries(shares))('%s', (_, row) => check(row));
  test.each(Object.entries(stated))('%s', (_, row) => check(row));

  test('a pod that requests more than a node has does not fit, whatever is on it', () => {
    const [short] = run([BOX, one, pods('ml/q', 1, { requests: { cpu: '80.001' } })]).shortfalls;
    expect(short?.rejections).toEqual([
      {
        cluster: 'eu',
        pool: 'a',
        reason: {
          filter: 'devices',
          engine: 'main',
          misfit: 'too-large',
          resource: 'cpu',
          wanted: 80_001,
          has: 80_000,
        },
      },
    ]);
  });
});
