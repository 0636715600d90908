import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { InferenceClassProps } from './props/inference-class';

/**
 * The hardware of one node: its devices as their driver publishes them, and how a cloud provisions it.
 *
 * Memory is the value that the driver publishes, as a Kubernetes quantity (`81559Mi`), not the nominal size.
 *
 * @example
 * const h100 = new InferenceClass(fleet, 'h100', {
 *   devices: [
 *     {
 *       name: 'gpu',
 *       driver: 'gpu.nvidia.com',
 *       deviceClassName: 'gpu.nvidia.com',
 *       count: 8,
 *       capacity: { memory: { value: '81559Mi' } },
 *     },
 *   ],
 * });
 */
export class InferenceClass extends Declaration<'InferenceClass'> {
  constructor(scope: Construct, id: string, props: InferenceClassProps) {
    super(scope, id, 'InferenceClass', props);
  }
}
