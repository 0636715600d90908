import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { AdapterSetting, EngineProfile } from '../catalog/engines/engine-profile';
import { type ContainerSettings, findSetting, takesArguments } from './container-settings';

/** Where engines find the files of a cache, unless it says otherwise. Part of the API: args of users name it. */
const MODEL_PATH = '/mnt/models';

/** The folder with a folder for each adapter. Part of the API: scripts of users name it. */
export const ADAPTERS_PATH = '/mnt/adapters';

/** Files that the pods of an engine find on their disks, and that it is told of. */
export interface EngineFiles {
  /** The directory of the model. Absent: none is there. */
  readonly model?: string;
  readonly adapters: readonly AdapterFiles[];
}

/** What engines find of which no cache is named. */
const NO_FILES: EngineFiles = { adapters: [] };

/** What the engines of a deployment find on their disks, by the caches that it names. */
export function engineFilesOf(
  { metadata, spec }: ModelDeployment,
  caches: readonly ModelCache[],
): EngineFiles {
  const { modelCacheRef, loraAdapters } = spec.template.spec;
  if (!modelCacheRef && loraAdapters.length === 0) return NO_FILES;
  const cache = caches.find(
    (one) => one.metadata.namespace === metadata.namespace && one.metadata.name === modelCacheRef?.name,
  );
  const adapters = loraAdapters.map(({ name }) => ({ name, path: adapterPathOf(name) }));
  return { ...(cache?.spec.content === 'Model' && { model: modelPathOf(cache) }), adapters };
}

/** Where the files of a cache are, other than an adapter's. */
export function modelPathOf({ spec }: ModelCache): string {
  return spec.mountPath ?? MODEL_PATH;
}

/** Where the files of an adapter are. */
export function adapterPathOf(name: string): string {
  return `${ADAPTERS_PATH}/${name}`;
}

/** A variable of a container: a value, or a field of its pod. */
export type EnvVariable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
};

/** What a profile adds to a container, because the user left it out: arguments after theirs, and variables. */
export interface ContainerAdditions {
  readonly args: readonly string[];
  readonly env: readonly EnvVariable[];
}

/** Nothing to add. */
export const NO_ADDITIONS: ContainerAdditions = { args: [], env: [] };

/** Several additions as one. */
export function mergeAdditions(...all: readonly ContainerAdditions[]): ContainerAdditions {
  return { args: all.flatMap(({ args }) => args), env: all.flatMap(({ env }) => env) };
}

/**
 * What makes a directory the model of an engine, where the user names none. Nothing for engines that take no
 * directory, and for those whose arguments cannot be added to: a script reads them, or nobody knows what does.
 */
export function addModel(reading: ContainerSettings, directory: string): ContainerAdditions {
  const { flags, env, positional, directory: takesDirectory } = reading.profile.model;
  if (!takesDirectory || namesModel(reading)) return NO_ADDITIONS;
  const [flag] = flags;
  if (flag === undefined && env !== undefined) return { args: [], env: [{ name: env, value: directory }] };
  if (!takesArguments(reading) || (flag === undefined && !positional)) return NO_ADDITIONS;
  return { args: [flag === undefined ? directory : `${flag}=${directory}`], env: [] };
}

/** Whether the user says which model to serve, or may say so where nobody can read it. */
export function namesModel(reading: ContainerSettings): boolean {
  const { profile, positionals, complete, invocation } = reading;
  if (findSetting(reading, profile.model)) return true;
  if (profile.model.positional && positionals.length > 0) return true;
  return !complete && invocation.form !== 'Hidden';
}

/** An adapter of a model, and where its files are. */
export interface AdapterFiles {
  readonly name: string;
  readonly path: string;
}

/** The forms in which adapters are passed. */
const ADAPTER_FORMS: Readonly<
  Record<AdapterSetting['form'], (flag: string, values: readonly string[]) => readonly string[]>
> = {
  Words: (flag, values) => [flag, ...values],
  Commas: (flag, values) => [`${flag}=${values.join(',')}`],
  Repeated: (flag, values) => values.flatMap((value) => [flag, value]),
  Directory: () => [],
};

/**
 * What makes an engine serve adapters, or nothing where it takes none. Adapters of a runtime that takes a directory
 * are the folders in it.
 *
 * @param directory where all adapters are
 * @example
 * adapterAddition(VLLM, [{ name: 'sql', path: '/mnt/adapters/sql' }], '/mnt/adapters')?.args;
 * // ['--enable-lora', '--lora-modules', 'sql=/mnt/adapters/sql']
 */
export function addAdapters(
  { adapters: form }: EngineProfile,
  adapters: readonly AdapterFiles[],
  directory: string,
): ContainerAdditions | undefined {
  if (!form) return undefined;
  if (adapters.length === 0) return NO_ADDITIONS;
  if (form.form === 'Directory') return { args: [], env: [{ name: form.env ?? '', value: directory }] };
  const values = adapters.map(({ name, path }) => (form.named ? `${name}=${path}` : path));
  const args = ADAPTER_FORMS[form.form](form.flags[0] ?? '', values);
  return { args: [...form.switches, ...args], env: [] };
}

/**
 * What makes an engine serve adapters where its user names none. Nothing where it takes none, or where its arguments
 * cannot be added to.
 */
export function addMissingAdapters(
  reading: ContainerSettings,
  adapters: readonly AdapterFiles[],
  directory: string,
): ContainerAdditions | undefined {
  if (findSetting(reading, reading.profile.adapters)) return NO_ADDITIONS;
  const added = addAdapters(reading.profile, adapters, directory);
  return added && added.args.length > 0 && !takesArguments(reading) ? undefined : added;
}
