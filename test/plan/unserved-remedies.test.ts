import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import type { Resource } from '../../src/api/kinds';
import {
  aCache,
  aClass,
  aCluster,
  type ClusterOptions,
  aDeployment,
  aMember,
  byPath,
  gpus,
  request,
} from '../api/build';

const FORTY = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0';
const EIGHTY = FORTY.replace('40Gi', '80Gi');
const FLEET = [aClass('l4', { devices: [gpus(8, { memory: '23034Mi' })] }), aCluster('a', { pools: { l4: 4 } })];

function shortOf(cel: string, args: string[], fleet: readonly Resource[] = FLEET, replicas = 1) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ devices: [request('gpu', 1, cel)], template: { spec: { containers: [container] } } });
  const deployment = aDeployment('ml/chat', { replicas, engines: [{ name: 'main', members: [member] }] });
  const { deployments, warnings } = decide(assemble([...fleet, deployment]), byPath, EMPTY_LOCK).plan;
  return { warnings, remedies: deployments.flatMap(({ shortfall }) => shortfall?.remedies ?? []) };
}

function remediesFor(args: string[]): string[] {
  return shortOf(FORTY, args).remedies.map(({ kind }) => kind);
}

const cases: Record<string, { args: string[]; want: string[] }> = {
  'a smaller memory is offered for a model that fits': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=8192'],
    want: ['bound'],
  },
  'a smaller memory is not offered for a model whose memory is not known': { args: ['acme/unknown'], want: [] },
  'a smaller memory is not offered for weights that exceed it': {
    args: ['Qwen/Qwen3-32B', '--max-model-len=4096'],
    want: [],
  },
  'a smaller memory is not offered for a request that may not fit': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=24k'],
    want: [],
  },
};

test.each(Object.entries(cases))('%s', (_, { args, want }) => {
  expect(remediesFor(args)).toEqual(want);
});

/** What machines of clouds also have: a synthetic device with memory, which no pod claims. */
const HOST = { ...gpus(1, { memory: '512Gi' }), name: 'host', deviceClassName: undefined, claim: 'Synthetic' };

test('a smaller memory is not offered for weights that only a device would hold that is never claimed', () => {
  const hosts = aClass('l4', { devices: [gpus(8, { memory: '23034Mi' }), HOST] });
  const { remedies } = shortOf(FORTY, ['Qwen/Qwen3-32B', '--max-model-len=4096'], [hosts, ...FLEET.slice(1)]);
  expect(remedies).toEqual([]);
});

test.each([
  [['a', 'b'], 'a'],
  [['b', 'a'], 'b'],
])('the nearest device misses by the least, whatever the names of its pool (%j)', ([large = '', small = '']) => {
  const classes = [aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }), ...FLEET.slice(0, 1)];
  const pools = { [large]: { className: 'h100', nodeCount: 1 }, [small]: { className: 'l4', nodeCount: 1 } };
  const { warnings, remedies } = shortOf(EIGHTY, ['Qwen/Qwen3-8B'], [...classes, aCluster('a', { pools })]);
  expect(remedies).toMatchObject([{ kind: 'bound', pool: large, to: '79Gi' }]);
  expect(warnings.map(({ message }) => message).join()).toContain('memory 81559Mi is less than 80Gi');
});

test('nodes are offered of a pool on which the engine starts only', () => {
  const classes = [aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }), ...FLEET.slice(0, 1)];
  const [large, small] = [
    { className: 'h100', nodeCount: 0 },
    { className: 'l4', nodeCount: 0 },
  ] as const;
  const args = ['Qwen/Qwen3-32B', '--max-model-len=4096'];
  const nodesOn = (pools: Required<ClusterOptions>['pools']): unknown =>
    shortOf('true', args, [...classes, aCluster('a', { pools })]).remedies;
  expect(() => nodesOn({ l4: small })).toThrow(/weights of 61\.0 GiB on 1 x l4/);
  expect(nodesOn({ a: small, b: large })).toEqual([
    { kind: 'nodes', cluster: 'a', pool: 'b', nodes: 1, nodeCount: { from: 0, to: 1 }, gpus: 8 },
  ]);
});

/** A pair of engines of 1 GPU each: one takes any GPU, the other asks for more memory than any has. */
function pairOf(model: string) {
  const engineOf = (name: string, phase: string, cel: string) => {
    const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: [model, '--block-size=128'] };
    const pod = { devices: [request('gpu', 1, cel)], template: { spec: { containers: [container] } } };
    return { name, phase, members: [aMember(pod)] };
  };
  const engines = [
    engineOf('prefill', 'Prefill', 'true'),
    engineOf('decode', 'Decode', EIGHTY.replace('80Gi', '100Gi')),
  ];
  const classes = [aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }), ...FLEET.slice(0, 1)];
  const pair = aDeployment('ml/pair', { engines, serving: { mode: 'PrefillDecode' } });
  const fleet = [...classes, aCluster('a', { pools: { h100: 1, l4: 1 } }), pair];
  return decide(assemble(fleet), byPath, EMPTY_LOCK).plan.deployments.flatMap((one) => one.shortfall?.remedies ?? []);
}

test('a bound that gives an engine a place is not offered where the other engine of its pair does not start', () => {
  expect(pairOf('Qwen/Qwen3-8B')).toMatchObject([{ kind: 'bound', pool: 'h100', to: '79Gi' }]);
  expect(pairOf('Qwen/Qwen3-32B')).toEqual([]);
});

/** What helps a deployment whose only place another one has, which would fit on a smaller GPU if the cluster had storage. */
function freedBy(model: string): string[] {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: [model, '--max-model-len=4096'] };
  const small = aMember({ devices: [request('gpu', 1)], template: { spec: { containers: [container] } } });
  const large = aMember({ devices: [request('gpu', 8, EIGHTY.replace('80Gi', '79Gi'))] });
  const { deployments } = decide(
    assemble([
      aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] }),
      ...FLEET.slice(0, 1),
      aCluster('a', { pools: { h100: 1 }, storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
      aCluster('b', { pools: { l4: 1 } }),
      aCache('ml/c'),
      aDeployment('ml/chat', {
        priority: 1,
        modelCacheRef: { name: 'c' },
        engines: [{ name: 'main', members: [small] }],
      }),
      aDeployment('ml/large', { engines: [{ name: 'main', members: [large] }] }),
    ]),
    byPath,
    EMPTY_LOCK,
  ).plan;
  return deployments.flatMap(({ shortfall }) => (shortfall?.remedies ?? []).map(({ kind }) => kind));
}

test('storage for another deployment is not offered where its engine does not start', () => {
  expect(freedBy('Qwen/Qwen3-8B')).toContain('declare');
  expect(freedBy('Qwen/Qwen3-32B')).not.toContain('declare');
});
