import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { ModelDeploymentProps } from './props/model-deployment';

/**
 * A model to serve: how many replicas, which devices they need, and the engines that run on them.
 *
 * The fields of the template are direct props: `engines`, `clusterSelector`, `tolerations`. `labels` are the labels
 * of the deployment, `replicaLabels` those of its replicas and their endpoints.
 *
 * @example
 * new ModelDeployment(fleet, 'qwen3-8b', {
 *   namespace: 'ml',
 *   replicas: 2,
 *   engines: [
 *     {
 *       name: 'vllm',
 *       members: [
 *         {
 *           nodeSelector: {
 *             devices: [
 *               {
 *                 name: 'gpu',
 *                 selectors: [{ cel: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("22Gi")) >= 0' }],
 *               },
 *             ],
 *           },
 *           template: {
 *             spec: {
 *               containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-8B'] }],
 *             },
 *           },
 *         },
 *       ],
 *     },
 *   ],
 * });
 */
export class ModelDeployment extends Declaration<'ModelDeployment'> {
  constructor(scope: Construct, id: string, props: ModelDeploymentProps) {
    super(scope, id, 'ModelDeployment', props);
  }
}
