import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { InferenceGatewayProps } from './props/inference-gateway';

/**
 * The address at which users reach the services of the fleet.
 *
 * It refers to its clusters by construct or by name.
 *
 * @example
 * new InferenceGateway(fleet, 'public', { clusters: ['us'] });
 */
export class InferenceGateway extends Declaration<'InferenceGateway'> {
  constructor(scope: Construct, id: string, props: InferenceGatewayProps) {
    super(scope, id, 'InferenceGateway', props);
  }
}
