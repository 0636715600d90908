import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { compareText } from '../base/order';
import { findSetting } from '../engine/container-settings';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { findAnsweringEngine } from './health-checks';
import type { RouteTarget } from './select-targets';

/** The model names that a deployment serves, as far as its arguments determine them. */
interface ServedNames {
  /** The name of the model. Absent: unknown. */
  readonly model?: string;

  /** All names of the model, that of answers first. Empty: unknown. */
  readonly names: readonly string[];

  /** The names of its adapters, which requests select as their model. */
  readonly adapters: readonly string[];
}

/** Returns the model names of a deployment: the declared served name, or else the model in the arguments. */
export function servedNamesOf(deployment: ModelDeployment): ServedNames {
  const settings = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  const { servedName, model } = settings.profile;
  const declared = findSetting(settings, servedName);
  const path = findSetting(settings, model)?.value ?? (model.positional ? settings.positionals[0]?.text : undefined);
  const name = declared?.value ?? (servedName && path && !path.includes('$') ? path : undefined);
  const adapters = deployment.spec.template.spec.loraAdapters.map((adapter) => adapter.name);
  return { ...(name && { model: name }), names: name ? [name, ...(declared?.more ?? [])] : [], adapters };
}

/** Returns undefined for unknown models, and none for an endpoint that replaces the model: it accepts any name. */
function modelsOf(target: RouteTarget): readonly string[] | undefined {
  if (target.kind === 'External') {
    const { models, model } = target.endpoint.spec;
    if (model) return [];
    return models.length > 0 ? models : undefined;
  }
  const { model, adapters } = servedNamesOf(target.deployment);
  return model === undefined ? undefined : [model, ...adapters];
}

/** Whether a deployment answers requests for a model. Undefined: the names of its model are unknown. */
export function answersModel(deployment: ModelDeployment, model: string): boolean | undefined {
  const { names, adapters } = servedNamesOf(deployment);
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
  return target.kind === 'Edge' ? servedNamesOf(target.deployment).adapters : [];
}

/**
 * Returns the models of a service, sorted: its declared model and the adapters of its targets, or else the models of
 * all targets. Empty if the models of a target are unknown.
 */
export function servedModelsOf({ spec }: ModelService, targets: readonly RouteTarget[]): string[] {
  const known = targets.map(modelsOf);
  const names =
    spec.servedModelName === undefined
      ? known.some((models) => models === undefined)
        ? []
        : known.flatMap((models) => models ?? [])
      : [spec.servedModelName, ...targets.flatMap(adaptersOf)];
  return [...new Set(names)].sort(compareText);
}
