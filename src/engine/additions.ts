import type { Adapters, EngineProfile } from '../catalog/engines/profile';
import { given, type Reading } from './arguments';

/** A variable of a container: a value, or a field of its pod. */
export type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
};

/** What a profile adds to a container, because the user left it out: arguments after theirs, and variables. */
export interface Additions {
  readonly args: readonly string[];
  readonly env: readonly Variable[];
}

/** Nothing to add. */
export const NOTHING: Additions = { args: [], env: [] };

/** Several additions as one. */
export function together(...all: readonly Additions[]): Additions {
  return { args: all.flatMap(({ args }) => args), env: all.flatMap(({ env }) => env) };
}

/**
 * What makes a directory the model of an engine, where the user names none. Nothing for engines that take no
 * directory, and for those whose arguments cannot be added to: a script reads them, or nobody knows what does.
 */
export function modelAddition(reading: Reading, directory: string): Additions {
  const { flags, env, positional, directory: takesDirectory } = reading.profile.model;
  if (!takesDirectory || namesModel(reading)) return NOTHING;
  const [flag] = flags;
  if (flag === undefined && env !== undefined) return { args: [], env: [{ name: env, value: directory }] };
  if (!takesArguments(reading) || (flag === undefined && !positional)) return NOTHING;
  return { args: [flag === undefined ? directory : `${flag}=${directory}`], env: [] };
}

/** Whether the user says which model to serve, or may say so where nobody can read it. */
export function namesModel(reading: Reading): boolean {
  const { profile, positionals, complete, invocation } = reading;
  if (given(reading, profile.model)) return true;
  if (profile.model.positional && positionals.length > 0) return true;
  return !complete && invocation.form !== 'Hidden';
}

/** Whether arguments that are added after the user's reach the engine. */
export function takesArguments({ invocation }: Reading): boolean {
  return invocation.form === 'Arguments';
}

/** An adapter of a model, and where its files are. */
export interface Adapter {
  readonly name: string;
  readonly path: string;
}

/** The forms in which adapters are passed. */
const ADAPTER_FORMS: Readonly<
  Record<Adapters['form'], (flag: string, values: readonly string[]) => readonly string[]>
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
export function adapterAddition(
  { adapters: form }: EngineProfile,
  adapters: readonly Adapter[],
  directory: string,
): Additions | undefined {
  if (!form) return undefined;
  if (adapters.length === 0) return NOTHING;
  if (form.form === 'Directory') return { args: [], env: [{ name: form.env ?? '', value: directory }] };
  const values = adapters.map(({ name, path }) => (form.named ? `${name}=${path}` : path));
  const args = ADAPTER_FORMS[form.form](form.flags[0] ?? '', values);
  return { args: [...form.switches, ...args], env: [] };
}

/**
 * What makes an engine serve adapters where its user names none. Nothing where it takes none, or where its arguments
 * cannot be added to.
 */
export function adaptersOf(
  reading: Reading,
  adapters: readonly Adapter[],
  directory: string,
): Additions | undefined {
  if (given(reading, reading.profile.adapters)) return NOTHING;
  const added = adapterAddition(reading.profile, adapters, directory);
  return added && added.args.length > 0 && !takesArguments(reading) ? undefined : added;
}
