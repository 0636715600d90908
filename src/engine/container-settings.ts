import type { Path } from '../api/resource';
import { editDistance } from '../base/name-suggestion';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import type { EngineProfile, EngineSetting } from '../catalog/engines/engine-profile';
import { type EngineArgument, type EngineInvocation, invocationOf, type MemberContainer } from './command-line';

/** The value of a setting that the user wrote, and its path. */
export interface GivenValue {
  /** The flag or variable. */
  readonly name: string;

  /** Empty for a switch. Absent if only the container knows it. */
  readonly value?: string;

  /** The further values of a flag that takes several, as far as they are known. Absent: none. */
  readonly more?: readonly string[];

  /** The path within the container. */
  readonly path: Path;
}

/** The settings in a container's arguments and variables. */
export interface ContainerSettings {
  readonly profile: EngineProfile;
  readonly invocation: EngineInvocation;
  readonly flags: ReadonlyMap<string, GivenValue>;

  /** Values of flags that a later value of the same flag overrides. */
  readonly overridden: readonly GivenValue[];

  /** Arguments that belong to no flag. */
  readonly positionals: readonly EngineArgument[];
  readonly variables: ReadonlyMap<string, GivenValue>;

  /** Whether these are all settings: there is no configuration file, and no variable that holds further arguments. */
  readonly complete: boolean;
}

/** Reads the settings in the container of an engine. Cached, because declarations never change after they are parsed. */
export function readContainerSettings(container: MemberContainer, profile: EngineProfile): ContainerSettings {
  return getOrComputeWeak(KNOWN_SETTINGS, container, profile, () => parseContainerSettings(container, profile));
}

const KNOWN_SETTINGS: WeakPairMap<MemberContainer, EngineProfile, ContainerSettings> = new WeakMap();

function parseContainerSettings(container: MemberContainer, profile: EngineProfile): ContainerSettings {
  const invocation = invocationOf(container, profile);
  const { flags, overridden, positionals } = sortArguments(invocation.args, profile);
  const variables = container.env.map(({ name, value }, index): [string, GivenValue] => {
    const literal = value === undefined || value.includes('$(') ? {} : { value };
    return [name, { name, ...literal, path: ['env', index] }];
  });
  const configured = (profile.configFile?.flags ?? []).some((flag) => flags.has(normalizeFlag(flag)));
  const open = positionals.some(({ literal }) => !literal);
  const complete = invocation.form !== 'Hidden' && !configured && !open;
  return { profile, invocation, flags, overridden, positionals, variables: new Map(variables), complete };
}

/** The value of a setting that the user wrote, by flag before variable. Nothing if there is none. */
export function findSetting(
  { flags, variables }: ContainerSettings,
  setting: EngineSetting | undefined,
): GivenValue | undefined {
  if (!setting) return undefined;
  const byFlag = setting.flags.map((flag) => flags.get(normalizeFlag(flag))).find((found) => found);
  return byFlag ?? (setting.env === undefined ? undefined : variables.get(setting.env));
}

/** The edits between a flag and what a user wrote for it: more of them can be another flag. */
export const MAX_TYPOS = 2;

/** A flag that the user probably misspelled for a setting, which has no value. */
export function findMisspelledFlag(
  settings: ContainerSettings,
  setting: EngineSetting | undefined,
): string | undefined {
  if (!setting || findSetting(settings, setting)) return undefined;
  const long = setting.flags.filter((flag) => flag.startsWith('--')).map(normalizeFlag);
  return [...settings.flags.keys()].find((name) =>
    long.some((flag) => editDistance(name, flag, MAX_TYPOS) <= MAX_TYPOS),
  );
}

/** The value of a setting as a whole number. The fallback if the user wrote none; nothing if the value is unknown. */
export function findNumberSetting(
  settings: ContainerSettings,
  setting: EngineSetting | undefined,
  fallback: number,
): number | undefined {
  const found = findSetting(settings, setting);
  if (!found) return settings.complete || !setting ? fallback : undefined;
  return found.value !== undefined && /^\d+$/.test(found.value) ? Number(found.value) : undefined;
}

/** Normalizes a flag for comparison: the parsers of most runtimes accept `_` for `-`. */
export function normalizeFlag(flag: string): string {
  return flag.startsWith('--') ? flag.replaceAll('_', '-') : flag;
}

const SWITCH = /^--(enable|disable|no|use|skip|allow)-/;

interface SortedArguments {
  readonly flags: ReadonlyMap<string, GivenValue>;
  readonly overridden: GivenValue[];
  readonly positionals: EngineArgument[];
}

/** The arguments by flag. The last of several values counts, as in the parsers of the runtimes. */
function sortArguments(args: readonly EngineArgument[], profile: EngineProfile): SortedArguments {
  const flags = new Map<string, GivenValue>();
  const overridden: GivenValue[] = [];
  const positionals: EngineArgument[] = [];
  const add = (given: GivenValue): void => {
    const earlier = flags.get(given.name);
    if (earlier) overridden.push(earlier);
    flags.set(given.name, given);
  };
  const switches = new Set([...profile.switches, ...(profile.metrics?.switches ?? [])].map(normalizeFlag));
  const lists = new Set(listFlagsOf(profile).map(normalizeFlag));
  for (let index = 0; index < args.length; index++) {
    const argument = args[index];
    if (!argument) continue;
    const { name, value } = splitFlag(argument);
    if (name === undefined) {
      positionals.push(argument);
      continue;
    }
    if (value !== undefined || switches.has(name) || SWITCH.test(name)) {
      const literal = value === undefined ? { value: '' } : argument.literal ? { value } : {};
      add({ name, ...literal, path: argument.path });
      continue;
    }
    const values = valuesAfter(args, index, lists.has(name));
    const [first] = values;
    const literal = first === undefined ? { value: '' } : first.literal ? { value: first.text } : {};
    const more = values.slice(1).flatMap((one) => (one.literal ? [one.text] : []));
    add({ name, ...literal, ...(more.length > 0 && { more }), path: (first ?? argument).path });
    index += values.length;
  }
  return { flags, overridden, positionals };
}

function splitFlag({ text }: EngineArgument): { readonly name?: string; readonly value?: string } {
  if (!/^--?[A-Za-z]/.test(text)) return {};
  const equals = text.indexOf('=');
  if (equals === -1) return { name: normalizeFlag(text) };
  return { name: normalizeFlag(text.slice(0, equals)), value: text.slice(equals + 1) };
}

/** Flags that take all words up to the next flag. */
export function listFlagsOf({ adapters, servedName }: EngineProfile): readonly string[] {
  return [...(adapters?.form === 'Words' ? adapters.flags : []), ...(servedName?.flags ?? [])];
}

function valuesAfter(args: readonly EngineArgument[], index: number, all: boolean): EngineArgument[] {
  const rest = args.slice(index + 1);
  const end = rest.findIndex((argument) => splitFlag(argument).name !== undefined);
  const values = end === -1 ? rest : rest.slice(0, end);
  return all ? values : values.slice(0, 1);
}

/** Whether arguments that are added after the user's reach the engine. */
export function takesArguments({ invocation }: ContainerSettings): boolean {
  return invocation.form === 'Arguments';
}
