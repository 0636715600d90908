import { startsLiteral, readLiteral } from './plain-literal';
import { DOUBLE_QUOTED, NotPlain, resolvePlain, SINGLE_QUOTED, unquote } from './plain-scalars';

/** The value of a plain document, and the offset where its map starts. */
export interface PlainDocument {
  readonly value: PlainMap;
  readonly start: number;
}

type PlainMap = Record<string, unknown>;

/** How to read a document. */
interface PlainReading {
  readonly maxDepth: number;

  /** Gets the offsets of entries. Default: they are not recorded. */
  readonly offsets?: EntryOffsets;
}

/**
 * The offsets of the entries of maps, and of the items of lists. That of an entry is the offset of its value, if this
 * is a text or a number, else of its key.
 */
export type EntryOffsets = Map<object, Map<string | number, number>>;

const [SPACE, HASH, DASH, QUOTE, APOSTROPHE, BRACKET, BRACE] = [32, 35, 45, 34, 39, 91, 123];

/** Characters that some YAML reader gives a meaning of its own: tabs, line ends, marks of byte order. */
const SPECIAL_CHARACTERS = /[^\n -~\u00A1-\u1FFF\u2010-\u2027\u2030-\u205E\u20A0-\uD7FF]/;

/** Whether a text has only characters that the plain reader reads. */
export function hasPlainCharacters(text: string): boolean {
  return !SPECIAL_CHARACTERS.test(text);
}

const KEY = /(?:[A-Za-z0-9_][\w./-]{0,200}|"[^"\\\n]{0,200}"|'[^'\n]{0,200}')(?=:(?:[ \n]|$))/y;

