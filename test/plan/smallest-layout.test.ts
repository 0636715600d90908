import type { Resource } from '../../src/api/kinds';
import { attempt } from '../../src/base/attempt';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus, request } from '../api/build';

const L4 = aClass('l4', { devices: [gpus(4, { memory: '23034Mi', architecture: 'Ada Lovelace' })] });
const H100 = aClass('h100', { devices: [gpus(8, { memory: '81559Mi' })] });
const SMALL = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("23034Mi")) == 0';
const a = aCluster('a', { pools: { l4: 4 } });
const b = aCluster('b', { pools: { h100: 1 } });

interface Row {
  model: string;
  clusters: Resource[];
  options?: Doc;
  want: string;
}

const rows: Record<string, Row> = {
  'the smallest one on the requested GPUs comes first, also where others are enough': {
    model: 'Qwen/Qwen3-32B',
    clusters: [a, b],
    want: 'Use more or larger GPUs, such as 4 x L4, TP 4 (class l4), or a smaller format of the weights.',
  },
  'other GPUs of the fleet are named where no node has enough of the requested ones': {
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    clusters: [a, b],
    want: 'Use more or larger GPUs, such as 2 x H100, TP 2 (class h100), or a smaller format of the weights.',
  },
  'a gang is named where no node is enough': {
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    clusters: [a],
    want: 'Use more or larger GPUs, such as 8 x L4, TP 4 x PP 2, 2 nodes (class l4), or a smaller format of the weights.',
  },
  'GPUs of clusters that the deployment may not be on are not named': {
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    clusters: [aCluster('a', { pools: { l4: 1 } }), b],
    options: { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'a' } } },
    want: 'Use more or larger GPUs, or a smaller format of the weights.',
  },
  'pools without nodes are not named': {
    model: 'meta-llama/Llama-3.3-70B-Instruct',
    clusters: [aCluster('a', { pools: { l4: 1 } }), aCluster('b', { pools: { h100: 0 } })],
    want: 'Use more or larger GPUs, or a smaller format of the weights.',
  },
};

test.each(Object.entries(rows))('weights that are too large for their GPUs: %s', (_, row) => {
  const { model, clusters, options, want } = row;
  const image = 'vllm/vllm-openai:v0.23.0';
  const container = { name: 'engine', image, args: [model, '--max-model-len=4096'] };
  const member = aMember({ devices: [request('gpu', 1, SMALL)], template: { spec: { containers: [container] } } });
  const deployment = aDeployment('ml/chat', { engines: [{ name: 'main', members: [member] }], ...options });
  const taken = attempt(() => decide(assemble([L4, H100, ...clusters, deployment]), byPath, EMPTY_LOCK));
  expect('problems' in taken ? taken.problems.map((one) => formatDiagnostic(one)) : []).toEqual([
    expect.stringContaining(`the engine does not start. ${want}`),
  ]);
});
