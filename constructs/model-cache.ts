import type { Construct } from 'constructs';
import { Declaration } from './declaration';
import type { ModelCacheProps } from './props/model-cache';

/**
 * Model files that are staged on clusters before engines read them.
 *
 * Its size is in GiB and is used once on each cluster.
 *
 * @example
 * const weights = new ModelCache(fleet, 'qwen3-weights', {
 *   namespace: 'ml',
 *   source: 'HuggingFace',
 *   huggingFace: { repo: 'Qwen/Qwen3-8B' },
 *   sizeGiB: 20,
 * });
 */
export class ModelCache extends Declaration<'ModelCache'> {
  constructor(scope: Construct, id: string, props: ModelCacheProps) {
    super(scope, id, 'ModelCache', props);
  }
}