/** Text without quotes up to the end of the line or a comment. */
const BLOCK_TEXT = /(?:[A-Za-z0-9_./$(+~]|-(?=[\w-]))(?:[^\n:#]|:(?=[^ \n])|(?<=[^ ])#)*/y;

/** The same inside brackets. */
const FLOW_TEXT = /(?:[A-Za-z0-9_./$(+~]|-(?=[\w-]))(?:[^\n:#,[\]{}]|:(?=[^ \n,[\]{}])|(?<=[^ ])#)*/y;

/** What follows a value on its line: spaces and a comment. A text without quotes includes the spaces. */
const REST_OF_LINE = / *(?:(?<= )#[^\n]*)?(?=\n|$)/y;

/**
 * Reads a document of the subset of YAML that manifests are mostly written in: maps and lists by indentation, lists and
 * maps in brackets on one line, and texts on one line or after `|`. The value is that of the YAML library, which takes
 * ten times as long.
 *
 * Returns undefined if the document is empty.
 *
 * @param from the offset of the start of the first line
 * @param end the offset behind the last line
 * @param reading also what gets the offsets of entries, which are those of the YAML library, too
 * @throws NotPlain if the document has anything else, right or wrong
 */
export function readPlainDocument(
  text: string,
  from: number,
  end: number,
  reading: PlainReading,
): PlainDocument | undefined {
  const reader = new PlainReader(text, from, end, reading);
  return reader.document();
}

class PlainReader {
  /** The offset of the content of the current line, its column, which is -1 at the end, and the end of the line. */
  #start = 0;
  #indent = -1;
  #lineEnd = 0;

  /** The offset behind what was read. */
  #at = 0;

  /** The offset of the text or number that was read last, or -1 if something else was. */
  #scalarAt = -1;

  constructor(
    private readonly text: string,
    from: number,
    private readonly end: number,
    private readonly reading: PlainReading,
  ) {
    this.#nextLine(from);
  }

  document(): PlainDocument | undefined {
    if (this.#isAtEnd()) return undefined;
    const start = this.#start;
    if (this.#indent > 0) throw new NotPlain();
    const value = this.#map(0, 1);
    return this.#isAtEnd() ? { value, start } : refuse();
  }

  #isAtEnd(): boolean {
    return this.#indent === -1;
  }

  /** Goes to the next line with content. */
  #nextLine(from: number): void {
    let lineStart = from;
    while (lineStart < this.end) {
      const newLine = this.text.indexOf('\n', lineStart);
      const lineEnd = newLine === -1 || newLine > this.end ? this.end : newLine;
      let at = lineStart;
      while (at < lineEnd && this.text.charCodeAt(at) === SPACE) at += 1;
      if (at < lineEnd && this.text.charCodeAt(at) !== HASH) {
        this.#start = at;
        this.#indent = at - lineStart;
        this.#lineEnd = lineEnd;
        return;
      }
      lineStart = lineEnd + 1;
    }
    this.#indent = -1;
  }

  #map(indent: number, depth: number): PlainMap {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    const map: PlainMap = {};
    do {
      const from = this.#start;
      this.#at = from;
      const key = this.#key(map);
      map[key] = this.#valueOfEntry(indent, depth);
      this.#record(map, key, this.#scalarAt === -1 ? from : this.#scalarAt);
    } while (this.#indent === indent && !this.#isItem());
    if (this.#indent > indent) throw new NotPlain();
    return map;
  }

  /** Reads a key of a map, and its colon. */
  #key(map: PlainMap): string {
    const text = this.#match(KEY) ?? refuse();
    this.#at += 1;
    const key = text.startsWith('"') || text.startsWith("'") ? text.slice(1, -1) : text;
    if (key === '__proto__' || Object.hasOwn(map, key)) throw new NotPlain();
    return key;
  }

  #record(holder: object, part: string | number, offset: number): void {
    const { offsets } = this.reading;
    if (!offsets) return;
    const entries = offsets.get(holder);
    if (entries) entries.set(part, offset);
    else offsets.set(holder, new Map([[part, offset]]));
  }

  #valueOfEntry(indent: number, depth: number): unknown {
    if (!this.#endsLine()) return this.#inline(indent, depth);
    this.#nextLine(this.#lineEnd + 1);
    const value = this.#valueBelow(indent, depth + 1);
    this.#scalarAt = -1;
    return value;
  }

  #valueBelow(indent: number, depth: number): unknown {
    if (this.#indent > indent) return this.#isItem() ? this.#list(this.#indent, depth) : this.#map(this.#indent, depth);
    return this.#indent === indent && this.#isItem() ? this.#list(indent, depth) : null;
  }

  #list(indent: number, depth: number): unknown[] {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    const items: unknown[] = [];
    do this.#item(items, indent, depth);
    while (this.#indent === indent && this.#isItem());
    if (this.#indent > indent) throw new NotPlain();
    return items;
  }

  /** Reads an item, and adds it to the list. */
  #item(items: unknown[], indent: number, depth: number): void {
    const lineStart = this.#start - indent;
    this.#at = this.#start + 1;
    this.#skipSpaces();
    this.#record(items, items.length, this.#at);
    KEY.lastIndex = this.#at;
    if (!KEY.test(this.text)) {
      items.push(this.#inline(indent, depth));
      return;
    }
    this.#start = this.#at;
    this.#indent = this.#at - lineStart;
    items.push(this.#map(this.#indent, depth + 1));
  }

  /** Whether the current line starts an item of a list. */
  #isItem(): boolean {
    const next = this.#start + 1;
    return (
      this.text.charCodeAt(this.#start) === DASH && (next >= this.#lineEnd || this.text.charCodeAt(next) === SPACE)
    );
  }

  /** Reads a value on the current line, and goes to the next one, which must not continue it. */
  #inline(indent: number, depth: number): unknown {
    this.#skipSpaces();
    if (startsLiteral(this.text, this.#at, this.#lineEnd)) {
      this.#scalarAt = this.#at;
      const { value, next } = readLiteral(this.text, this.#at, { indent, end: this.end });
      this.#nextLine(next);
      return this.#uncontinued(value, indent);
    }
    const value = this.#scalarOrFlow(BLOCK_TEXT, depth);
    if (!this.#endsLine()) throw new NotPlain();
    this.#nextLine(this.#lineEnd + 1);
    return this.#uncontinued(value, indent);
  }

  #uncontinued(value: unknown, indent: number): unknown {
    return this.#indent > indent ? refuse() : value;
  }

  #scalarOrFlow(plain: RegExp, depth: number): unknown {
    const first = this.text.charCodeAt(this.#at);
    if (first === BRACKET) return this.#flowList(depth + 1);
    if (first === BRACE) return this.#flowMap(depth + 1);
    this.#scalarAt = this.#at;
    if (first === QUOTE) return unquote(this.#match(DOUBLE_QUOTED) ?? refuse());
    if (first === APOSTROPHE) return unquote(this.#match(SINGLE_QUOTED) ?? refuse());
    return resolvePlain((this.#match(plain) ?? refuse()).trimEnd());
  }

  #flowList(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#flow(']', depth, () => {
      this.#record(items, items.length, this.#at);
      items.push(this.#scalarOrFlow(FLOW_TEXT, depth));
    });
    return items;
  }

  #flowMap(depth: number): PlainMap {
    const map: PlainMap = {};
    this.#flow('}', depth, () => {
      const from = this.#at;
      const key = this.#key(map);
      if (this.text.charCodeAt(this.#at) !== SPACE) throw new NotPlain();
      this.#skipSpaces();
      map[key] = this.#scalarOrFlow(FLOW_TEXT, depth);
      this.#record(map, key, this.#scalarAt === -1 ? from : this.#scalarAt);
    });
    return map;
  }

  /** Reads entries up to a closing bracket. */
  #flow(closing: string, depth: number, readEntry: () => void): void {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    this.#at += 1;
    this.#skipSpaces();
    if (this.text[this.#at] !== closing) {
      readEntry();
      this.#skipSpaces();
      while (this.text[this.#at] === ',') {
        this.#at += 1;
        this.#skipSpaces();
        readEntry();
        this.#skipSpaces();
      }
    }
    if (this.text[this.#at] !== closing) throw new NotPlain();
    this.#at += 1;
    this.#scalarAt = -1;
  }

  #skipSpaces(): void {
    while (this.text.charCodeAt(this.#at) === SPACE) this.#at += 1;
  }

  #endsLine(): boolean {
    REST_OF_LINE.lastIndex = this.#at;
    return REST_OF_LINE.test(this.text);
  }

  /** Reads what a pattern matches here. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.text)) return undefined;
    const from = this.#at;
    this.#at = pattern.lastIndex;
    return this.text.slice(from, this.#at);
  }
}

function refuse(): never {
  throw new NotPlain();
}
