import { describeEngineMemory, findUnknownModels } from '../../../src/analyze/explain/engine-memory-views';
import { describeEngines } from '../../../src/analyze/explain/engine-views';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatEngines } from '../../../src/report/explain/engine-explanation';
import { formatMemory } from '../../../src/report/explain/memory-bar';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, gpus } from '../../api/build';

const L4 = gpus(8, { memory: '23034Mi', architecture: 'Ada Lovelace' });

function placed(args: string[], clusters = ['a']) {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args };
  const member = aMember({ gpus: 1, template: { spec: { containers: [container] } } });
  const deployment = aDeployment('ml/chat', { replicas: 2, engines: [{ name: 'main', members: [member] }] });
  const own = clusters.map((name) => aCluster(name, { pools: { l4: 1 } }));
  return {
    deployment,
    decision: decide(assemble([aClass('l4', { devices: [L4] }), ...own, deployment]), byPath, EMPTY_LOCK),
  };
}

function linesOf(args: string[], clusters?: string[]): string[] {
  const views = describeEngineMemory(placed(args, clusters).decision, 'ml/chat').get('main') ?? [];
  return terminalLines(views.map(formatMemory));
}

const cases: Record<string, { args: string[]; clusters?: string[]; want: string[] }> = {
  'weights, KV cache with tokens and requests, the rest and what stays free': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=8192'],
    want: [
      'memory of a GPU on a/l4: l4 of 22.0 GiB, Qwen/Qwen3-8B, 1 GPU',
      '  [############################=====----...]',
      '  # weights 15.3 GiB  = KV cache 3.0 GiB (21,840 tokens, 2.7 requests of 8,192)  - activations and graphs 2.0 GiB  . free 1.8 GiB',
    ],
  },
  'engines on alike GPUs of two pools in one bar': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=8192', '--gpu-memory-utilization=0.95'],
    clusters: ['a', 'b'],
    want: [
      'memory of a GPU on a/l4, b/l4: l4 of 22.0 GiB, Qwen/Qwen3-8B, 1 GPU',
      '  [############################======----..]',
      '  # weights 15.3 GiB  = KV cache 3.7 GiB (26,656 tokens, 3.3 requests of 8,192)  - activations and graphs 2.0 GiB  . free 1.1 GiB',
    ],
  },
  'a length that the engine fits itself, by the longest of the model': {
    args: ['Qwen/Qwen3-8B', '--max-model-len=auto'],
    want: [
      'memory of a GPU on a/l4: l4 of 22.0 GiB, Qwen/Qwen3-8B, 1 GPU',
      '  [############################=====----...]',
      '  # weights 15.3 GiB  = KV cache 3.0 GiB (21,840 tokens, 0.5 requests of 40,960)  - activations and graphs 2.0 GiB  . free 1.8 GiB',
    ],
  },
  'nothing of a model that the catalog lacks': { args: ['acme/unknown-9b'], want: [] },
};

test.each(Object.entries(cases))('the memory of a GPU shows %s', (_, { args, clusters, want }) => {
  expect(linesOf(args, clusters)).toEqual(want);
});

test.each([
  [
    'acme/unknown-9b',
    [
      "memory is not checked: the model catalog has no 'acme/unknown-9b'. Add a row with 'fleetwright model add FOLDER --name acme/unknown-9b', where FOLDER has the config.json of the model",
    ],
  ],
  ['Qwen/Qwen3-8B', []],
])('the memory of %s is said not to be checked where the catalog lacks it', (model, want) => {
  const { deployment, decision } = placed([model]);
  const unknownModels = findUnknownModels(decision, deployment);
  const lines = terminalLines(formatEngines(describeEngines(deployment, decision.fleet, { unknownModels })));
  expect(lines.map((line) => line.trim()).filter((line) => line.includes('not checked:'))).toEqual(want);
});
