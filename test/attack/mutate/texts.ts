import type { Random } from '../random';

/** One change of a text, of whatever format. Texts are `latin1`: a character is a byte. */
interface TextMutation {
  readonly name: string;
  readonly apply: (text: string, random: Random) => string;
}

const BYTES: readonly string[] = [
  '\0',
  '\x01',
  '\x1B',
  '\x7F',
  '\xFF',
  '\xC0\x80',
  '\xED\xA0\x80',
  '\t',
  '\r',
  '"',
  "'",
];

const LINES: readonly string[] = [
  '---',
  '...',
  '%YAML 1.9',
  '%TAG ! tag:example.com,2026:',
  '<<<<<<< HEAD',
  '=======',
  '>>>>>>> theirs',
  'a: &a [*a]',
  '<<: *nowhere',
  '? [a, b]',
  'b: !!binary "%%%"',
  'b: !!js/function "function () {}"',
  'b: !<tag:yaml.org,2002:python/object/apply:os.system> [true]',
  'a: 1\na: 2',
  '{'.repeat(500),
  '- '.repeat(500),
  '\t- tab',
  '# \u202E comment',
  '::stop-commands::x',
  `# ${'x'.repeat(100_000)}`,
  '"\\uD800": "\\uDFFF"',
];

/** Nine lines of aliases that stand for a billion values. */
const ALIASES = Array.from({ length: 9 }, (_, i) => {
  const inner = i === 0 ? '"x"' : `*a${i - 1}`;
  return `a${i}: &a${i} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
}).join('\n');

export const TEXT_MUTATIONS: readonly TextMutation[] = [
  { name: 'nothing left', apply: () => '' },
  { name: 'cut off', apply: (text, random) => text.slice(0, random.below(text.length + 1)) },
  { name: 'without its start', apply: (text, random) => text.slice(random.below(text.length + 1)) },
  { name: 'CR line ends', apply: (text) => text.replaceAll('\n', '\r') },
  { name: 'a lone CR', apply: (text, random) => atSomeLine(text, random, (line) => `${line} # note\r`) },
  { name: 'CRLF line ends', apply: (text) => text.replaceAll('\n', '\r\n') },
  { name: 'a byte order mark', apply: (text) => `\xEF\xBB\xBF${text}` },
  { name: 'UTF-16', apply: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').toString('latin1') },
  {
    name: 'a further byte',
    apply: (text, random) => insertAt(text, random.below(text.length + 1), random.pick(BYTES)),
  },
  {
    name: 'another byte',
    apply: (text, random) => {
      const at = random.below(text.length + 1);
      return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
    },
  },
  {
    name: 'a hostile line',
    apply: (text, random) => atSomeLine(text, random, (line) => `${line}\n${random.pick(LINES)}`),
  },
  { name: 'a line twice', apply: (text, random) => atSomeLine(text, random, (line) => `${line}\n${line}`) },
  { name: 'a line gone', apply: (text, random) => atSomeLine(text, random, () => undefined) },
  { name: 'a line further in', apply: (text, random) => atSomeLine(text, random, (line) => `  ${line}`) },
  {
    name: 'a line many times',
    apply: (text, random) =>
      atSomeLine(text, random, (line) => Array.from({ length: random.pick([10, 1000]) }, () => line).join('\n')),
  },
  {
    name: 'a word many times',
    apply: (text, random) =>
      atSomeLine(text, random, (line) => line.replace(/[\w-]+: [\w-]+/, (pair) => `${pair}, `.repeat(40))),
  },
  { name: 'all of it twice', apply: (text) => text + text },
  { name: 'many empty documents', apply: (text, random) => text + '---\n'.repeat(random.pick([10, 2000])) },
  { name: 'aliases that multiply', apply: (text) => `${text}\n---\n${ALIASES}\n` },
  {
    name: 'digits',
    apply: (text, random) => atSomeMatch(text, random, /\d+/g, (n) => random.pick([`-${n}`, `${n}e9`, '9'.repeat(20)])),
  },
];

/** A change of a text, drawn at random, with its name. */
export function mutateText(text: string, random: Random): { readonly text: string; readonly name: string } {
  const { name, apply } = random.pick(TEXT_MUTATIONS);
  return { text: apply(text, random), name };
}

function insertAt(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at);
}

function atSomeLine(text: string, random: Random, change: (line: string) => string | undefined): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  return lines.flatMap((line, i) => (i === at ? (change(line) ?? []) : line)).join('\n');
}

function atSomeMatch(text: string, random: Random, pattern: RegExp, change: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { index, 0: found } = random.pick(matches);
  return text.slice(0, index) + change(found) + text.slice(index + found.length);
}
