import type { Path } from '../api/resource';
import type { EngineProfile, Setting } from '../catalog/engines/profile';
import { memoWeak, type WeakTable } from '../memo';
import { type Argument, type EngineContainer, type Invocation, invocationOf } from './invocation';

/** A value that the user gave a setting, and where. */
export interface Given {
  /** The flag or variable. */
  readonly name: string;

  /** Empty for a switch. Absent where only the container will know it. */
  readonly value?: string;

  /** Within the container. */
  readonly path: Path;
}

/** What a container tells its engine. */
export interface Reading {
  readonly profile: EngineProfile;
  readonly invocation: Invocation;
  readonly flags: ReadonlyMap<string, Given>;

  /** Arguments that belong to no flag. */
  readonly positionals: readonly Argument[];
  readonly variables: ReadonlyMap<string, Given>;

  /** Whether nothing else tells it anything: no file, no variable that stands for more arguments. */
  readonly complete: boolean;
}

/** What a container tells an engine of a runtime. Declarations never change once they are read, so an answer holds. */
export function readContainer(container: EngineContainer, profile: EngineProfile): Reading {
  return memoWeak(READINGS, container, profile, () => readNow(container, profile));
}

const READINGS: WeakTable<EngineContainer, EngineProfile, Reading> = new WeakMap();

function readNow(container: EngineContainer, profile: EngineProfile): Reading {
  const invocation = invocationOf(container, profile);
  const { flags, positionals } = sorted(invocation.args, profile);
  const variables = container.env.map(({ name, value }, index): [string, Given] => {
    const literal = value === undefined || value.includes('$(') ? {} : { value };
    return [name, { name, ...literal, path: ['env', index] }];
  });
  const configured = (profile.configFile?.flags ?? []).some((flag) => flags.has(canonical(flag)));
  const open = positionals.some(({ literal }) => !literal);
  return {
    profile,
    invocation,
    flags,
    positionals,
    variables: new Map(variables),
    complete: invocation.form !== 'Hidden' && !configured && !open,
  };
}

/** What the user gave a setting, by flag before variable; nothing where they left it out. */
export function given({ flags, variables }: Reading, setting: Setting | undefined): Given | undefined {
  if (!setting) return undefined;
  const byFlag = setting.flags.map((flag) => flags.get(canonical(flag))).find((found) => found);
  return byFlag ?? (setting.env === undefined ? undefined : variables.get(setting.env));
}

/** A whole number that the user gave a setting, the fallback where they gave none, nothing where it is unknown. */
export function numberGiven(
  reading: Reading,
  setting: Setting | undefined,
  fallback: number,
): number | undefined {
  const found = given(reading, setting);
  if (!found) return reading.complete || !setting ? fallback : undefined;
  return found.value !== undefined && /^\d+$/.test(found.value) ? Number(found.value) : undefined;
}

/** Flags as they are compared: parsers of most runtimes take `_` for `-`. */
export function canonical(flag: string): string {
  return flag.startsWith('--') ? flag.replaceAll('_', '-') : flag;
}

const SWITCH = /^--(enable|disable|no|use|skip|allow)-/;

interface Sorted {
  readonly flags: Map<string, Given>;
  readonly positionals: Argument[];
}

/** The arguments by flag, of which the last of a name counts, as parsers have it. */
function sorted(args: readonly Argument[], profile: EngineProfile): Sorted {
  const flags = new Map<string, Given>();
  const positionals: Argument[] = [];
  const switches = new Set([...profile.switches, ...(profile.metrics?.switches ?? [])].map(canonical));
  const lists = new Set(listsOf(profile).map(canonical));
  for (let index = 0; index < args.length; index++) {
    const argument = args[index];
    if (!argument) continue;
    const { name, value } = split(argument);
    if (name === undefined) {
      positionals.push(argument);
      continue;
    }
    if (value !== undefined || switches.has(name) || SWITCH.test(name)) {
      const literal = value === undefined ? { value: '' } : argument.literal ? { value } : {};
      flags.set(name, { name, ...literal, path: argument.path });
      continue;
    }
    const values = valuesAfter(args, index, lists.has(name));
    const [first] = values;
    const literal = first === undefined ? { value: '' } : first.literal ? { value: first.text } : {};
    flags.set(name, { name, ...literal, path: (first ?? argument).path });
    index += values.length;
  }
  return { flags, positionals };
}

function split({ text }: Argument): { readonly name?: string; readonly value?: string } {
  if (!/^--?[A-Za-z]/.test(text)) return {};
  const equals = text.indexOf('=');
  if (equals === -1) return { name: canonical(text) };
  return { name: canonical(text.slice(0, equals)), value: text.slice(equals + 1) };
}

/** Flags that take all words up to the next flag. */
function listsOf({ adapters, servedName }: EngineProfile): readonly string[] {
  return [...(adapters?.form === 'Words' ? adapters.flags : []), ...(servedName?.flags ?? [])];
}

function valuesAfter(args: readonly Argument[], index: number, all: boolean): Argument[] {
  const rest = args.slice(index + 1);
  const end = rest.findIndex((argument) => split(argument).name !== undefined);
  const values = end === -1 ? rest : rest.slice(0, end);
  return all ? values : values.slice(0, 1);
}
