// `npm run docs:outputs`: follows pages of the docs as a reader does: writes their files, makes their edits and runs
// their commands, in their order. Writes what the commands print into the pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { Desk } from './docs-desk';
import { type CodeBlock, listMarkdown, readBlocks } from './docs-page';

/** Pages whose commands run. */
export const FOLLOWED = ['README.md', 'docs/start', 'docs/how-to'];

/** Programs that a page may name, and that do not run here: they need a network, a cluster or a cloud. */
const NOT_RUN = new Set(['npm', 'kubectl', 'openssl', 'pulumi', 'open']);

/** Programs that run. */
const RUN = new Set(['git', 'cp', 'mkdir', 'cat', 'ls', 'sed']);

/** A reader of a page. */
interface Reader {
  readonly page: string;
  readonly desk: Desk;

  /** What the last command printed. */
  output: string;
}

/**
 * Follows a page. Returns its text with what its commands print now: a block of text after a block of commands is the
 * output of the last of them.
 *
 * @throws Error when a command ends with another code than its block says, or an edit does not fit the file
 */
export function followPage(page: string): string {
  const text = readFileSync(page, 'utf8');
  const reader: Reader = { page, desk: new Desk(), output: '' };
  try {
    const example = /use \[examples\/(?<name>[\w-]+)\]\([^)]*\) as `fleet`/.exec(text)?.groups?.['name'];
    if (example !== undefined) reader.desk.copyExample(example);
    const lines = text.split('\n');
    const blocks = readBlocks(text).filter(({ fenced }) => fenced);
    const changes = blocks.map((block, i) => ({ block, output: follow(reader, block, blocks[i - 1]) }));
    for (const { block, output } of changes.toReversed()) {
      if (output !== undefined) lines.splice(block.line - 1, block.lines.length, ...output);
    }
    return lines.join('\n');
  } finally {
    reader.desk.remove();
  }
}

/** Takes the step of a block. Returns what the block has to be, if it is the output of a command. */
function follow(reader: Reader, block: CodeBlock, before: CodeBlock | undefined): readonly string[] | undefined {
  const [first = '', ...rest] = block.lines;
  const path = /^# (?<path>[\w./-]+\.\w+)$/.exec(first)?.groups?.['path'];
  if (block.language === 'sh') runCommands(reader, block);
  else if (block.language === 'diff' && path !== undefined) edit(reader, path, rest);
  else if (block.language === 'yaml' && path !== undefined) reader.desk.write(path, `${[first, ...rest].join('\n')}\n`);
  else if (block.language === 'text' && before?.language === 'sh') return outputOf(reader, block);
  return undefined;
}

function edit({ desk }: Reader, path: string, lines: readonly string[]): void {
  const side = (mark: string): string =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  desk.edit(path, side('+'), side('-'));
}

function runCommands(reader: Reader, block: CodeBlock): void {
  const want = Number(/\bexit=(?<code>\d+)/.exec(block.info)?.groups?.['code'] ?? 0);
  for (const [i, line] of block.lines.entries()) {
    const code = runLine(reader, line.replace(/ +# .*$/, '').trim());
    const last = i === block.lines.length - 1;
    if (code !== (last ? want : 0)) throw fault(reader, block, `'${line}' exits with ${code}:\n${reader.output}`);
  }
}

function runLine(reader: Reader, line: string): number {
  const [, program = '', args = ''] = /^(?:npx )?(\S+) ?(.*)$/.exec(line) ?? [];
  if (program === 'fleetwright') {
    const { code, output } = reader.desk.run(args);
    reader.output = output;
    return code;
  }
  if (program === 'cd') reader.desk.enter(args);
  else if (RUN.has(program)) reader.output = reader.desk.runProgram(line);
  else if (program !== '' && !NOT_RUN.has(program)) throw new Error(`${reader.page}: what is '${program}'?`);
  return 0;
}

/**
 * The part of the output of the last command that a block shows: from the first line with the text `from=`, as many as
 * `lines=` says.
 */
function outputOf(reader: Reader, block: CodeBlock): readonly string[] {
  const now = reader.output.trimEnd().split('\n');
  const { from = '', lines = String(now.length) } =
    /^(from=(?<from>\S+) ?)?(lines=(?<lines>\d+))?$/.exec(block.info)?.groups ?? {};
  const start = now.findIndex((line) => line.includes(from));
  if (start === -1) throw fault(reader, block, `the output has no line with '${from}':\n${reader.output}`);
  const end = start + Number(lines);
  return [...(start > 0 ? ['...'] : []), ...now.slice(start, end), ...(end < now.length ? ['...'] : [])];
}

function fault({ page }: Reader, { line }: CodeBlock, what: string): Error {
  return new Error(`${page}:${line}: ${what}`);
}

/** The paths of all followed pages. */
export function followedPages(): string[] {
  return FOLLOWED.flatMap((path) => (path.endsWith('.md') ? [path] : listMarkdown(path)));
}

if (require.main === module) {
  const [, , ...named] = process.argv;
  for (const page of named.length > 0 ? named : followedPages()) writeFileSync(page, followPage(page));
}
