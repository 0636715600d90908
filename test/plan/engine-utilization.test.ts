import { attempt } from '../../src/base/attempt';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, gpus, request } from '../api/build';

interface Row {
  args: string[];
  memory?: string;
  want: RegExp[];
}

const cases: Record<string, Row> = {
  'weights that fit a larger part of the GPU than the engine may use': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=4096', '--gpu-memory-utilization=0.2'],
    want: [
      /weights of 15\.3 GiB a GPU leave 0\.6 GiB .* Set --gpu-memory-utilization=0\.28 or more, or use a smaller format of the weights\.$/,
    ],
  },
  'and the part that is advised': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=4096', '--gpu-memory-utilization=0.28'],
    want: [],
  },
  'one request that fits a larger part of the GPU': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=40000', '--gpu-memory-utilization=0.26'],
    want: [
      /one request of 40,000 tokens does not fit .* or less.*, or set --gpu-memory-utilization=0\.3\d? or more\.$/,
    ],
  },
  'one request that fits no part of the GPU': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=40000', '--gpu-memory-utilization=0.85'],
    memory: '23034Mi',
    want: [
      /one request of 40,000 tokens does not fit .*, or use more or larger GPUs, such as 2 x L4, TP 2 \(class gpus\)\.$/,
    ],
  },
};

test.each(Object.entries(cases))(
  'an engine that uses a part of its GPU: %s',
  (_, { args, memory = '81559Mi', want }) => {
    const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
    const member = aMember({ devices: [request('gpu', 1)], template: { spec: { containers: [container] } } });
    const deployment = aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] });
    const hardware = [aClass('gpus', { devices: [gpus(8, { memory })] }), aCluster('eu', { pools: { gpus: 1 } })];
    const taken = attempt(() => decide(assemble([...hardware, deployment]), byPath, EMPTY_LOCK));
    const found = 'problems' in taken ? taken.problems : taken.value.plan.warnings;
    expect(found.map((one) => formatDiagnostic(one))).toEqual(want.map((one) => expect.stringMatching(one) as unknown));
  },
);
