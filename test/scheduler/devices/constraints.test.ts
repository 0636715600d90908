import { ask, cluster, deployment, device, engine, modelOf, nodeClass, placed, run } from '../build';
import { type Case, check } from '../rows';

const ROOT = 'gpu.nvidia.com/root';
const on = (name: string, root: string, count: number) =>
  device(name, { count, attributes: { root: { string: root } } });
const bound = (rule: string, count: number, requests: string[] = []) =>
  engine('main', [ask('gpu', count)], { constraints: [{ [rule]: ROOT, requests }] });
const q = (engines: ReturnType<typeof engine>, options = {}) => deployment('ml/q', { engines: [engines], ...options });

const cases: Record<string, Case> = {
  'devices that must match come from one value': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 2' }),
      q(bound('matchAttribute', 4)),
    ],
    want: ['ml/q eu/0 a'],
  },
  'not from two values together': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 2' }),
      q(bound('matchAttribute', 8)),
    ],
    want: [],
  },
  'a whole node of one value will do': {
    resources: [nodeClass('roots', on('a', 'x', 8)), cluster('eu', { a: 'roots x 1' }), q(bound('matchAttribute', 8))],
    want: ['ml/q eu/0 a'],
  },
  'only one value that suffices leaves the others to other pods': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 2)),
      cluster('eu', { a: 'roots x 1' }),
      q(bound('matchAttribute', 4), { spec: { priority: 1 } }),
      deployment('ml/r', {
        engines: [engine('main', [ask('gpu', 2, 'device.attributes["gpu.nvidia.com"].root == "y"')])],
      }),
    ],
    want: ['ml/q eu/0 a', 'ml/r eu/0 a'],
  },
  'where the cluster may choose the value, the pod takes the node': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 1' }),
      q(bound('matchAttribute', 4), { replicas: 2 }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'devices that must differ come from as many values': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 1' }),
      q(bound('distinctAttribute', 2)),
    ],
    want: ['ml/q eu/0 a'],
  },
  'not from fewer values': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 1' }),
      q(bound('distinctAttribute', 3)),
    ],
    want: [],
  },
  'a constraint on other requests is none of this one': {
    resources: [
      nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
      cluster('eu', { a: 'roots x 1' }),
      q(
        engine('main', [ask('all', 7), ask('one', 1)], {
          constraints: [{ matchAttribute: ROOT, requests: ['one'] }],
        }),
      ),
    ],
    want: ['ml/q eu/0 a'],
  },
  'a constraint on an attribute that the class does not state counts as met': {
    resources: [nodeClass('h100'), cluster('eu', { a: 'h100 x 1' }), q(bound('matchAttribute', 8))],
    want: ['ml/q eu/0 a'],
  },
};

test.each(Object.entries(cases))('constraints: %s', (_, row) => check(row));

test('requests that constraints rule out are reported with the attribute', () => {
  const resources = [
    nodeClass('roots', on('a', 'x', 4), on('b', 'y', 4)),
    cluster('eu', { a: 'roots x 2' }),
    q(bound('matchAttribute', 8)),
  ];
  const { shortfalls } = run(resources);
  expect(shortfalls[0]?.rejections[0]?.reason).toMatchObject({
    misfit: 'conflict',
    requests: ['gpu'],
    attributes: [ROOT],
  });
  expect(placed(run(resources))).toEqual([]);
  expect(modelOf(...resources).deployments).toHaveLength(1);
});
