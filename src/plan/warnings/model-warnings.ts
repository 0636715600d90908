import type { Engine } from '../../api/engine';
import type { ResourcePath } from '../../api/kinds';
import type { ModelCache } from '../../api/model-cache';
import type { ModelDeployment } from '../../api/model-deployment';
import { qualifiedNameOf } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import type { ModelRow } from '../../catalog/models/model-row';
import { findSetting } from '../../engine/container-settings';
import { pathIn, servedRepositoryOf } from '../../engine/model-setup';
import { findNamedModel, isRepository } from '../../engine/named-model';
import { containerSettingsOf } from '../../engine/ports-and-probe-defaults';
import type { Fleet } from '../../fleet/fleet';
import { BUILT_IN_MODELS, findMisspelledModel, findModel } from '../../fleet/models/model-book';

/** Finds engines that distribute the experts of a model that has none. Their runtimes refuse to start. */
export function findDenseExpertWarnings({
  deployments,
  caches,
  models = BUILT_IN_MODELS,
}: Fleet): Diagnostic<ResourcePath>[] {
  const cachesById = new Map(caches.map((cache) => [qualifiedNameOf(cache), cache]));
  return listEngines(deployments).flatMap(({ resource, engine, e }) => {
    const settings = containerSettingsOf(resource, engine);
    const given = findSetting(settings, settings.profile.memory?.expertParallel);
    const repository = given && servedRepositoryOf(settings, cacheOf(resource, cachesById));
    const row = repository === undefined ? undefined : findModel(repository, models);
    if (!given || !row || !isDense(row)) return [];
    const at = { resource, path: [...pathOf(e), ...pathIn(engine, given.path)] };
    const what = `${row.repository} has no experts, so ${settings.profile.title} does not start with ${given.name}`;
    return [warningAt('no-experts', at, what, 'Remove the flag')];
  });
}

/** Rows without experts are complete where they state that a token uses all parameters. */
function isDense({ experts, parameters }: ModelRow): boolean {
  return experts === undefined && parameters !== undefined && parameters.total === parameters.active;
}

/** Finds models of engines and caches that the catalog lacks and whose names differ by few letters from one it has. */
export function findMisspelledModels({
  deployments,
  caches,
  models = BUILT_IN_MODELS,
}: Fleet): Diagnostic<ResourcePath>[] {
  const named = listEngines(deployments).flatMap(({ resource, engine, e }) => {
    const model = findNamedModel(containerSettingsOf(resource, engine));
    if (model?.value === undefined || !isRepository(model.value)) return [];
    return [{ name: model.value, at: { resource, path: [...pathOf(e), ...pathIn(engine, model.path)] } }];
  });
  const staged = caches.flatMap((resource) => {
    const name = resource.spec.content === 'Model' ? resource.spec.huggingFace?.repo : undefined;
    return name === undefined ? [] : [{ name, at: { resource, path: ['spec', 'huggingFace', 'repo'] } }];
  });
  return [...named, ...staged].flatMap(({ name, at }) => {
    const meant = findMisspelledModel(name, models);
    if (meant === undefined) return [];
    const what = `the model catalog has no '${name}', so the memory and parallelism of its engines are not checked`;
    return [warningAt('misspelled-model', at, what, `Did you mean '${meant}'?`)];
  });
}

function listEngines(deployments: readonly ModelDeployment[]) {
  return deployments.flatMap((resource) =>
    resource.spec.template.spec.engines.map((engine: Engine, e) => ({ resource, engine, e })),
  );
}

function pathOf(e: number) {
  return ['spec', 'template', 'spec', 'engines', e];
}

function cacheOf({ metadata, spec }: ModelDeployment, caches: ReadonlyMap<string, ModelCache>): ModelCache | undefined {
  const name = spec.template.spec.modelCacheRef?.name;
  return name === undefined ? undefined : caches.get(`${metadata.namespace}/${name}`);
}
