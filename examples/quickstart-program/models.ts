import { type Fleet, ModelDeployment } from 'fleetwright/constructs';
import { memoryOf, vllm } from './vllm';

const LLAMA = 'RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic';
const ADA = { cel: 'device.attributes["gpu.nvidia.com"].architecture == "Ada Lovelace"' };

export function declareModels(fleet: Fleet): void {
  // A model on half a node.
  new ModelDeployment(fleet, 'llama-70b', {
    namespace: 'ml',
    replicas: 2,
    engines: [vllm(memoryOf('40Gi', 4), LLAMA, '--tensor-parallel-size=4')],
  });
  // Small models, one GPU each.
  new ModelDeployment(fleet, 'qwen3-8b', {
    namespace: 'ml',
    replicas: 2,
    clusterSelector: {
      matchExpressions: [{ key: 'fleetwright.dev/provider', operator: 'In', values: ['GKE', 'EKS'] }],
    },
    engines: [vllm(memoryOf('22Gi'), 'Qwen/Qwen3-8B', '--max-model-len=16384')],
  });
  new ModelDeployment(fleet, 'embeddings', {
    namespace: 'search',
    replicas: 3,
    engines: [vllm({ devices: [{ name: 'gpu', selectors: [ADA] }] }, 'BAAI/bge-m3', '--runner=pooling')],
  });
}
