import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { ModelServiceProps } from './props/model-service';

/**
 * One address for a model, over endpoints that serve it.
 *
 * Weights are relative to each other.
 *
 * @example
 * new ModelService(fleet, 'chat', {
 *   namespace: 'ml',
 *   endpoints: [{ weight: 1, selector: { matchLabels: { 'fleetwright.dev/deployment': 'qwen3-8b' } } }],
 * });
 */
export class ModelService extends Declaration<'ModelService'> {
  constructor(scope: Construct, id: string, props: ModelServiceProps) {
    super(scope, id, 'ModelService', props);
  }
}
