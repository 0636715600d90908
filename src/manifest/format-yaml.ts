import type { Manifest } from './kubernetes/manifest';

/**
 * Manifests as one text: a comment, then one YAML document each. Reads back the same under YAML 1.1, which
 * Kubernetes uses, and 1.2. No anchors, no folded lines, keys in the order in which they were built.
 *
 * @param comment the first line, without `#`
 */
export function formatManifests(manifests: readonly Manifest[], comment: string): string {
  return formatDocuments(manifests, comment);
}

/** As `formatManifests`, for documents of any kind: plain data. */
export function formatDocuments(documents: readonly object[], comment: string): string {
  return `# ${comment}\n${documents.map((document) => formatNode(document, '')).join('---\n')}`;
}

/** Longer keys than this have to be announced: readers look no further for the colon. */
const LONGEST_KEY = 1000;

const STEP = '  ';

/**
 * A value with a line break at its end. Its first line has no indentation of its own: it stands behind what
 * begins the line.
 *
 * @param pad the indentation of its other lines
 */
function formatNode(value: unknown, pad: string): string {
  if (Array.isArray(value)) return value.length > 0 ? formatItems(value, pad) : '[]\n';
  if (typeof value === 'object' && value !== null) return formatEntries(value, pad) || '{}\n';
  return `${formatScalar(value, pad)}\n`;
}

function formatItems(values: readonly unknown[], pad: string): string {
  let text = '';
  for (const value of values) {
    const indent = text === '' ? '' : pad;
    text += `${indent}- ${isCollection(value) ? formatNode(value, pad + STEP) : `${formatScalar(value, pad + STEP)}\n`}`;
  }
  return text;
}

function formatEntries(holder: object, pad: string): string {
  let text = '';
  for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
    if (value === undefined) continue;
    const indent = text === '' ? '' : pad;
    text += indent + formatKey(key, pad) + formatEntryValue(value, pad + STEP);
  }
  return text;
}

function formatKey(key: string, pad: string): string {
  const text = formatInlineText(key);
  return text.length > LONGEST_KEY ? `? ${text}\n${pad}:` : `${text}:`;
}

function formatEntryValue(value: unknown, pad: string): string {
  const text = formatNode(value, pad);
  return isCollection(value) && text !== '[]\n' && text !== '{}\n' ? `\n${pad}${text}` : ` ${text}`;
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function formatScalar(value: unknown, pad: string): string {
  if (typeof value === 'string') return formatMultilineText(value, pad);
  if (typeof value === 'number') return formatNumber(value);
  return value === true ? 'true' : value === false ? 'false' : 'null';
}

/** YAML 1.1 has no exponent without a point. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`bug: ${value} is no value of a manifest`);
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/**
 * How a text stands in YAML: plain where every reader takes it for that text, else quoted, lines as a block.
 * Readers differ: Kubernetes and most tools read YAML 1.1 in the dialect of Go, JavaScript and editors read 1.2.
 */

/**
 * Texts that are something else to some reader: <https://yaml.org/type/> for YAML 1.1, section 10.3.2 of the
 * specification for 1.2, and what the YAML library of Go reads besides.
 */
const MISREAD: Readonly<Record<string, RegExp>> = {
  nothing: /^~?$/,
  mergeKeyOrDefault: /^(?:<<|=)$/,
  notFinite: /^[-+]?\.(?:inf|nan)$/i,
  integer: /^[-+]?(?:\d+|0b[01]+|0x[\da-f]+|0o[0-7]+)$/i,
  decimal: /^[-+]?(?:\d+\.?\d*|\.\d*)(?:e[-+]?\d+)?$/i,
  // JavaScript's YAML library takes one for a number of YAML 1.1.
  exponentAlone: /^[-+]?e[-+]?\d+$/i,
  // Go drops underscores wherever they stand, then looks for a number.
  numberWithUnderscores: /^[-+]?(?=.*_)[\d_.][\da-fox_.+-]*$/i,
  baseSixty: /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  date: /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt\s])/,
};

/** Every way to be misread as one expression: this is asked for each text of each object of a fleet. */
const MISREAD_BY_SOME_READER = new RegExp(
  Object.values(MISREAD)
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);

/** What no plain text may have: an indicator at the start, `: ` and ` #` within, and what readers trim. */
const SYNTAX = /^(?:[\s,[\]{}#&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)|\t|:\s|\s#|[\s:]$/;

/** Most texts: a letter first, then what means nothing to YAML. Of these, readers take some words for values. */
const PLAIN_WORD = /^[a-z/][\w/.@=+-]*$/i;
const VALUE_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

/** Characters that YAML cannot hold as they are, or that some reader takes for a line break or drops. */
const UNPRINTABLE = /(?![\t\n])\p{Cc}|[\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Cs}/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE.source, 'gu');

/** Blocks whose indentation readers find out differently: white space first, or a tab before other text of a line. */
const AMBIGUOUS_BLOCK = /^\s|\n *\t|\n[ \t]+$/;

/** A text on one line. */
export function formatInlineText(text: string): string {
  if (PLAIN_WORD.test(text)) return VALUE_WORDS.test(text) ? `"${text}"` : text;
  const isPlain = !SYNTAX.test(text) && !MISREAD_BY_SOME_READER.test(text) && !UNPRINTABLE.test(text);
  return isPlain && !text.includes('\n') ? text : quote(text);
}

/**
 * A text as the value of a key or an item: lines as a literal block, which keeps scripts readable.
 *
 * @param pad the indentation of the block
 */
export function formatMultilineText(text: string, pad: string): string {
  if (!text.includes('\n') || AMBIGUOUS_BLOCK.test(text) || UNPRINTABLE.test(text))
    return formatInlineText(text);
  const end = text.endsWith('\n') ? text.slice(0, -1) : text;
  const keptBreaks = end === text ? '-' : end.endsWith('\n') ? '+' : '';
  return `|${keptBreaks}\n${pad}${end.replace(/\n(?!\n|$)/g, `\n${pad}`)}`;
}

/** In single quotes where only those spare escapes: selectors are full of double ones. */
function quote(text: string): string {
  const isPrintable = !/[\t\n]/.test(text) && !UNPRINTABLE.test(text);
  if (isPrintable && text.includes('"') && !text.includes("'")) return `'${text}'`;
  return JSON.stringify(text).replace(UNPRINTABLES, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
