import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { AdapterSetting, EngineProfile } from '../catalog/engines/engine-profile';
import { type ContainerSettings, findSetting, takesArguments } from './container-settings';

/** The default path of the files of a cache. Part of the API: users name it in args. */
const MODEL_PATH = '/mnt/models';

/** The directory with a subdirectory for each adapter. Part of the API: users name it in scripts. */
export const ADAPTERS_PATH = '/mnt/adapters';

/** Files that the pods of an engine mount, and that arguments name. */
export interface EngineFiles {
  /** The directory of the model. Absent if there is none. */
  readonly model?: string;
  readonly adapters: readonly AdapterFiles[];

  /** Whether the deployment names a cache for its model that is not declared, or that holds an adapter. */
  readonly unresolved?: true;
}

/** One object for all engines without caches: callers cache by it. */
const NO_FILES: EngineFiles = { adapters: [] };

/** The files that the engines of a deployment mount, from the caches that it names. */
export function engineFilesOf({ metadata, spec }: ModelDeployment, caches: readonly ModelCache[]): EngineFiles {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  if (!modelCacheRef && loraAdapters.length === 0) return NO_FILES;
  const { namespace } = metadata;
  const cache = caches.find((one) => one.metadata.namespace === namespace && one.metadata.name === modelCacheRef?.name);
  const adapters = loraAdapters.map(({ name }) => ({ name, path: adapterPathOf(name) }));
  const unresolved = modelCacheRef !== undefined && (!cache || cache.spec.content === 'LoRA');
  const model = cache?.spec.content === 'Model' && { model: modelPathOf(cache) };
  return { ...model, adapters, ...(unresolved && { unresolved }) };
}

/** The path of the files of a cache, other than those of an adapter. */
export function modelPathOf({ spec }: ModelCache): string {
  return spec.mountPath ?? MODEL_PATH;
}

export function adapterPathOf(name: string): string {
  return `${ADAPTERS_PATH}/${name}`;
}

/** A variable of a container: a value, or a field of its pod. */
export type EnvVariable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
};

/**
 * Arguments and variables that a profile adds to a container because the user left them out. The arguments follow
 * those of the user.
 */
export interface ContainerAdditions {
  readonly args: readonly string[];
  readonly env: readonly EnvVariable[];
}

export const NO_ADDITIONS: ContainerAdditions = { args: [], env: [] };

export function mergeAdditions(...all: readonly ContainerAdditions[]): ContainerAdditions {
  return { args: all.flatMap(({ args }) => args), env: all.flatMap(({ env }) => env) };
}

/**
 * The arguments or variables that make an engine serve the model in a directory. Nothing if the user names a model,
 * if the engine takes no directory, or if arguments cannot be added.
 */
export function addModel(settings: ContainerSettings, directory: string): ContainerAdditions {
  const { flags, env, positional, directory: takesDirectory } = settings.profile.model;
  if (!takesDirectory || namesModel(settings)) return NO_ADDITIONS;
  const [flag] = flags;
  if (flag === undefined && env !== undefined) return { args: [], env: [{ name: env, value: directory }] };
  if (!takesArguments(settings) || (flag === undefined && !positional)) return NO_ADDITIONS;
  return { args: [flag === undefined ? directory : `${flag}=${directory}`], env: [] };
}

/** Whether the user names the model to serve, or may name it in a place that cannot be read. */
export function namesModel(settings: ContainerSettings): boolean {
  const { profile, positionals, complete, invocation } = settings;
  if (findSetting(settings, profile.model)) return true;
  if (profile.model.positional && positionals.length > 0) return true;
  return !complete && invocation.form !== 'Hidden';
}

interface AdapterFiles {
  readonly name: string;
  readonly path: string;
}

const ADAPTER_FORMS: Readonly<
  Record<AdapterSetting['form'], (flag: string, values: readonly string[]) => readonly string[]>
> = {
  Words: (flag, values) => [flag, ...values],
  Commas: (flag, values) => [`${flag}=${values.join(',')}`],
  Repeated: (flag, values) => values.flatMap((value) => [flag, value]),
  Directory: () => [],
};

/**
 * The arguments or variables that make an engine serve adapters. Nothing if it supports none. In a runtime that
 * takes a directory, each adapter is a subdirectory.
 *
 * @example
 * addAdapters(VLLM, [{ name: 'sql', path: '/mnt/adapters/sql' }])?.args;
 * // ['--enable-lora', '--lora-modules', 'sql=/mnt/adapters/sql']
 */
export function addAdapters(
  { adapters: form }: EngineProfile,
  adapters: readonly AdapterFiles[],
): ContainerAdditions | undefined {
  if (!form) return undefined;
  if (adapters.length === 0) return NO_ADDITIONS;
  if (form.form === 'Directory') return { args: [], env: [{ name: form.env ?? '', value: ADAPTERS_PATH }] };
  const values = adapters.map(({ name, path }) => (form.named ? `${name}=${path}` : path));
  const args = ADAPTER_FORMS[form.form](form.flags[0] ?? '', values);
  return { args: [...form.switches, ...args], env: [] };
}

/** Like `addAdapters`, but adds nothing if the user names adapters. Nothing also if arguments cannot be added. */
export function addMissingAdapters(
  settings: ContainerSettings,
  adapters: readonly AdapterFiles[],
): ContainerAdditions | undefined {
  if (findSetting(settings, settings.profile.adapters)) return NO_ADDITIONS;
  const added = addAdapters(settings.profile, adapters);
  return added && added.args.length > 0 && !takesArguments(settings) ? undefined : added;
}
