import type { Member } from '../api/engine';
import type { Path } from '../api/resource';
import type { EngineProfile } from '../catalog/engines/profile';
import { readScript, type Word } from './script';

/** The container of a member, as the user wrote it. */
export type EngineContainer = Member['template']['spec']['containers'][0];

/** A word that an engine is started with, and where it stands in its container. */
export interface Argument extends Word {
  readonly path: Path;
}

/** How a container starts its engine, as far as that can be read. */
export interface Invocation {
  /**
   * Arguments: they follow the program as they stand, so more of them can be added. Script: a shell reads them.
   * Hidden: something else starts the engine, and nobody can tell how.
   */
  readonly form: 'Arguments' | 'Script' | 'Hidden';

  /** What starts the engine. Absent: its image does. */
  readonly program?: string;

  readonly args: readonly Argument[];
}

const SHELL = /(^|\/)(ba|da|a|z|k)?sh$/;
const SCRIPT_FOLLOWS = /^-[a-z]*c$/;

/** How a container starts an engine of a runtime. */
export function invocationOf(container: EngineContainer, profile: EngineProfile): Invocation {
  const lines = commandLines(container);
  const form = lines.script ? 'Script' : 'Arguments';
  for (const words of lines.commands) {
    const found = findProgram(words, profile);
    if (found) return { form, program: found.program, args: words.slice(found.end) };
  }
  const bare = !lines.script && (container.command ?? []).length === 0 && profile.entrypoint;
  return bare ? { form, args: lines.commands.flat() } : { form: 'Hidden', args: [] };
}

/** The program of one of these runtimes that a container starts, and its runtime. */
export function programIn(
  container: EngineContainer,
  profiles: readonly EngineProfile[],
): { readonly profile: EngineProfile; readonly program: string } | undefined {
  const { commands } = commandLines(container);
  for (const words of commands) {
    for (const profile of profiles) {
      const found = findProgram(words, profile);
      if (found) return { profile, program: found.program };
    }
  }
  return undefined;
}

interface CommandLines {
  readonly script: boolean;
  readonly commands: readonly (readonly Argument[])[];
}

function commandLines({ command = [], args = [] }: EngineContainer): CommandLines {
  const words: Argument[] = [
    ...command.map((text, index) => toArgument(text, ['command', index])),
    ...args.map((text, index) => toArgument(text, ['args', index])),
  ];
  const script = scriptOf(words);
  if (!script) return { script: false, commands: [words] };
  const commands = readScript(script.text).map((line) =>
    line.map((word) => ({ ...word, path: script.path })),
  );
  return { script: true, commands };
}

/** Kubernetes puts the value of a variable where `$(NAME)` stands. */
function toArgument(text: string, path: Path): Argument {
  return { text, literal: !/\$\([A-Za-z_][\w.-]*\)/.test(text), path };
}

function scriptOf(words: readonly Argument[]): Argument | undefined {
  const [shell] = words;
  if (!shell || !SHELL.test(shell.text)) return undefined;
  const option = words.findIndex(({ text }) => SCRIPT_FOLLOWS.test(text));
  return option === -1 ? undefined : words[option + 1];
}

function findProgram(
  words: readonly Argument[],
  { programs }: EngineProfile,
): { readonly program: string; readonly end: number } | undefined {
  for (const program of programs) {
    const parts = partsOf(program);
    const start = words.findIndex((_, at) => parts.every((part, k) => isWord(words[at + k], part, k)));
    if (start !== -1) return { program, end: start + parts.length };
  }
  return undefined;
}

/** The words of a program of a profile: there are few, and every container is looked at for all of them. */
function partsOf(program: string): readonly string[] {
  const parts = PARTS.get(program) ?? program.split(' ');
  PARTS.set(program, parts);
  return parts;
}

const PARTS = new Map<string, readonly string[]>();

/** The first word of a program may be a path to it. */
function isWord(word: Word | undefined, part: string, index: number): boolean {
  if (word === undefined) return false;
  return word.text === part || (index === 0 && word.text.endsWith(`/${part}`));
}
