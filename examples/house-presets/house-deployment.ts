import type { Construct } from 'constructs';
import { type EngineProps, ModelDeployment, type ModelDeploymentProps } from 'fleetwright/constructs';

/** What a team says about a model; the rest is the same for the whole house. */
export interface HouseDeploymentProps {
  /** The team, which is also the namespace. */
  readonly team: string;

  /** The repository of the model: Qwen/Qwen3-8B. */
  readonly model: string;

  /** The least memory of the GPU, as a Kubernetes quantity: 22Gi. */
  readonly memory: string;

  /**
   * How many replicas to place.
   *
   * @default 2
   */
  readonly replicas?: number;
}

/** A model the way the house serves it: vLLM on one GPU, never more than one replica a cluster. */
export class HouseDeployment extends ModelDeployment {
  constructor(scope: Construct, id: string, { team, replicas = 2, ...model }: HouseDeploymentProps) {
    const placement: ModelDeploymentProps['placement'] = { maxPerCluster: 1 };
    const replicaLabels = { 'example.com/team': team };
    super(scope, id, { namespace: team, replicas, placement, replicaLabels, engines: [vllm(model)] });
  }
}

function vllm({ model, memory }: Pick<HouseDeploymentProps, 'model' | 'memory'>): EngineProps {
  const cel = `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${memory}")) >= 0`;
  const nodeSelector = { devices: [{ name: 'gpu', selectors: [{ cel }] }] };
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: [model] } as const;
  return { name: 'vllm', members: [{ nodeSelector, template: { spec: { containers: [container] } } }] };
}
