import { ask, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

/** Eight GPUs of one kind in two groups that differ by one attribute. */
const TWO_SOCKETS = nodeClass(
  'sockets',
  device('near', { count: 4, attributes: { numa: { int: 0 } } }),
  device('far', { count: 4, attributes: { numa: { int: 1 } } }),
);
const onSocket = (numa: number): string => `device.attributes["gpu.nvidia.com"].numa == ${numa}`;
const asking = (id: string, replicas: number, ...requests: Record<string, unknown>[]) =>
  deployment(id, { replicas, engines: [engine('main', requests)] });
const one = cluster('eu', { a: 'sockets x 1' });

const cases: Record<string, Case> = {
  'a request takes from both groups where its selectors accept both': {
    resources: [TWO_SOCKETS, one, asking('ml/q', 2, ask('gpu', 8))],
    want: ['ml/q eu/0 a'],
  },
  'a request has only the group that its selectors accept': {
    resources: [TWO_SOCKETS, one, asking('ml/q', 3, ask('gpu', 2, onSocket(0)))],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'groups are charged apart': {
    resources: [
      TWO_SOCKETS,
      one,
      asking('ml/near', 2, ask('gpu', 4, onSocket(0))),
      asking('ml/wide', 2, ask('gpu', 4, onSocket(1))),
    ],
    want: ['ml/near eu/0 a', 'ml/wide eu/0 a'],
  },
  'requests of one pod that need a group each have one each': {
    resources: [TWO_SOCKETS, one, asking('ml/q', 1, ask('any', 4), ask('near', 4, onSocket(0)))],
    want: ['ml/q eu/0 a'],
  },
  'groups that nothing distinguishes are one kind': {
    // A cluster that packs is not trusted with pods that may choose between kinds: those take a node each.
    resources: [
      nodeClass('same', device('x', { count: 4 }), device('y', { count: 4 })),
      cluster('eu', { a: 'same x 1' }, { pool: { packing: 'BinPack' } }),
      asking('ml/q', 3, ask('gpu', 4)),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a'],
  },
  'groups that an attribute distinguishes are two': {
    resources: [
      TWO_SOCKETS,
      cluster('eu', { a: 'sockets x 1' }, { pool: { packing: 'BinPack' } }),
      asking('ml/q', 3, ask('gpu', 4)),
    ],
    want: ['ml/q eu/0 a'],
  },
};

test.each(Object.entries(cases))('groups of devices: %s', (_, row) => check(row));
