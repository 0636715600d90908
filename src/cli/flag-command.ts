import { Command, CommanderError, type Option } from 'commander';
import { attempt, problemsOf } from '../base/attempt';
import { formatDiagnostic } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { suggestName } from '../base/name-suggestion';
import { joinNames } from '../base/text';

type FlagValues = Readonly<Record<string, unknown>>;

/** What rejects values of flags when a command runs, by command, to report it with flags that do not exist. */
export type FlagChecks = Readonly<Record<string, (flags: FlagValues) => void>>;

/** A command that reports what is wrong with all of its flags at once. commander ends at the first. */
export class FlagCommand extends Command {
  readonly #checks: FlagChecks;

  constructor(name: string | undefined, checks: FlagChecks) {
    super(name);
    this.#checks = checks;
  }

  override createCommand(name?: string): FlagCommand {
    return new FlagCommand(name, this.#checks);
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    // Flags of a command with subcommands may be of those.
    if (this.commands.length === 0) this.#refuseSeveral(args);
    return super.parseOptions(args);
  }

  #refuseSeveral(args: readonly string[]): void {
    const others = (this.parent?.commands ?? []).filter((one) => one !== this && one.commands.length === 0);
    const { errors, values } = readFlags(args, this.options, others);
    if (errors.length === 0) return;
    const all = [...errors, ...problemsOf(attempt(() => this.#checks[this.name()]?.(values))).map(formatDiagnostic)];
    // commander reports a single error itself, and knows no other command.
    const isElsewhere = args.some((arg) => !findOption(arg, this.options).option && findOwners(arg, others).length > 0);
    if (all.length > 1 || isElsewhere) this.error(all.join('\n'), { code: 'commander.badFlags' });
  }
}

interface ReadFlags {
  readonly errors: readonly string[];
  readonly values: FlagValues;
}

/** Reads flags as commander does, and continues after errors. */
function readFlags(args: readonly string[], options: readonly Option[], others: readonly Command[]): ReadFlags {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  if (flags.some((arg) => ['-h', '--help'].includes(arg))) return { errors, values };
  for (let i = 0; i < flags.length; i++) {
    const arg = flags[i] ?? '';
    const { name, option, joined } = findOption(arg, options);
    if (name === undefined) continue;
    if (!option) {
      errors.push(formatUnknown(name, options, findOwners(name, others)));
      continue;
    }
    const takesNext = joined === undefined && (option.required || (option.optional && isValue(flags[i + 1])));
    const text = takesNext ? flags[++i] : joined;
    const key = option.attributeName();
    if (option.required && text === undefined) errors.push(`error: option '${option.flags}' argument missing`);
    else if (text === undefined) values[key] = !option.negate;
    else {
      const parsed = parseValue(option, text, values[key]);
      if ('error' in parsed) errors.push(parsed.error);
      else values[key] = parsed.value;
    }
  }
  return { errors, values };
}

interface FoundOption {
  /** The flag as it is written. Undefined for a value. */
  readonly name?: string;
  readonly option?: Option | undefined;

  /** The value in the same argument. */
  readonly joined?: string | undefined;
}

function findOption(arg: string, options: readonly Option[]): FoundOption {
  if (isValue(arg)) return {};
  const find = (name: string): Option | undefined => options.find(({ long, short }) => long === name || short === name);
  const equals = arg.indexOf('=');
  if (find(arg) || (arg.startsWith('--') && equals < 0)) return { name: arg, option: find(arg) };
  if (arg.startsWith('--')) {
    const name = arg.slice(0, equals);
    return { name, option: find(name), joined: arg.slice(equals + 1) };
  }
  const short = find(arg.slice(0, SHORT));
  return short?.required ? { name: arg, option: short, joined: arg.slice(SHORT) } : { name: arg, option: short };
}

/** The length of a short flag. */
const SHORT = '-o'.length;

function isValue(arg: string | undefined): boolean {
  return arg !== undefined && (!arg.startsWith('-') || arg === '-' || /^-[\d.]/.test(arg));
}

function parseValue(
  option: Option,
  text: string,
  previous: unknown,
): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: option.parseArg ? option.parseArg(text, previous) : text };
  } catch (error) {
    if (error instanceof FleetwrightError) return { error: error.message };
    if (!(error instanceof CommanderError)) throw error;
    return { error: `error: option '${option.flags}' argument '${text}' is invalid. ${error.message}` };
  }
}

/** The names of commands that have a flag. */
function findOwners(flag: string, commands: readonly Command[]): string[] {
  const [long] = flag.split('=');
  return commands.filter(({ options }) => options.some((one) => one.long === long)).map((one) => one.name());
}

/** @param owners other commands that have a flag of this name */
function formatUnknown(name: string, options: readonly Option[], owners: readonly string[]): string {
  const unknown = `error: unknown option '${name}'`;
  if (owners.length > 0) return `${unknown} (a flag of ${joinNames(owners, MAX_NAMED)})`;
  const meant = suggestName(
    name,
    options.flatMap(({ long }) => long ?? []),
  );
  return `${unknown}${meant === undefined ? '' : ` (Did you mean ${meant}?)`}`;
}

/** The most commands to name. */
const MAX_NAMED = 3;
