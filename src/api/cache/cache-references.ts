import type { ModelDeployment } from '../model-deployment';
import type { Path } from '../resource';

interface CacheReference {
  readonly name: string;

  /** How the deployment uses the cache. */
  readonly as: 'Model' | 'LoRA';

  /** The path of the reference in the deployment. */
  readonly path: Path;
}

const TEMPLATE = ['spec', 'template', 'spec'] as const;

/** The cache references of a deployment: its model first, then its adapters in their order. */
export function cacheReferencesOf({ spec }: ModelDeployment): CacheReference[] {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  return [
    ...(modelCacheRef
      ? [{ name: modelCacheRef.name, as: 'Model' as const, path: [...TEMPLATE, 'modelCacheRef', 'name'] }]
      : []),
    ...loraAdapters.map((adapter, index) => ({
      name: adapter.modelCacheRef.name,
      as: 'LoRA' as const,
      path: [...TEMPLATE, 'loraAdapters', index, 'modelCacheRef', 'name'],
    })),
  ];
}
