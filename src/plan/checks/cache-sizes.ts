import type { ResourcePath } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import { qualifiedNameOf } from '../../api/resource';
import { isCopiedSource } from '../../api/cache/delivery';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import { BUILT_IN_MODELS, findModel, type ModelBook } from '../../fleet/models/model-book';
import { formatGiB } from '../../sizing/verdict';
import { weightsOf } from '../../sizing/weights';

/** Files may be smaller than the weights that an engine loads by this share. */
const FILES_ERROR = 0.05;

/** What a file system and the other files of a repository take of a volume at least, as a share of the weights. */
const OTHER_FILES = 0.02;

/** Rejects caches whose volume cannot hold the weights of their model. */
export const checkCacheSizes: FleetCheck = function* (fleet) {
  for (const finding of findCacheSizeProblems(fleet)) if (finding.severity === 'error') yield finding;
};

/** Warns of caches whose volume may not hold the files of their model. */
export function findCacheSizeWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  return findCacheSizeProblems(fleet).filter(({ severity }) => severity === 'warning');
}

function findCacheSizeProblems({ caches, deployments, models = BUILT_IN_MODELS }: Fleet): Diagnostic<ResourcePath>[] {
  const declared = new Map(
    deployments.flatMap(({ metadata: { namespace }, spec: { model, template } }): [string, string][] => {
      const { modelCacheRef: ref } = template.spec;
      return model && ref ? [[`${namespace}/${ref.name}`, model.repository]] : [];
    }),
  );
  return caches.flatMap((cache) => {
    const repository = cache.spec.huggingFace?.repo ?? declared.get(qualifiedNameOf(cache));
    return judgeCache(cache, repository, models) ?? [];
  });
}

/** @param repository the model whose weights the cache has. Undefined: it is not known */
function judgeCache(
  cache: ModelCache,
  repository: string | undefined,
  models: ModelBook,
): Diagnostic<ResourcePath> | undefined {
  const { source, sizeGiB, content } = cache.spec;
  if (!isCopiedSource(source) || repository === undefined || sizeGiB === undefined || content !== 'Model') {
    return undefined;
  }
  const model = stagesWeights(cache) ? findModel(repository, models) : undefined;
  const weights = model && weightsOf(model);
  if (!weights || sizeGiB >= weights.totalGiB * (1 + OTHER_FILES)) return undefined;
  const { totalGiB, estimated } = weights;
  const least = Math.ceil(totalGiB * (1 + OTHER_FILES));
  const certain = !estimated && sizeGiB < totalGiB * (1 - FILES_ERROR) && cache.group === 'fleetwright.dev';
  const report = certain ? errorAt : warningAt;
  const ends = certain ? 'do not fit' : 'may not fit';
  const what = `the weights of ${repository} (${formatGiB(totalGiB)}) ${ends} the volume of ${sizeGiB} GiB`;
  const hint = `Set it to at least ${least}, or to twice that if the files can change`;
  return report('cache-too-small', { resource: cache, path: ['spec', 'sizeGiB'] }, what, hint);
}

/** Patterns that leave weights out, and those that take them all. */
const NAMES_WEIGHTS = /safetensors|\.bin|^\*$/;
const ALL_WEIGHTS = /^\*(\.safetensors)?$/;

/** Whether the patterns of a cache select all weights. */
function stagesWeights({ spec: { include, exclude } }: ModelCache): boolean {
  if (exclude.some((pattern) => NAMES_WEIGHTS.test(pattern))) return false;
  return include.length === 0 || include.some((pattern) => ALL_WEIGHTS.test(pattern));
}
