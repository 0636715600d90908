import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { ModelEndpointProps } from './props/model-endpoint';

/**
 * A server outside the fleet that serves a model.
 *
 * @example
 * new ModelEndpoint(fleet, 'overflow', { namespace: 'ml', url: 'https://api.example.com/v1' });
 */
export class ModelEndpoint extends Declaration<'ModelEndpoint'> {
  constructor(scope: Construct, id: string, props: ModelEndpointProps) {
    super(scope, id, 'ModelEndpoint', props);
  }
}
