import { ask, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

const ROOT = 'resource.kubernetes.io/pcieRoot';
const GPU = 'device.driver == "gpu.nvidia.com"';
const NIC = 'device.driver == "dra.net"';

const at = (r: number) => ({ attributes: { [ROOT]: { string: `pci${r}` } } });

/** A node with one GPU and some cards on each of its PCIe roots. Roots without cards come last. */
function rooted(roots: number, cards: number, without = 0) {
  const all = Array.from({ length: roots }, (_, r) => r);
  return nodeClass(
    'p5',
    ...[...all, ...Array.from({ length: without }, (_, i) => roots + i)].map((r) =>
      device(`gpu-${r}`, { count: 1, ...at(r) }),
    ),
    ...all.map((r) => device(`nic-${r}`, { count: cards, className: 'dra.net', ...at(r) })),
  );
}

const PARENT = 'resource.kubernetes.io/pciBusID';
const AMD = 'device.attributes["gpu.amd.com"].type == "amdgpu-partition"';

/** A node whose AMD GPUs have four partitions each. */
function partitioned(gpus: number) {
  const type = { string: 'amdgpu-partition' };
  const entries = Array.from({ length: gpus }, (_, g) =>
    device(`part-${g}`, {
      count: 4,
      className: 'gpu.amd.com',
      attributes: { type, [PARENT]: { string: `0000:0${g}:00.0` } },
    }),
  );
  return nodeClass('p5', ...entries);
}

const node = cluster('eu', { a: 'p5 x 1' });
const aligned = (...requests: string[]) => ({ matchAttribute: ROOT, requests });
const of = (id: string, replicas: number, requests: object[], constraints: object[] = [], spec = {}) =>
  deployment(id, {
    replicas,
    engines: [engine('main', requests as never, { constraints: constraints as never })],
    spec: { allowPartial: true, ...spec },
  });
const all = (id: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${id} eu/${i} a`);
const pair = (cards: number) => [ask('gpu', 1, GPU), ask('nic', cards, NIC)];

/** The requests of a pod with a GPU and cards on each of so many roots. */
function pairs(count: number, cards: number) {
  const numbers = Array.from({ length: count }, (_, i) => i);
  return {
    requests: numbers.flatMap((i) => [ask(`gpu-${i}`, 1, GPU), ask(`nic-${i}`, cards, NIC)]),
    constraints: numbers.map((i) => aligned(`gpu-${i}`, `nic-${i}`)),
  };
}

const four = pairs(4, 4);
const eight = pairs(8, 1);

const cases: Record<string, Case> = {
  'a pod whose constraint leaves it a choice of roots takes the node, because the cluster chooses': {
    resources: [rooted(8, 4), node, of('ml/q', 2, pair(4), [aligned('gpu', 'nic')])],
    want: all('ml/q', 1),
  },
  'a root has too few cards for a pod': {
    resources: [rooted(8, 4), node, of('ml/q', 1, pair(5), [aligned('gpu', 'nic')])],
    want: [],
  },
  'without the constraint, cards of several roots do': {
    resources: [rooted(8, 4), node, of('ml/q', 1, pair(5))],
    want: all('ml/q', 1),
  },
  'a pod has several roots': {
    resources: [rooted(8, 4), node, of('ml/q', 2, four.requests, four.constraints)],
    want: all('ml/q', 1),
  },
  'roots that differ in the attribute of another constraint are tried apart': {
    resources: [
      nodeClass(
        'p5',
        device('gpu-0', { count: 1, attributes: { [ROOT]: { string: 'a' }, rack: { string: 'p' } } }),
        device('gpu-1', { count: 1, attributes: { [ROOT]: { string: 'b' }, rack: { string: 'q' } } }),
        device('nic', {
          count: 1,
          attributes: { [ROOT]: { string: 'c' }, rack: { string: 'q' }, card: { bool: true } },
        }),
      ),
      node,
      of(
        'ml/q',
        1,
        [
          ask('gpu', 1, '!("card" in device.attributes["gpu.nvidia.com"])'),
          ask('nic', 1, '"card" in device.attributes["gpu.nvidia.com"]'),
        ],
        [aligned('gpu'), { matchAttribute: 'gpu.nvidia.com/rack', requests: ['gpu', 'nic'] }],
      ),
    ],
    want: all('ml/q', 1),
  },
  'partitions of one GPU are taken together': {
    resources: [partitioned(2), node, of('ml/q', 1, [ask('part', 4, AMD)], [{ matchAttribute: PARENT, requests: [] }])],
    want: all('ml/q', 1),
  },
  'a pod with more partitions than a GPU has does not fit, though the node has as many': {
    resources: [partitioned(2), node, of('ml/q', 1, [ask('part', 5, AMD)], [{ matchAttribute: PARENT, requests: [] }])],
    want: [],
  },
  'without the constraint, partitions of several GPUs do': {
    resources: [partitioned(2), node, of('ml/q', 1, [ask('part', 5, AMD)])],
    want: all('ml/q', 1),
  },
  'a pod needs more roots than have enough cards': {
    resources: [rooted(7, 1), node, of('ml/q', 1, eight.requests, eight.constraints)],
    want: [],
  },
  'also if a GPU more is on a root without cards': {
    resources: [rooted(7, 1, 1), node, of('ml/q', 1, eight.requests, eight.constraints)],
    want: [],
  },
  'a pod has all roots of a node': {
    resources: [rooted(8, 1), node, of('ml/q', 2, eight.requests, eight.constraints)],
    want: all('ml/q', 1),
  },
};

test.each(Object.entries(cases))('%s', (_name, row) => check(row), 60_000);
