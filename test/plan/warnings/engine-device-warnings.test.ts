import { attempt, problemsOf } from '../../../src/base/attempt';
import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, request } from '../../api/build';

const CONTAINER = 'ModelDeployment ml/qwen3 spec.template.spec.engines.0.members.0.template.spec.containers.0';

const SMALL = 'device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("30Gi"))';
const MIDDLE =
  'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("30Gi")) && device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("60Gi"))';
const LARGE = 'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("60Gi"))';
const NIC = 'device.driver == "dra.net"';

/** Nodes with eight large GPUs and network cards, nodes with small GPUs, and nodes with none that is new. */
const FLEET = [
  aClass('h100', {
    devices: [
      gpus(8, {
        attributes: { architecture: { string: 'Hopper' }, cudaComputeCapability: { version: '9.0.0' } },
      }),
      { name: 'nic', driver: 'dra.net', deviceClassName: 'nic.example.com', count: 8 },
    ],
  }),
  aClass('t4', { devices: [gpus(4, { memory: '15360Mi', architecture: 'Turing' })] }),
  aClass('a10', {
    devices: [gpus(4, { memory: '48Gi', attributes: { cudaComputeCapability: { version: '8.6.0' } } })],
  }),
  aCluster('us', { pools: { h100: 4 } }),
  aCluster('ap', { pools: { a10: 4 } }),
  aCluster('eu', { pools: { t4: 4 } }),
];

/** A node of each kind with devices for no replica that takes eight. */
const NO_ROOM = [aCluster('us', { pools: { h100: 0, t4: 0, a10: 0 } })];

interface Row {
  args: string[];
  devices?: Doc[];
  /** Members, instead of one pod with the devices. */
  members?: Doc[];
  container?: Doc;
  want: string[];
}

const eight = [request('gpu', 8, LARGE)];
const COUNTED = (made: string, how: string) => `${CONTAINER}.args.1: vLLM runs ${made} (${how})`;

function member(role: string, devices: Doc[], container: Doc): Doc {
  return aMember({
    role,
    devices,
    template: { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...container }] } },
  });
}

