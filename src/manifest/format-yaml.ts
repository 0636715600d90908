import { Interner } from '../base/interning';

/**
 * Formats documents of plain data as YAML: a comment, then the documents. The result parses to the same data under YAML
 * 1.1, which Kubernetes uses, and 1.2. It has no anchors and no folded lines. Keys keep their insertion order.
 *
 * @param comment the first line, without `#`
 */
export function formatDocuments(documents: readonly object[], comment: string): string {
  const out = [`# ${comment}\n`];
  for (const [i, document] of documents.entries()) {
    if (i > 0) out.push('---\n');
    writeNode(document, TOP, out);
  }
  return out.join('');
}

/** Longer keys need an explicit `? `: parsers search for the colon only up to 1024 characters. */
const LONGEST_KEY = 1000;

const STEP = '  ';

/** The start of an entry: its key, up to a value on the same line, or up to the first line of a collection below. */
interface EntryStart {
  readonly inline: string;
  readonly block: string;
}

/** What the lines of one indentation start with. The objects of a fleet have few keys, but for labels of users. */
class Depth {
  readonly item: string;
  readonly #entries = new Interner<EntryStart>(MOST_KEYS);
  readonly #firstEntries = new Interner<EntryStart>(MOST_KEYS);
  #inner: Depth | undefined;

  constructor(readonly pad: string) {
    this.item = `${pad}- `;
  }

  /** The next indentation. */
  get inner(): Depth {
    return (this.#inner ??= new Depth(this.pad + STEP));
  }

  /** @param isFirst whether the entry is the first of its collection, and continues a line */
  startOf(key: string, isFirst: boolean): EntryStart {
    return (isFirst ? this.#firstEntries : this.#entries).intern(key, () => {
      const text = formatInlineText(key);
      const line = text.length > LONGEST_KEY ? `? ${text}\n${this.pad}:` : `${text}:`;
      const start = isFirst ? line : this.pad + line;
      return { inline: `${start} `, block: `${start}\n${this.pad}${STEP}` };
    });
  }
}

const MOST_KEYS = 2000;

const TOP = new Depth('');

/**
 * Adds the lines of a value to `out`. All but the first, which continues a line, start with `pad`. The pieces of a
 * text are joined once: texts that are added up keep all their pieces, most of the memory of a run.
 */
function writeNode(value: unknown, depth: Depth, out: string[]): void {
  if (!isCollection(value)) out.push(formatScalarLine(value, depth.pad));
  else if (isEmpty(value)) out.push(Array.isArray(value) ? '[]\n' : '{}\n');
  else writeCollection(value, depth, out);
}

function writeCollection(value: object, depth: Depth, out: string[]): void {
  const texts = SHARED.get(value);
  if (texts) out.push(formatShared(value, depth, texts));
  else if (Array.isArray(value)) writeItems(value, depth, out);
  else writeEntries(value, depth, out);
}

/** Parts that many documents share, with their texts by what they are indented by. */
const SHARED = new WeakMap<object, Map<string, string>>();

/** Marks a part that many documents share, and that nothing changes from now on: it is formatted once. */
export function shareText<T extends object>(part: T): T {
  if (!SHARED.has(part)) SHARED.set(part, new Map());
  return part;
}

function formatShared(part: object, depth: Depth, texts: Map<string, string>): string {
  const known = texts.get(depth.pad);
  if (known !== undefined) return known;
  const out: string[] = [];
  if (Array.isArray(part)) writeItems(part, depth, out);
  else writeEntries(part, depth, out);
  const text = out.join('');
  texts.set(depth.pad, text);
  return text;
}

function writeItems(values: readonly unknown[], depth: Depth, out: string[]): void {
  for (let i = 0; i < values.length; i++) {
    out.push(i === 0 ? '- ' : depth.item);
    writeNode(values[i], depth.inner, out);
  }
}

