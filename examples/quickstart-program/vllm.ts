import type { EngineProps, MemberProps, NodeSelectorProps } from 'fleetwright/constructs';

/** GPUs of one node with at least this much memory, as a Kubernetes quantity. */
export function memoryOf(quantity: string, count = 1): NodeSelectorProps {
  const cel = `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${quantity}")) >= 0`;
  return { devices: [{ name: 'gpu', count, selectors: [{ cel }] }] };
}

/** The pods of vLLM with these arguments. */
export function pods(...args: string[]): MemberProps['template'] {
  return { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args }] } };
}

/** vLLM on one node. */
export function vllm(nodeSelector: NodeSelectorProps, ...args: string[]): EngineProps {
  return { name: 'vllm', members: [{ nodeSelector, template: pods(...args) }] };
}