const cases: Record<string, Row> = {
  'as many tensor ranks as devices': { args: ['m', '--tensor-parallel-size=8'], devices: eight, want: [] },
  'tensor, pipeline and data ranks that multiply to the devices': {
    args: ['m', '-tp=2', '-pp=2', '-dp=2', '--enable-expert-parallel'],
    devices: eight,
    want: [],
  },
  'network cards, which are no ranks': {
    args: ['m', '-tp=8'],
    devices: [...eight, request('nic', 8, NIC)],
    want: [],
  },
  'a runtime that decides by itself': {
    args: [],
    container: { image: 'nvcr.io/nim/meta/llama' },
    devices: eight,
    want: [],
  },
  'a count that the cluster chooses': {
    args: ['m', '-tp=8'],
    devices: [
      {
        name: 'gpu',
        firstAvailable: [
          { name: 'four', count: 4, selectors: [{ cel: LARGE }] },
          { name: 'two', count: 2, selectors: [{ cel: LARGE }] },
        ],
      },
    ],
    want: [],
  },
  'ways of sharing that no one counts': {
    args: ['m', '--data-parallel-rank=0'],
    devices: eight,
    want: [],
  },
  'more data ranks than devices': {
    args: ['m', '-tp=8', '-dp=2'],
    devices: eight,
    want: [
      `${COUNTED('16 ranks', 'tensor 8 x pipeline 1 x data 2')}, and its pods claim 8 devices. Claim 16 devices, if a node has as many, or run at most 8 ranks.`,
    ],
  },
  'devices that are idle': {
    args: ['m', '-tp=4'],
    devices: eight,
    want: [
      `${COUNTED('4 ranks', 'tensor 4 x pipeline 1 x data 1')}, and 4 of the 8 devices that its pods claim are idle. Claim 4 devices, or set --tensor-parallel-size and the other parallel sizes so that their product is 8.`,
    ],
  },
  'devices that are idle because no argument names a parallel size': {
    args: ['m'],
    devices: eight,
    want: [
      `${COUNTED('1 rank', 'tensor 1 x pipeline 1 x data 1').replace('args.1', 'args.0')}, and 7 of the 8 devices that its pods claim are idle. Set --tensor-parallel-size and the other parallel sizes so that their product is 8, or claim 1 device.`,
    ],
  },
  'ranks of a gang over all its nodes': {
    args: [],
    members: [
      member('Leader', eight, { args: ['m', '-tp=8', '-pp=2'] }),
      member('Worker', eight, { args: ['m', '-tp=8', '-pp=2'] }),
    ],
    want: [],
  },
  'a gang with a node too many': {
    args: [],
    members: [
      member('Leader', eight, { args: ['m', '-tp=8', '-pp=2'] }),
      { ...member('Worker', eight, { args: ['m', '-tp=8', '-pp=2'] }), worker: { nodes: 2 } },
    ],
    want: [
      `${COUNTED('16 ranks', 'tensor 8 x pipeline 2 x data 1')}, and 8 of the 24 devices that its pods claim are idle. Claim 16 devices, as with worker: { nodes: 1 }, or set --tensor-parallel-size and the other parallel sizes so that their product is 24.`,
    ],
  },
  'more data ranks on a node than it has devices for': {
    args: [],
    members: [
      member('Leader', eight, { args: ['m', '-dp=16', '-dpl=16'] }),
      member('Worker', eight, { args: ['m', '-dp=16', '--headless'] }),
    ],
    want: [
      `${CONTAINER}.args.2: 16 data ranks of 1 device need 16 devices of a node, and a pod claims 8. Run at most 8 data ranks on each node.`,
    ],
  },
  'data ranks that share the devices of tensor ranks': {
    args: ['--model-path=m', '--tp=8', '--dp=8', '--enable-dp-attention', '--host=0.0.0.0'],
    container: { image: 'lmsysorg/sglang:v0.5.9', command: ['python3', '-m', 'sglang.launch_server'] },
    devices: eight,
    want: [],
  },
  'a dtype that the devices have': {
    args: ['m', '--dtype=bfloat16'],
    devices: [request('gpu', 1, LARGE)],
    want: [],
  },
  'a dtype that they lack, as their architecture tells': {
    args: ['m', '--dtype=bfloat16'],
    devices: [request('gpu', 1, SMALL)],
    want: [
      `${CONTAINER}.args.1: bfloat16 needs compute capability 8.0.0, and device 'gpu', which the pods may get, has 7.5.0. Use another number format, or require device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("8.0.0")) >= 0.`,
    ],
  },
  'half precision, which they all have': {
    args: ['m', '--dtype=half'],
    devices: [request('gpu', 1, SMALL)],
    want: [],
  },
  'no dtype on devices that lack the one of most models': {
    args: ['m'],
    devices: [request('gpu', 1, SMALL)],
    want: [
      `${CONTAINER}.args.0: vLLM computes in the number format of the model, and device 'gpu', which the pods may get, has compute capability 7.5.0, without bfloat16: of a bfloat16 model, older releases refuse to start, newer ones compute in float16. Add '--dtype=half', or require device.attributes["gpu.nvidia.com"].cudaComputeCapability.compareTo(semver("8.0.0")) >= 0.`,
    ],
  },
  'the dtype of the model by name as none': {
    args: ['m', '--dtype', 'auto'],
    devices: [request('gpu', 1, SMALL)],
    want: [
      expect.stringContaining(
        `${CONTAINER}.args.2: vLLM computes in the number format of the model`,
      ) as unknown as string,
    ],
  },
  'no dtype on devices that have it': { args: ['m'], devices: [request('gpu', 1, MIDDLE)], want: [] },
  'no dtype in a runtime that falls back by itself': {
    args: ['--model-path=m', '--host=0.0.0.0'],
    container: { image: 'lmsysorg/sglang:v0.5.9', command: ['python3', '-m', 'sglang.launch_server'] },
    devices: [request('gpu', 1, SMALL)],
    want: [],
  },
  'no dtype where a file may state it': {
    args: ['--config=a.yaml'],
    devices: [request('gpu', 1, SMALL)],
    want: [],
  },
  'a quantization of the same major capability that they lack, as they state': {
    args: ['m', '--quantization=fp8'],
    devices: [request('gpu', 1, MIDDLE)],
    want: [expect.stringContaining("fp8 needs compute capability 8.9.0, and device 'gpu'") as unknown as string],
  },
  'a dtype that the same devices have': {
    args: ['m', '--dtype=bfloat16'],
    devices: [request('gpu', 1, MIDDLE)],
    want: [],
  },
  'a quantization that they lack': {
    args: ['m', '--quantization', 'fp8'],
    devices: [request('gpu', 1, SMALL)],
    want: [
      expect.stringContaining(`${CONTAINER}.args.2: fp8 needs compute capability 8.9.0, and`) as unknown as string,
    ],
  },
};

test.each(Object.entries(cases))('the plan judges %s', (_, { args, devices, members, container, want }) => {
  const engines = [{ name: 'main', members: members ?? [member('Standalone', devices ?? [], { args, ...container })] }];
  const fleet = assemble([...FLEET, aDeployment('ml/qwen3', { engines })]);
  const { plan } = decide(fleet, byPath, EMPTY_LOCK);
  expect(plan.totals.unplaced).toBe(0);
  expect(plan.warnings.map((problem) => formatDiagnostic(problem))).toEqual(want);
});

