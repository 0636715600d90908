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
const SOMETHING_ELSE = new RegExp(
  Object.values(MISREAD)
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);

/** What no plain text may have: an indicator at the start, `: ` and ` #` within, and what readers trim. */
const SYNTAX = /^(?:[\s,[\]{}#&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)|\t|:\s|\s#|[\s:]$/;

/** Most texts: a letter first, then what means nothing to YAML. Of these, readers take some words for values. */
const SIMPLE = /^[a-z/][\w/.@=+-]*$/i;
const VALUES = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

/** Characters that YAML cannot hold as they are, or that some reader takes for a line break or drops. */
const UNPRINTABLE = /(?![\t\n])\p{Cc}|[\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Cs}/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE.source, 'gu');

/** Blocks whose indentation readers find out differently: white space first, or a tab before other text of a line. */
const UNSURE_BLOCK = /^\s|\n *\t|\n[ \t]+$/;

/** A text on one line. */
export function inlineText(text: string): string {
  if (SIMPLE.test(text)) return VALUES.test(text) ? `"${text}"` : text;
  const isPlain = !SYNTAX.test(text) && !SOMETHING_ELSE.test(text) && !UNPRINTABLE.test(text);
  return isPlain && !text.includes('\n') ? text : quoted(text);
}

/**
 * A text as the value of a key or an item: lines as a literal block, which keeps scripts readable.
 *
 * @param pad the indentation of the block
 */
export function valueText(text: string, pad: string): string {
  if (!text.includes('\n') || UNSURE_BLOCK.test(text) || UNPRINTABLE.test(text)) return inlineText(text);
  const end = text.endsWith('\n') ? text.slice(0, -1) : text;
  const keptBreaks = end === text ? '-' : end.endsWith('\n') ? '+' : '';
  return `|${keptBreaks}\n${pad}${end.replace(/\n(?!\n|$)/g, `\n${pad}`)}`;
}

/** In single quotes where only those spare escapes: selectors are full of double ones. */
function quoted(text: string): string {
  const isPrintable = !/[\t\n]/.test(text) && !UNPRINTABLE.test(text);
  if (isPrintable && text.includes('"') && !text.includes("'")) return `'${text}'`;
  return JSON.stringify(text).replace(UNPRINTABLES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
