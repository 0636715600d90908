import { type Fleet, ModelDeployment, type NodeSelectorProps } from 'fleetwright/constructs';
import { pods } from './vllm';

const EIGHT_H200: NodeSelectorProps = {
  devices: [
    {
      name: 'gpu',
      count: 8,
      selectors: [
        { cel: 'device.attributes["gpu.nvidia.com"].architecture == "Hopper"' },
        { cel: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("140Gi")) >= 0' },
      ],
    },
  ],
};

const ARGS = [
  'Qwen/Qwen3-Coder-480B-A35B-Instruct',
  '--tensor-parallel-size=8',
  '--pipeline-parallel-size=2',
  '--nnodes=2',
  '--node-rank=$(FLEETWRIGHT_RANK)',
  '--master-addr=$(FLEETWRIGHT_LEADER_ADDRESS)',
];

/** A model that needs two nodes: a gang of a leader and a worker, with eight GPUs each. */
export function declareGang(fleet: Fleet): void {
  const leader = { role: 'Leader', nodeSelector: EIGHT_H200, template: pods(...ARGS) } as const;
  const template = pods(...ARGS, '--headless');
  const worker = { role: 'Worker', worker: { nodes: 1 }, nodeSelector: EIGHT_H200, template } as const;
  new ModelDeployment(fleet, 'qwen3-coder', {
    namespace: 'ml',
    replicas: 2,
    priority: 100,
    engines: [{ name: 'vllm', members: [leader, worker] }],
  });
}
