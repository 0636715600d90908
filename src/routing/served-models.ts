import type { ModelDeployment } from '../api/model-deployment';
import type { ModelService } from '../api/model-service';
import { compareText } from '../base/order';
import { findSetting } from '../engine/container-settings';
import { containerSettingsOf } from '../engine/ports-and-probe-defaults';
import { findAnsweringEngine } from './health-checks';
import type { RouteTarget } from './select-targets';

/** The names under which a deployment serves, as far as its arguments say. */
export interface ServedNames {
  /** Of the model itself. Absent: unknown. */
  readonly model?: string;

  /** Of its adapters, which requests choose as their model. */
  readonly adapters: readonly string[];
}

/** The names under which a deployment serves: what its engine is told to be called, else which model it is told. */
export function servedNamesOf(deployment: ModelDeployment): ServedNames {
  const reading = containerSettingsOf(deployment, findAnsweringEngine(deployment));
  const { servedName, model } = reading.profile;
  const named = findSetting(reading, servedName)?.value;
  const path =
    findSetting(reading, model)?.value ?? (model.positional ? reading.positionals[0]?.text : undefined);
  const name = named ?? (servedName && path && !path.includes('$') ? path : undefined);
  const adapters = deployment.spec.template.spec.loraAdapters.map((adapter) => adapter.name);
  return { ...(name && { model: name }), adapters };
}

/**
 * The models that a target answers to. Nothing where that is unknown. An endpoint that gets another name in requests
 * adds none: it answers to whatever they had.
 */
export function modelsOf(target: RouteTarget): readonly string[] | undefined {
  if (target.kind === 'External') {
    const { models, model } = target.endpoint.spec;
    if (model) return [];
    return models.length > 0 ? models : undefined;
  }
  const { model, adapters } = servedNamesOf(target.deployment);
  return model === undefined ? undefined : [model, ...adapters];
}

/** Adapters that only some targets have, sorted. */
export function findUnevenAdapters(targets: readonly RouteTarget[]): string[] {
  const all = new Set(targets.flatMap((target) => adaptersOf(target)));
  return [...all].filter((name) => !targets.every((target) => servesAdapter(target, name))).sort(compareText);
}

/** Whether a target answers to an adapter. */
export function servesAdapter(target: RouteTarget, adapter: string): boolean {
  if (target.kind === 'External') return target.endpoint.spec.models.includes(adapter);
  return adaptersOf(target).includes(adapter);
}

function adaptersOf(target: RouteTarget): readonly string[] {
  return target.kind === 'Edge' ? servedNamesOf(target.deployment).adapters : [];
}

/**
 * The models that a service answers to, sorted: what it declares and the adapters of its targets, or all that its
 * targets have. Empty where one of them is unknown.
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
