import { ask, cache, cluster, deployment, device, engine, nodeClass } from './build';
import { type Case, check } from './rows';

const H100 = nodeClass('h100');
const BIG = nodeClass('big', device('gpu', { memory: '140Gi' }));
const AT_LEAST_100GI = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100Gi")) >= 0';
const tainted = (effect: string) => ({ taints: [{ key: 'maintenance', value: 'true', effect }] });
const toleration = { tolerations: [{ key: 'maintenance', operator: 'Exists' }] };

const cases: Record<string, Case> = {
  'replicas go to the cluster with the fewest of their deployment': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 3' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { replicas: 3 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q us/0 a'],
  },
  'a full cluster is passed over': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      cluster('us', { a: 'h100 x 3' }),
      deployment('ml/q', { replicas: 3 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
  'a deployment of higher priority is placed first': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }),
      deployment('ml/a'),
      deployment('ml/b', { spec: { priority: 1 } }),
    ],
    want: ['ml/b eu/0 a'],
  },
  'equal names in two namespaces are two deployments and do not share nodes': {
    resources: [H100, cluster('eu', { a: 'h100 x 2' }), deployment('a/q'), deployment('b/q')],
    want: ['a/q eu/0 a', 'b/q eu/0 a'],
  },
  'a pool without nodes is passed over': {
    resources: [H100, cluster('eu', { a: 'h100 x 0', b: 'h100 x 1' }), deployment('ml/q')],
    want: ['ml/q eu/0 b'],
  },
  'a small model does not take the devices with the most memory': {
    resources: [H100, BIG, cluster('eu', { a: 'big x 2', b: 'h100 x 2' }), deployment('ml/q')],
    want: ['ml/q eu/0 b'],
  },
  'a selector keeps replicas off devices that do not match': {
    resources: [
      H100,
      BIG,
      cluster('eu', { a: 'h100 x 4', b: 'big x 1' }),
      deployment('ml/q', { engines: [engine('main', [ask('gpu', 8, AT_LEAST_100GI)])] }),
    ],
    want: ['ml/q eu/0 b'],
  },
  'small pods share a node': {
    resources: [H100, cluster('eu', { a: 'h100 x 1' }), deployment('ml/q', { replicas: 4, gpus: 2 })],
    want: ['ml/q eu/0 a', 'ml/q eu/1 a', 'ml/q eu/2 a', 'ml/q eu/3 a'],
  },
  'small pods that could spread over all nodes leave no sure place for a whole-node pod': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      deployment('ml/small', { replicas: 4, gpus: 1, spec: { priority: 1 } }),
      deployment('ml/whole'),
    ],
    want: ['ml/small eu/0 a', 'ml/small eu/1 a', 'ml/small eu/2 a', 'ml/small eu/3 a'],
  },
  'small pods are refused where they could break the promise to a whole-node pod': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }),
      deployment('ml/small', { replicas: 4, gpus: 1 }),
      deployment('ml/whole', { spec: { priority: 1 } }),
    ],
    want: ['ml/small eu/0 a', 'ml/small eu/1 a', 'ml/small eu/2 a', 'ml/whole eu/0 a'],
  },
  'a cluster selector keeps replicas off other clusters': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, { labels: { region: 'eu' } }),
      cluster('us', { a: 'h100 x 4' }, { labels: { region: 'us' } }),
      deployment('ml/q', { replicas: 2, template: { clusterSelector: { matchLabels: { region: 'us' } } } }),
    ],
    want: ['ml/q us/0 a', 'ml/q us/1 a'],
  },
  'a NoSchedule taint keeps replicas off': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoSchedule')),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q'),
    ],
    want: ['ml/q us/0 a'],
  },
  'a NoExecute taint keeps replicas off': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoExecute')),
      cluster('us', { a: 'h100 x 1' }),
      deployment('ml/q'),
    ],
    want: ['ml/q us/0 a'],
  },
  'a tolerated taint does not': {
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 4' }, tainted('NoSchedule')),
      deployment('ml/q', { template: toleration }),
    ],
    want: ['ml/q eu/0 a'],
  },
  'replicas with a cache go where it can be staged: its selector matches and there is shared storage': {
    resources: [
      H100,
      cluster('a', { a: 'h100 x 4' }, { labels: { region: 'eu' } }),
      cluster('b', { a: 'h100 x 4' }, { storage: true }),
      cluster('c', { a: 'h100 x 4' }, { storage: true, labels: { region: 'eu' } }),
      cache('ml/weights', { region: 'eu' }),
      deployment('ml/q', { replicas: 2, template: { modelCacheRef: { name: 'weights' } } }),
    ],
    want: ['ml/q c/0 a', 'ml/q c/1 a'],
  },
};

test.each(Object.entries(cases))('fill: %s', (_, row) => check(row));
