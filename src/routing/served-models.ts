import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { compareText } from '../base/order';
import { type ContainerSettings, findSetting } from '../engine/container-settings';
import { addModel, engineFilesOf } from '../engine/model-files';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { findAnsweringEngine } from './health-checks';
import type { RouteTarget } from './select-targets';

/** The model names that a deployment serves, as far as its arguments and its cache determine them. */
interface ServedNames {
  /** The name of the model. Absent: unknown. */
  readonly model?: string;

  /** All names of the model, that of answers first. Empty: unknown. */
  readonly names: readonly string[];

  /** The names of its adapters, which requests select as their model. */
  readonly adapters: readonly string[];
}

/** Caches of a fleet, those of the models of deployments among them. */
type Caches = readonly ModelCache[];

/**
 * Returns the model names of a deployment: the declared served name, or else the model in the arguments, or else the
 * directory of its cache, which Fleetwright adds to them.
 */
export function servedNamesOf(deployment: ModelDeployment, caches: Caches): ServedNames {
  const settings = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  const { servedName } = settings.profile;
  const declared = findSetting(settings, servedName);
  const path = findGivenModel(settings) ?? (declared ? undefined : findAddedDirectory(deployment, settings, caches));
  const name = declared?.value ?? (servedName && path && !path.includes('$') ? path : undefined);
  return {
    ...(name && { model: name }),
    names: name ? [name, ...(declared?.more ?? [])] : [],
    adapters: adapterNamesOf(deployment),
  };
}

/** Finds the model in the arguments and variables of an engine. */
function findGivenModel(settings: ContainerSettings): string | undefined {
  const { model } = settings.profile;
  return findSetting(settings, model)?.value ?? (model.positional ? settings.positionals[0]?.text : undefined);
}

/** Finds the directory that is added to the arguments of an engine, if the engine answers to its path. */
function findAddedDirectory(
  deployment: ModelDeployment,
  settings: ContainerSettings,
  caches: Caches,
): string | undefined {
  if (!settings.profile.pathIsName) return undefined;
  const { model } = engineFilesOf(deployment, caches);
  return model !== undefined && addModel(settings, model).args.length > 0 ? model : undefined;
}

function adapterNamesOf({ spec }: ModelDeployment): readonly string[] {
  return spec.template.spec.loraAdapters.map(({ name }) => name);
}

/** Returns undefined for unknown models, and none for an endpoint that replaces the model: it accepts any name. */
function modelsOf(target: RouteTarget, caches: Caches): readonly string[] | undefined {
  if (target.kind === 'External') {
    const { models, model } = target.endpoint.spec;
    if (model) return [];
    return models.length > 0 ? models : undefined;
  }
  const { model, adapters } = servedNamesOf(target.deployment, caches);
  return model === undefined ? undefined : [model, ...adapters];
}

/** Whether a deployment answers requests for a model. Undefined: the names of its model are unknown. */
export function answersModel(deployment: ModelDeployment, model: string, caches: Caches): boolean | undefined {
  const { names, adapters } = servedNamesOf(deployment, caches);
  return names.length === 0 ? undefined : names.includes(model) || adapters.includes(model);
}

/** Returns the adapters that only some targets have, sorted. */
export function findUnevenAdapters(targets: readonly RouteTarget[]): string[] {
  const all = new Set(targets.flatMap(adaptersOf));
  return [...all].filter((name) => !targets.every((target) => servesAdapter(target, name))).sort(compareText);
}

/** Whether a target serves an adapter. */
export function servesAdapter(target: RouteTarget, adapter: string): boolean {
  if (target.kind === 'External') return target.endpoint.spec.models.includes(adapter);
  return adaptersOf(target).includes(adapter);
}

function adaptersOf(target: RouteTarget): readonly string[] {
  return target.kind === 'Edge' ? adapterNamesOf(target.deployment) : [];
}

/**
 * Returns the models of a service, sorted: its declared model and the adapters of its targets, or else the models of
 * all targets. Empty if the models of a target are unknown.
 */
export function servedModelsOf({ spec }: ModelService, targets: readonly RouteTarget[], caches: Caches): string[] {
  const known = targets.map((target) => modelsOf(target, caches));
  const names =
    spec.servedModelName === undefined
      ? known.some((models) => models === undefined)
        ? []
        : known.flatMap((models) => models ?? [])
      : [spec.servedModelName, ...targets.flatMap(adaptersOf)];
  return [...new Set(names)].sort(compareText);
}
