import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, request } from '../../api/build';

const MEMORY = {
  value: '46068Mi',
  requestPolicy: { default: '46068Mi', validRange: { min: '1Mi', max: '46068Mi', step: '1Mi' } },
};
const SHARED = aClass('shared', {
  devices: [gpus(4, { allowMultipleAllocations: true, capacity: { memory: MEMORY } })],
});
const CLUSTER = aCluster('eu', { pools: { shared: 1 } });

const FOUR = { requests: { memory: '4Gi' } };
const SHORT = ['Qwen/Qwen3-0.6B', '--max-model-len=8192'];

interface Row {
  args: string[];
  capacity?: Doc;
  want: (string | RegExp)[];
}

const cases: Record<string, Row> = {
  'without the flag, the default counts': {
    args: SHORT,
    capacity: FOUR,
    want: [
      /containers\.0\.image: vLLM uses 41\.4 GiB of a GPU by default, and its pod claims 4\.0 GiB of the 45\.0 GiB: pods that share the GPU may run out of memory\. Set --gpu-memory-utilization=0\.08, or claim 42Gi of memory\.$/,
    ],
  },
  'a larger part than the claim has the flag as its place': {
    args: [...SHORT, '--gpu-memory-utilization=0.5'],
    capacity: FOUR,
    want: [/args\.2: vLLM uses 22\.5 GiB of a GPU, .* Set --gpu-memory-utilization=0\.08, or claim 23Gi of memory\.$/],
  },
  'a claim below a hundredth of the GPU can only grow': {
    args: [...SHORT, '--gpu-memory-utilization=0.2'],
    capacity: { requests: { memory: '400Mi' } },
    want: [/args\.2: .* pod claims 0\.4 GiB .*\. Claim 9Gi of memory\.$/],
  },
  'an engine that needs more than its claim is to claim as much': {
    args: [...SHORT, '--gpu-memory-utilization=0.08'],
    capacity: FOUR,
    want: [/may not start\. Set --gpu-memory-utilization=0\.\d+ or more, and claim [56]Gi of its memory\.$/],
  },
  'as much of the GPU as is claimed is no finding': {
    args: [...SHORT, '--gpu-memory-utilization=0.17'],
    capacity: { requests: { memory: '8Gi' } },
    want: [],
  },
  'nor is a whole GPU': { args: SHORT, want: [] },
  'nor is an engine whose memory is divided otherwise': {
    args: [...SHORT, '--cpu-offload-gb=60'],
    capacity: FOUR,
    want: [],
  },
};

test.each(Object.entries(cases))('a claim of a part of a GPU: %s', (_, { args, capacity, want }) => {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const devices = [{ ...request('gpu', 1), ...(capacity && { capacity }) }];
  const member = aMember({ devices, template: { spec: { containers: [container] } } });
  const fleet = assemble([SHARED, CLUSTER, aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }] })]);
  const { warnings } = decide(fleet, byPath, EMPTY_LOCK).plan;
  expect(warnings.map(({ at, message, hint }) => `${at}: ${message}. ${hint}.`)).toEqual(
    want.map((one) => expect.stringMatching(one) as unknown),
  );
});
