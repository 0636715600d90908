import type { ModelDeployment } from '../model-deployment';
import type { Path } from '../resource';

/** A cache that a deployment mounts, by its name in the deployment's namespace. */
export interface CacheReference {
  readonly name: string;

  /** What it is mounted as. */
  readonly as: 'Model' | 'LoRA';

  /** Where the deployment says so. */
  readonly path: Path;
}

const TEMPLATE = ['spec', 'template', 'spec'] as const;

/** The caches that a deployment mounts: its model first, then its adapters in their order. */
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