describe('an engine that divides one model over more devices than its pods claim', () => {
  const engines = [{ name: 'main', members: [member('Standalone', eight, { args: ['m', '-tp=8', '-pp=2'] })] }];
  const declared = aDeployment('ml/qwen3', { engines });
  const want = `${COUNTED('16 ranks', 'tensor 8 x pipeline 2 x data 1')}, and its pods claim 8 devices: the engine does not start. Claim 16 devices, if a node has as many, or run at most 8 ranks.`;

  test('is an error', () => {
    const taken = attempt(() => decide(assemble([...FLEET, declared]), byPath, EMPTY_LOCK));
    expect(problemsOf(taken).map(formatDiagnostic)).toEqual([want]);
  });

  test('is a warning in a deployment of the alias group, which must continue to load', () => {
    const alias = { ...declared, group: 'modelplane.ai' as const };
    const { plan } = decide(assemble([...FLEET, alias]), byPath, EMPTY_LOCK);
    expect(plan.warnings.map(formatDiagnostic)).toEqual([want]);
  });
});

test('an engine of several pools is reported once of each kind of device', () => {
  const engines = [
    {
      name: 'main',
      members: [member('Standalone', [request('gpu', 1, SMALL)], { args: ['m', '--dtype=bfloat16'] })],
    },
  ];
  const more = [aCluster('af', { pools: { t4: 4 } })];
  const fleet = assemble([...FLEET, ...more, aDeployment('ml/qwen3', { replicas: 2, engines })]);
  expect(decide(fleet, byPath, EMPTY_LOCK).plan.warnings).toHaveLength(1);
});

test('each kind of node that a deployment is on is looked at', () => {
  const template = {
    spec: {
      containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m', '--dtype=bfloat16'] }],
    },
  };
  const member = aMember({ devices: [request('gpu', 1, 'device.driver == "gpu.nvidia.com"')], template });
  const deployment = aDeployment('ml/qwen3', {
    replicas: 3,
    engines: [{ name: 'main', members: [member] }],
  });
  const { plan } = decide(assemble([...FLEET, deployment]), byPath, EMPTY_LOCK);
  expect(plan.warnings.filter(({ code }) => code === 'unable-device')).toHaveLength(1);
});

const TOO_MANY = (claimed: string) =>
  `${COUNTED('16 ranks', 'tensor 16 x pipeline 1 x data 1')}, and its pods claim ${claimed}: the engine does not start. Claim 16 devices, if a node has as many, or run at most ${claimed.replace('device', 'rank')}.`;

const engineWith = (devices: Doc[], args: string[]) => [
  { name: 'main', members: [member('Standalone', devices, { args: ['m', ...args] })] },
];

describe('an engine without a place', () => {
  const NOWHERE = 'device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("900Gi"))';
  const ANY = 'device.driver == "gpu.nvidia.com"';
  const unplaced: Record<string, { replicas?: number; engines: Doc[]; want: string[] }> = {
    'lacks room: what holds wherever its pods fit is found': {
      replicas: 9,
      engines: engineWith(eight, ['-tp=16']),
      want: [TOO_MANY('8 devices')],
    },
    'is to have no replica: the same is a warning': {
      replicas: 0,
      engines: engineWith(eight, ['-tp=16']),
      want: [TOO_MANY('8 devices')],
    },
    'claims devices that no class has: its only request tells how many': {
      engines: engineWith([request('gpu', 2, NOWHERE)], ['-tp=16']),
      want: [TOO_MANY('2 devices')],
    },
    'claims network cards too, on no node that has both: how many it computes on is unknown': {
      engines: engineWith([request('gpu', 2, NOWHERE), request('nic', 8, NIC)], ['-tp=16']),
      want: [],
    },
    'may get devices of several kinds: what only some of them lack is not found': {
      replicas: 0,
      engines: engineWith([request('gpu', 1, ANY)], ['--dtype=bfloat16']),
      want: [],
    },
  };

  test.each(Object.entries(unplaced))('%s', (_, { replicas = 1, engines, want }) => {
    const fleet = assemble([...FLEET.slice(0, 3), ...NO_ROOM, aDeployment('ml/qwen3', { replicas, engines })]);
    const taken = attempt(() => decide(fleet, byPath, EMPTY_LOCK));
    const found = 'value' in taken ? taken.value.plan.warnings : problemsOf(taken);
    const onRanks = found.filter(({ code }) => code === 'parallelism' || code === 'unable-device');
    expect(onRanks.map(formatDiagnostic)).toEqual(want);
    expect(onRanks.every(({ severity }) => severity === (replicas === 0 ? 'warning' : 'error'))).toBe(true);
  });
});
