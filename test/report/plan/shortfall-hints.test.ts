import { terminalLines } from '../../../src/report/document/write-terminal';
import { adviseOn } from '../../../src/report/plan/plan-annotations';
import { formatOtherReasons, formatShortfall } from '../../../src/report/plan/shortfall-text';
import { ask, cluster, deployment, device, engine, nodeClass, nodeClassWith, run } from '../../scheduler/build';

test('a pod with more CPU than any node is no mismatch of devices, and a smaller request is the way out', () => {
  const engines = [engine('main', [ask('gpu', 1)], { resources: { requests: { cpu: '4' } } })];
  const box = nodeClassWith('box', { allocatable: { cpu: '3.92', memory: '64Gi' } });
  const [short] = run([box, cluster('eu', { a: 'box x 1' }), deployment('ml/q', { engines })]).shortfalls;
  const lines = terminalLines([formatShortfall({ ...short!, accepted: false })]).join('\n');
  expect(lines).toContain('(0 of 1 cluster fits: 1 with nodes that have too little CPU or memory)');
  expect(lines).toContain('More nodes do not help: request less CPU or memory than a node has');
});

test('advice on compute capabilities names their number formats, which a request may have instead', () => {
  const attributes = { cudaComputeCapability: { version: '9.0.0' } };
  const asking = engine('main', [{ ...ask('gpu', 1), where: { supports: 'FP4' } }]);
  const hopper = nodeClass('h100', device('gpu', { attributes }));
  const resources = [hopper, cluster('eu', { a: 'h100 x 1' }), deployment('ml/q', { engines: [asking] })];
  const [short] = run(resources).shortfalls;
  const lines = terminalLines([formatShortfall({ ...short!, accepted: false })]).join('\n');
  expect(lines).toContain('require 9.0.0 (supports: FP8) instead of 10.0.0 (supports: FP4) in where of gpu, on eu / a');
});

test('a cluster that lacks several things, each of which can be declared, is the way out', () => {
  const far = {
    cluster: 'eu',
    pool: 'a',
    reason: { filter: 'devices', engine: 'main', misfit: 'none', requests: ['gpu'] },
  };
  const near = {
    cluster: 'us',
    reason: { filter: 'cache', cache: 'weights', lacks: 'storage' },
    also: [{ pool: 'a', reason: { filter: 'paused' } }],
  };
  const shortfall = { missing: 1, accepted: false, rejections: [far, near], remedies: [] } as never;
  expect(adviseOn(shortfall, [])).toMatch(
    /^More nodes alone do not help\. On us, both obstacles have to go: \(1\) cache weights needs .*; \(2\) pool a: the cluster is paused$/,
  );
});

test.each<[string, Record<string, string>, boolean]>([
  ['no cluster has is said to be set on one, or to be wrong', {}, true],
  ['a cluster has with another value is not', { env: 'test' }, false],
])('a label of clusterSelector that %s', (_, labels, isSaid) => {
  const asking = deployment('ml/q', { template: { clusterSelector: { matchLabels: { env: 'prod' } } } });
  const sites = [cluster('eu', { a: 'h100 x 1' }, { labels }), cluster('us', { a: 'h100 x 1' })];
  const [short] = run([nodeClass('h100'), ...sites, asking]).shortfalls;
  const shortfall = { ...short!, accepted: false };
  const advice =
    "No cluster has the label that env=prod asks for: set it in metadata.labels of an InferenceCluster, or correct 'clusterSelector'";
  expect(
    terminalLines([formatShortfall(shortfall)])
      .join('\n')
      .includes(advice),
  ).toBe(isSaid);
  expect(adviseOn(shortfall, []) === advice).toBe(isSaid);
});

const TAINT = { key: 'team', value: 'ads', effect: 'NoExecute' };
const LOST = { key: 'lost', effect: 'NoExecute' };

test.each<[string, object[], string]>([
  [
    'a cluster with another taint is opened by a toleration',
    [cluster('eu', { a: 'h100 x 1' }, { taints: [TAINT] })],
    'Tolerate the taint (it then runs on eu), or declare another cluster that can run it',
  ],
  [
    'a cluster that is lost is opened by none',
    [cluster('eu', { a: 'h100 x 1' }, { taints: [LOST] })],
    'More nodes alone do not help: change what the deployment asks for, or declare another cluster that can run it',
  ],
  [
    'of both, only the other one is named',
    [cluster('eu', { a: 'h100 x 1' }, { taints: [LOST] }), cluster('us', { a: 'h100 x 1' }, { taints: [TAINT] })],
    'Tolerate the taint (it then runs on us), or declare another cluster that can run it',
  ],
])('%s', (_, sites, want) => {
  const [short] = run([nodeClass('h100'), ...sites, deployment('ml/q')] as never).shortfalls;
  expect(adviseOn({ ...short!, accepted: false }, [])).toBe(want);
});

test('a cluster that is lost is named as such next to the reason that decides', () => {
  const sites = [
    cluster('eu', { a: 'h100 x 1' }, { taints: [LOST] }),
    cluster('us', { a: 'h100 x 1' }, { taints: [TAINT] }),
    cluster('zz', { a: 'h100 x 0' }),
  ];
  const [short] = run([nodeClass('h100'), ...sites, deployment('ml/q')]).shortfalls;
  expect(formatOtherReasons({ ...short!, missing: 1 })).toBe('eu: lost; us: with a taint');
});
