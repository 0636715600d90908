import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, gpus, request } from '../api/build';

const FORTY = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0';
const FLEET = [aClass('l4', { devices: [gpus(8, { memory: '23034Mi' })] }), aCluster('a', { pools: { l4: 4 } })];

function remediesFor(args: string[]): string[] {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ devices: [request('gpu', 1, FORTY)], template: { spec: { containers: [container] } } });
  const deployment = aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] });
  const { deployments } = decide(assemble([...FLEET, deployment]), byPath, EMPTY_LOCK).plan;
  return deployments.flatMap(({ shortfall }) => shortfall?.remedies.map(({ kind }) => kind) ?? []);
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
