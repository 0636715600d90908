import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import { createCommandLine } from '../../src/cli/command-line';
import { guardOutput } from '../../src/cli/output';
import { SMALL, Workspace } from './cli';

const silent = { out: () => undefined, err: () => undefined, terminal: false, env: {}, stdin: () => '' };
const root = createCommandLine(guardOutput(silent), '0.0.0', () => undefined);

/** The words after `fleetwright` of each command in the messages of a file. A part that is computed is an X. */
function commandsOf(path: string): string[] {
  const file = readFileSync(path, 'utf8');
  // Most files name none, and to parse all takes a second.
  if (!file.includes('fleetwright ')) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, file, ts.ScriptTarget.Latest));
  return found.flatMap((text) =>
    [...text.matchAll(/(?<=['`"]|with |run |: )fleetwright ([a-z][\w-]*(?: [^'`",;:.]+)*)/g)].map(
      ([, words = '']) => words,
    ),
  );
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
const commands = sources.flatMap((path) => commandsOf(join('src', path)).map((words) => [path, words] as const));

function findCommand(words: readonly string[]): Command | undefined {
  const command = root.commands.find((one) => one.name() === words[0]);
  return command?.commands.find((one) => one.name() === words[1]) ?? command;
}

test('messages name commands', () => {
  expect(commands.length).toBeGreaterThan(30);
});

test.each(commands)('%s: fleetwright %s has a known command and known flags', (_, text) => {
  const words = text.split(' ');
  const command = findCommand(words);
  expect(command?.name()).toBeDefined();
  const known = new Set([...(command?.options ?? []), ...root.options].flatMap(({ long, short }) => [long, short]));
  expect(words.filter((word) => /^--?[a-z]/.test(word) && !known.has(word.replace(/=.*/, '')))).toEqual([]);
});

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write({ 'fleet.yaml': SMALL, 'fleet.lock.yaml': 'x', 'a.lock.yaml': 'x' });
});
afterEach(() => work.remove());

const named: Record<string, { args: string; want: string }> = {
  'names the folder of the run': { args: 'plan ./', want: "'fleetwright lock . --from HEAD'" },
  'names its lock file': {
    args: 'plan ./ --lock ./a.lock.yaml',
    want: "'fleetwright lock . --lock a.lock.yaml --from HEAD'",
  },
  'names the folder in JSON': { args: 'plan ./ --json', want: "'fleetwright lock . --from HEAD'" },
};

test.each(Object.entries(named))('a command in a message %s', (_, { args, want }) => {
  const { out, err } = work.run(args);
  expect(out + err).toContain(want);
});