function writeEntries(holder: object, depth: Depth, out: string[]): void {
  let isFirst = true;
  // A list of entries for each object of a fleet would be most of the garbage.
  for (const key in holder) {
    const value = (holder as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    const { inline, block } = depth.startOf(key, isFirst);
    isFirst = false;
    if (isCollection(value) && !isEmpty(value)) {
      out.push(block);
      writeCollection(value, depth.inner, out);
    } else {
      out.push(inline);
      writeNode(value, depth.inner, out);
    }
  }
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether nothing of a collection is written. */
function isEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if ((value as Readonly<Record<string, unknown>>)[key] !== undefined) return false;
  return true;
}

/** Formats a scalar with a line break at the end. Most texts of a fleet are those of other objects, too. */
function formatScalarLine(value: unknown, pad: string): string {
  if (typeof value !== 'string' || value.includes('\n')) return `${formatScalar(value, pad)}\n`;
  return LINES.intern(value, () => `${formatInlineText(value)}\n`);
}

const LINES = new Interner<string>(5000);

function formatScalar(value: unknown, pad: string): string {
  if (typeof value === 'string') return formatMultilineText(value, pad);
  if (typeof value === 'number') return formatNumber(value);
  return value === true ? 'true' : value === false ? 'false' : 'null';
}

/** Adds a decimal point before an exponent: YAML 1.1 requires it. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`bug: ${value} is not a value of a manifest`);
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/**
 * Plain texts that some parser reads as another type, by that type. Parsers differ: Kubernetes and most tools use YAML
 * 1.1 in the dialect of Go's library, JavaScript and editors use 1.2. Sources: <https://yaml.org/type/> for YAML 1.1,
 * section 10.3.2 of the specification for 1.2, and Go's YAML library.
 */
const MISREAD: Readonly<Record<string, RegExp>> = {
  nothing: /^~?$/,
  mergeKeyOrDefault: /^(?:<<|=)$/,
  notFinite: /^[-+]?\.(?:inf|nan)$/i,
  integer: /^[-+]?(?:\d+|0b[01]+|0x[\da-f]+|0o[0-7]+)$/i,
  decimal: /^[-+]?(?:\d+(?:\.\d*)?|\.\d*)(?:e[-+]?\d+)?$/i,
  // JavaScript's YAML library reads this as a number under YAML 1.1.
  exponentAlone: /^[-+]?e[-+]?\d+$/i,
  // Go's library removes all underscores, then tries to parse a number.
  numberWithUnderscores: /^[-+]?(?=.*_)[\d_.][\da-fox_.+-]*$/i,
  baseSixty: /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/,
  date: /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt\s])/,
};

/** All of `MISREAD` as one expression, for speed: it runs on each text of each object of a fleet. */
const MISREAD_BY_SOME_READER = new RegExp(
  Object.values(MISREAD)
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);

/** Syntax that plain text cannot have: an indicator at the start, `: ` or ` #` inside, and space that parsers trim. */
const SYNTAX = /^(?:[\s,[\]{}#&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)|\t|:\s|\s#|[\s:]$/;

/** Texts without syntax, which most texts are. Some parsers read those in `VALUE_WORDS` as other types. */
const PLAIN_WORD = /^[a-z/][\w/.@=+-]*$/i;
const VALUE_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

/** Characters that YAML must escape, that some parser reads as a line break or drops, or that reorder what is shown. */
const UNPRINTABLE = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Cs}/u;
const UNPRINTABLES = new RegExp(UNPRINTABLE.source, 'gu');

/**
 * Blocks whose indentation parsers detect differently, by leading white space or a tab at the start of a line, and those
 * with a line that a CI would run as a command where it prints the manifest: `::stop-commands::`.
 */
const AMBIGUOUS_BLOCK = /^\s|\n *\t|\n[ \t]+$|(?:^|\n) *::/;

/** Formats a text on one line: plain if every parser reads it as this text, else quoted. */
function formatInlineText(text: string): string {
  if (PLAIN_WORD.test(text)) return VALUE_WORDS.test(text) ? `"${text}"` : text;
  const isPlain = !SYNTAX.test(text) && !MISREAD_BY_SOME_READER.test(text) && !UNPRINTABLE.test(text);
  return isPlain && !text.includes('\n') ? text : quote(text);
}

/** Formats a text as the value of a key or a list item. Several lines become a literal block, indented by `pad`. */
function formatMultilineText(text: string, pad: string): string {
  if (!text.includes('\n') || AMBIGUOUS_BLOCK.test(text) || UNPRINTABLE.test(text)) return formatInlineText(text);
  const end = text.endsWith('\n') ? text.slice(0, -1) : text;
  const keptBreaks = end === text ? '-' : end.endsWith('\n') ? '+' : '';
  return `|${keptBreaks}\n${pad}${end.replace(/\n(?!\n|$)/g, `\n${pad}`)}`;
}

/** Quotes a text: in single quotes if that avoids escapes, as in selectors, which contain double quotes. */
function quote(text: string): string {
  // Most texts that need quotes are numbers.
  if (/^[\w.:-]*$/.test(text)) return `"${text}"`;
  const isPrintable = !/[\t\n]/.test(text) && !UNPRINTABLE.test(text);
  if (isPrintable && text.includes('"') && !text.includes("'")) return `'${text}'`;
  return JSON.stringify(text).replace(
    UNPRINTABLES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
