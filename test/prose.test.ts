import { readFileSync } from 'node:fs';
import { findFaults, parseGlossary } from '../scripts/prose-rules';
import { findLongSentences } from '../scripts/prose-sentences';
import { blockCommentsIn, commentsIn, linesIn, messagesIn, readMessages } from '../scripts/prose-sources';

const RULES = parseGlossary(readFileSync('docs/glossary.md', 'utf8'));

test.each([
  ['a word not to use', 'the replica is leaving', ["'leaving'. Write 'draining'"]],
  ['a word at the start of a sentence', 'Meanwhile two serve', ["'Meanwhile'. Write 'during rollout'"]],
  ['a phrase', 'replaced without a gap', ["'without a gap'. Write 'with downtime, without downtime'"]],
  ['a word that is part of another', 'the frontier of upheld knowledge', []],
  ['a name with a hyphen', 'the edge-router of we-2', []],
  ['a word in code', 'the field `held` is set', []],
  ['a quoted name', "there is no deployment 'front'", []],
  ['the target of a link', '[rollouts](held.md#meanwhile)', []],
  ['a phrase in which the word is right', "there is no class 'a100'", []],
  ['the word outside of that phrase', 'there is no class, since it is no map', ["'is no'. Write 'not a'"]],
  ['a repeated word', 'the the cluster', ["'the' is repeated. Rephrase it"]],
  ['a wordy phrase', 'in order to place it', ["'in order to' is wordy or unneeded. Rephrase it"]],
  ['a plain sentence', 'No cluster has room. Add nodes to pool a.', []],
])('the prose check of %s', (_, text, want) => {
  expect(findFaults(text, RULES)).toEqual(want);
});

test('fragments are checked for words alone', () => {
  expect(findFaults('in order to stay held', RULES, false)).toEqual(["'held'. Write 'reserved'"]);
});

test('messages are the texts of a file with more than one word, and what is inserted into them', () => {
  const source = [
    "import { a } from 'some words here';",
    "const kind = 'front';",
    "const type = 'list.map(ast, ast): list<dyn>';",
    "const text = `pool ${name} has ${full ? 'no free nodes' : ''} left`;",
    '// a comment of several words',
  ];
  expect(messagesIn('a.ts', source.join('\n')).map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '4: pool {0} has {1} left',
    '4: no free nodes',
  ]);
});

test('lines of pages are checked outside of code', () => {
  const page = ['# Title', '```yaml', 'held: true', '```', '    indented code', '| a | table |', '    - an item'];
  expect(linesIn('a.md', page.join('\n'))).toEqual([
    { file: 'a.md', line: 1, text: '# Title', style: true },
    { file: 'a.md', line: 6, text: '| a | table |', style: false },
    { file: 'a.md', line: 7, text: '    - an item', style: true },
  ]);
});

test('comments in code of pages are checked', () => {
  const page = ['# Title', '```yaml', 'held: true # the value', '```', '    fleetwright plan   # of a command'];
  expect(blockCommentsIn('a.md', page.join('\n')).map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '3: the value',
    '5: of a command',
  ]);
});

test('messages of every folder are checked, except what the catalog quotes', () => {
  expect(readMessages(['src/cel/values']).map(({ text }) => text)).toContain("'{0}' is not an IP address");
  expect(readMessages(['src/catalog/models'])).toEqual([]);
});

test('comments of examples are checked outside of their values', () => {
  const file = ['# A comment.', 'key: held # the value', 'url: https://a/b#held', '// of a program', ' * of a type'];
  expect(commentsIn('a.yaml', file.join('\n')).map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '1: A comment.',
    '2: the value',
    '4: of a program',
    '5: of a type',
  ]);
});

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

test.each([
  ['a sentence of 40 words', `${words(40)}.`, []],
  ['a sentence of 41 words', `${words(41)}.`, [41]],
  ['two sentences in a line', `${words(21)}. ${words(21)}.`, []],
  ['a sentence that begins with a small letter', `${words(21)}. vLLM ${words(20)}.`, []],
  ['a sentence over two lines', `${words(21)}\n${words(21)}.`, [42]],
  ['two paragraphs', `${words(21)}\n\n${words(21)}`, []],
  ['items of a list', `- ${words(21)}\n- ${words(21)}\n1. ${words(21)}`, []],
  ['an item over two lines', `- ${words(21)}\n  ${words(21)}`, [42]],
  ['cells of a table', `| ${words(21)} | ${words(21)} |`, []],
  ['a long cell of a table', `| a | ${words(41)} |`, [41]],
  ['a table below a sentence', `${words(21)}\n| ${words(21)} |`, []],
  ['spans of code', `${words(39)} \`a b c\`, [a page](of-a/long/path.md)`, [42]],
  ['a list of links', `| ${Array.from({ length: 21 }, () => '[a page](page.md)').join(', ')} |`, []],
])('%s is found if it is too long', (_, page, want) => {
  const found = findLongSentences(linesIn('a.md', page)).map((fault) => Number(/(\d+) words/.exec(fault)?.[1]));
  expect(found).toEqual(want);
});
