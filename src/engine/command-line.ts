import type { EngineMember } from '../api/engine';
import { imageRepositoryOf } from '../api/image-names';
import type { Path } from '../api/resource';
import type { EngineProfile } from '../catalog/engines/engine-profile';

/** The container of a member, as the user wrote it. */
export type MemberContainer = EngineMember['template']['spec']['containers'][0];

/** An argument of an engine, and its path in the container. */
export interface EngineArgument extends CommandWord {
  readonly path: Path;
}

/** The command by which a container starts its engine, as far as it can be parsed. */
export interface EngineInvocation {
  /**
   * Arguments: they follow the program directly, so more of them can be added. Script: a shell parses them. Hidden:
   * something else starts the engine, in an unknown way.
   */
  readonly form: 'Arguments' | 'Script' | 'Hidden';

  /** The program that starts the engine. Absent: the entrypoint of the image. */
  readonly program?: string;

  readonly args: readonly EngineArgument[];
}

const SHELL = /(^|\/)(ba|da|a|z|k)?sh$/;
const SCRIPT_FOLLOWS = /^-[a-z]*c$/;

/** Parses how a container starts an engine of a runtime. */
export function invocationOf(container: MemberContainer, profile: EngineProfile): EngineInvocation {
  const lines = commandLines(container);
  const form = lines.script ? 'Script' : 'Arguments';
  for (const words of lines.commands) {
    const found = findProgram(words, profile);
    if (found) return { form, program: found.program, args: words.slice(found.end) };
  }
  const bare = !lines.script && (container.command ?? []).length === 0 && startsAlone(container.image, profile);
  return bare ? { form, args: lines.commands.flat() } : { form: 'Hidden', args: [] };
}

/** Whether an image starts an engine of a runtime without a command. */
export function startsAlone(image: string | undefined, { entrypoint, idleImages = [] }: EngineProfile): boolean {
  const repository = imageRepositoryOf(image ?? '');
  return entrypoint && !idleImages.some((pattern) => pattern.test(repository));
}

/** The program of one of these runtimes that a container starts, and its runtime. */
export function findStartedProgram(
  container: MemberContainer,
  profiles: readonly EngineProfile[],
): { readonly profile: EngineProfile; readonly program: string } | undefined {
  for (const words of commandLines(container).commands) {
    for (const profile of profiles) {
      const found = findProgram(words, profile);
      if (found) return { profile, program: found.program };
    }
  }
  return undefined;
}

interface ContainerCommandLines {
  readonly script: boolean;
  readonly commands: readonly (readonly EngineArgument[])[];
}

function commandLines({ command = [], args = [] }: MemberContainer): ContainerCommandLines {
  const words: EngineArgument[] = [
    ...command.map((text, index) => toArgument(text, ['command', index])),
    ...args.map((text, index) => toArgument(text, ['args', index])),
  ];
  const script = scriptOf(words);
  if (!script) return { script: false, commands: [words] };
  const commands = parseScript(script.text).map((line) => line.map((word) => ({ ...word, path: script.path })));
  return { script: true, commands };
}

/** Kubernetes replaces `$(NAME)` by the value of a variable. */
function toArgument(text: string, path: Path): EngineArgument {
  return { text, literal: !/\$\([A-Za-z_][\w.-]*\)/.test(text), path };
}

function scriptOf(words: readonly EngineArgument[]): EngineArgument | undefined {
  const [shell] = words;
  if (!shell || !SHELL.test(shell.text)) return undefined;
  const option = words.findIndex(({ text }) => SCRIPT_FOLLOWS.test(text));
  return option === -1 ? undefined : words[option + 1];
}

function findProgram(
  words: readonly EngineArgument[],
  { programs }: EngineProfile,
): { readonly program: string; readonly end: number } | undefined {
  for (const program of programs) {
    const parts = program.split(' ');
    const start = words.findIndex((_, at) => parts.every((part, k) => isWord(words[at + k], part, k)));
    if (start !== -1) return { program, end: start + parts.length };
  }
  return undefined;
}

/** The first word of a program may be a path to it. */
function isWord(word: CommandWord | undefined, part: string, index: number): boolean {
  if (word === undefined) return false;
  return word.text === part || (index === 0 && word.text.endsWith(`/${part}`));
}

interface CommandWord {
  readonly text: string;

  /** Whether the text is complete: it contains no variable or command whose value only the container knows. */
  readonly literal: boolean;
}

/** The tokens of a shell script that matter for command lines. */
const TOKEN =
  /(?<continued>\\\n)|\\(?<escaped>[^])|'(?<single>[^']*)'|"(?<double>(?:\\[^]|[^"\\])*)"|(?<expansion>\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|\$[A-Za-z_]\w*|\$[\d@*#?!$-]|`[^`]*`)|(?<redirection>&>>?|\d*(?:>>|>\||[<>]&|<<<?|[<>]))|(?<end>&&|\|\||[;&|()\n])|(?<blank>[ \t\r]+)|(?<comment>#[^\n]*)|(?<plain>[^\\'"$`&<>;|()\n \t\r#]+|[^])/g;

/** A variable or command within double quotes. */
const EXPANDED = /(?<!\\)(?:\\\\)*(?:\$[\w({@*#?!$-]|`)/;

/**
 * The command lines of a script, each as its words, in order. Covers the part of the grammar that is common in `sh
 * -c`: quotes, continued lines, comments, lists, pipes, redirections. Nothing is run or expanded.
 *
 * @example
 * parseScript('ray start && exec vllm serve "$MODEL" --tp 8'); // [['ray', 'start'], ['exec', 'vllm', 'serve', ...]]
 */
export function parseScript(script: string): CommandWord[][] {
  const reader = new ScriptReader();
  for (const { groups = {} } of script.matchAll(TOKEN)) reader.take(groups);
  return reader.finish();
}

class ScriptReader {
  readonly #commands: CommandWord[][] = [[]];
  #word: CommandWord | undefined;
  #redirected = false;

  take(token: Readonly<Record<string, string | undefined>>): void {
    const { escaped, single, double, expansion, redirection, end, blank, comment, plain } = token;
    if (escaped !== undefined || single !== undefined) this.#add(escaped ?? single ?? '');
    else if (double !== undefined) this.#add(double.replaceAll(/\\(["\\$`])/g, '$1'), !EXPANDED.test(double));
    else if (expansion !== undefined) this.#add(expansion, false);
    else if (plain !== undefined) this.#add(plain);
    else if (comment !== undefined) this.#comment(comment);
    else if (redirection !== undefined) this.#redirect();
    else if (end !== undefined) this.#end();
    else if (blank !== undefined) this.#break();
  }

  finish(): CommandWord[][] {
    this.#end();
    return this.#commands.filter((words) => words.length > 0);
  }

  #add(text: string, literal = true): void {
    const before = this.#word ?? { text: '', literal: true };
    this.#word = { text: before.text + text, literal: before.literal && literal };
  }

  /** `#` within a word starts no comment: the text up to the next blank belongs to the word, the rest are words. */
  #comment(text: string): void {
    if (!this.#word) return;
    this.#add('#');
    for (const { groups = {} } of text.slice(1).matchAll(TOKEN)) this.take(groups);
  }

  #redirect(): void {
    this.#break();
    this.#redirected = true;
  }

  #break(): void {
    if (this.#word && !this.#redirected) this.#commands.at(-1)?.push(this.#word);
    if (this.#word) this.#redirected = false;
    this.#word = undefined;
  }

  #end(): void {
    this.#break();
    this.#redirected = false;
    this.#commands.push([]);
  }
}
