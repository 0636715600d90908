import { and, type Condition, gpu, node } from 'fleetwright';
import { type EngineProps, type Fleet, ModelDeployment } from 'fleetwright/constructs';

/** Eight GPUs that compute FP8, on a node whose network can carry a gang later. */
const FP8 = and(gpu.architecture.isOneOf('Hopper', 'Blackwell'), gpu.supports('FP8'), gpu.memory.atLeast('79Gi'));
const FAST_NETWORK = node.nicBandwidth.atLeast('1T');

export function declareModels(fleet: Fleet): void {
  new ModelDeployment(fleet, 'chat', {
    namespace: 'ml',
    replicas: 2,
    engines: [
      vllm(
        [
          { name: 'gpu', count: 8, selectors: [FP8] },
          { name: 'node', selectors: [FAST_NETWORK] },
        ],
        'Qwen/Qwen3-235B-A22B-FP8',
        '--tensor-parallel-size=8',
        '--enable-expert-parallel',
      ),
    ],
  });
  new ModelDeployment(fleet, 'long-context', {
    namespace: 'ml',
    annotations: { 'fleetwright.dev/silence-marketing-size': 'an H100 has no room for contexts this long' },
    replicas: 1,
    engines: [vllm([gpus(4, gpu.memory.atLeast('80Gi'))], 'Qwen/Qwen3-30B-A3B', '--tensor-parallel-size=4')],
  });
  new ModelDeployment(fleet, 'embeddings', {
    namespace: 'search',
    replicas: 2,
    placement: { policy: 'Cheapest', maxPerCluster: 1 },
    engines: [vllm([gpus(1, gpu.memory.atLeast('8Gi'))], 'BAAI/bge-m3')],
  });
}

type Requests = NonNullable<NonNullable<EngineProps['members']>[number]['nodeSelector']>['devices'];

function gpus(count: number, ...selectors: Condition[]): Requests[number] {
  return { name: 'gpu', count, selectors };
}

function vllm(devices: Requests, ...args: string[]): EngineProps {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args } as const;
  return {
    name: 'vllm',
    members: [{ nodeSelector: { devices }, template: { spec: { containers: [container] } } }],
  };
}
