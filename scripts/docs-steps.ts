// Follows a page of the docs as a reader does: writes its files, makes its edits and runs its commands, in their order.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runCommandLine } from '../src/cli/run';
import { type CodeBlock, readBlocks, readPage } from './docs-page';

const ROOT = resolve(__dirname, '..');

/** Programs that a page may name, and that do not run here: they need a network, a cluster or a cloud. */
const NOT_RUN = ['npm', 'kubectl', 'pulumi', 'gcloud', 'aws', 'gh', 'flux', 'argocd', 'open'];

/** Programs that run. */
const RUN = ['git', 'cp', 'mkdir', 'cat', 'ls'];

const GIT = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

interface Walk {
  readonly page: string;
  readonly top: string;
  folder: string;

  /** What the last command printed. */
  output: string;
}

/**
 * Follows a page. Returns its text with what its commands print now: a block of text after a block of commands is the
 * output of the last of them. Lines of `...` stand for any lines.
 *
 * @throws Error when a command ends with another code than its block says, or an edit does not fit the file
 */
export function followPage(page: string): string {
  const text = readPage(page);
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'fleetwright-docs-')));
  const before = process.cwd();
  try {
    const walk: Walk = { page, top, folder: top, output: '' };
    prepare(walk);
    const lines = text.split('\n');
    const blocks = readBlocks(text).filter(({ fenced }) => fenced);
    const changes = blocks.map((block, i) => ({ block, output: follow(walk, block, blocks[i - 1]) }));
    for (const { block, output } of changes.toReversed()) {
      if (output !== undefined) lines.splice(block.line - 1, block.lines.length, ...output);
    }
    return lines.join('\n');
  } finally {
    process.chdir(before);
    rmSync(top, { recursive: true, force: true });
  }
}

/** How-tos start from the quickstart, committed to git. The others start from nothing. */
function prepare(walk: Walk): void {
  if (!walk.page.includes('how-to/')) return;
  cpSync(join(ROOT, 'examples/quickstart'), join(walk.top, 'fleet'), { recursive: true });
  rmSync(join(walk.top, 'fleet/expected'), { recursive: true });
  runProgram(walk, 'git init -q -b main');
  runProgram(walk, 'git add .');
  runProgram(walk, "git commit -qm 'Quickstart'");
}

/** Takes the step of a block. Returns what the block has to be, if it is the output of a command. */
function follow(walk: Walk, block: CodeBlock, before: CodeBlock | undefined): readonly string[] | undefined {
  const [first = ''] = block.lines;
  const path = /^# (?<path>[\w./-]+\.\w+)$/.exec(first)?.groups?.['path'];
  if (block.language === 'sh') runCommands(walk, block);
  else if (block.language === 'diff' && path !== undefined) edit(walk, path, block);
  else if (block.language === 'yaml' && path !== undefined) write(walk, path, block);
  else if (block.language === 'text' && before?.language === 'sh') return outputOf(walk, block);
  return undefined;
}

function write(walk: Walk, path: string, { lines }: CodeBlock): void {
  const file = join(walk.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.slice(1).join('\n')}\n`);
}

function edit(walk: Walk, path: string, block: CodeBlock): void {
  const file = join(walk.folder, path);
  const text = readFileSync(file, 'utf8');
  const rest = block.lines.slice(1);
  const side = (mark: string): string =>
    rest
      .filter((line) => !line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const old = side('+');
  if (text.split(old).length !== 2) throw fault(walk, block, `${path} does not have these lines once:\n${old}`);
  writeFileSync(file, text.replace(old, () => side('-')));
}

function runCommands(walk: Walk, block: CodeBlock): void {
  const want = Number(/\bexit=(?<code>\d+)/.exec(block.info)?.groups?.['code'] ?? 0);
  const commands = block.lines.join('\n').replaceAll('\\\n', ' ').split('\n');
  for (const [i, line] of commands.entries()) {
    const code = runLine(walk, block, line.replace(/^\$ /, '').replace(/ +# .*$/, '').trim());
    const last = i === commands.length - 1;
    if (code !== (last ? want : 0)) throw fault(walk, block, `'${line}' exits with ${code}:\n${walk.output}`);
  }
}

function runLine(walk: Walk, block: CodeBlock, line: string): number {
  const [program = '', ...args] = line.replace(/^npx /, '').match(/'[^']*'|\S+/g) ?? [];
  if (program === 'fleetwright') return runOwn(walk, args);
  if (program === 'cd') walk.folder = join(walk.folder, args[0] ?? '');
  else if (RUN.includes(program)) walk.output = runProgram(walk, line);
  else if (program !== '' && !NOT_RUN.includes(program)) throw fault(walk, block, `'${program}' is no known program`);
  return 0;
}

function runProgram({ folder }: Walk, line: string): string {
  return execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...GIT } });
}

function runOwn(walk: Walk, args: readonly string[]): number {
  process.chdir(walk.folder);
  let output = '';
  const add = (text: string): void => void (output += text);
  const words = args.map((arg) => arg.replaceAll(/^'|'$/g, ''));
  const code = runCommandLine(words, { out: add, err: add, terminal: false, env: {}, stdin: () => '' }, '0.2.0');
  if (typeof code !== 'number') throw new Error(`${args.join(' ')} asks a cluster`);
  walk.output = output.replaceAll(walk.top, '');
  return code;
}

/** The output of the last command, or the block as it is where that fits it. */
function outputOf({ output }: Walk, { lines }: CodeBlock): readonly string[] {
  const now = output.trimEnd().split('\n');
  return fits(lines, now) ? lines : now;
}

/** Whether lines are those of a block, in which a line of `...` stands for any lines. */
export function fits(block: readonly string[], lines: readonly string[]): boolean {
  const parts = block.map((line) => (line.trim() === '...' ? '(.*\n)*?' : `${escape(line.trimEnd())} *\n`));
  return new RegExp(`^${parts.join('')}$`).test(`${lines.join('\n')}\n`);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function fault({ page }: Walk, { line }: CodeBlock, what: string): Error {
  return new Error(`${page}:${line}: ${what}`);
}

/** `npm run docs:outputs`: writes what the commands of pages print now. */
if (require.main === module) {
  for (const page of process.argv.slice(2)) writeFileSync(page, followPage(page));
}
