import { aliasAt, anchorAt, PlainAnchors } from './plain-anchors';
import { PlainCursor } from './plain-cursor';
import { startsLiteral, readLiteral } from './plain-literal';
import { BLOCK_TEXT, DOUBLE_QUOTED, FLOW_TEXT, NotPlain, resolvePlain, SINGLE_QUOTED, unquote } from './plain-scalars';

/** The value of a plain document, and the offset where its map starts. */
export interface PlainDocument {
  readonly value: PlainMap;
  readonly start: number;

  /** The number of values that aliases repeat. */
  readonly repeated: number;
}

type PlainMap = Record<string, unknown>;

/** How to read a document. */
interface PlainReading {
  /** The nesting depth of collections, also through aliases. */
  readonly maxDepth: number;

  /** The number of values that aliases may repeat. Default: no limit. */
  readonly maxRepeated?: number;

  /** Gets the offsets of entries. Default: they are not recorded. */
  readonly offsets?: EntryOffsets;
}

/**
 * The offsets of the entries of maps, and of the items of lists. That of an entry is the offset of its value, if this
 * is a text, a number or an alias, else of its key.
 */
export type EntryOffsets = Map<object, Map<string | number, number>>;

const [SPACE, QUOTE, APOSTROPHE, BRACKET, BRACE] = [32, 34, 39, 91, 123];

const KEY = /(?:[A-Za-z0-9_][\w./-]{0,200}|"[^"\\\n]{0,200}"|'[^'\n]{0,200}')(?=:(?:[ \n]|$))/y;

/**
 * Reads a document of the subset of YAML that manifests are mostly written in: maps and lists by indentation, lists and
 * maps in brackets on one line, texts on one line or after `|`, and anchors and aliases of whole values in blocks. The
 * value is that of the YAML library, which takes ten times as long.
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

class PlainReader extends PlainCursor {
  readonly #anchors = new PlainAnchors();

  /** The offset of the text, number or alias that was read last, or -1 if something else was. */
  #scalarAt = -1;

  constructor(
    text: string,
    from: number,
    end: number,
    private readonly reading: PlainReading,
  ) {
    super(text, from, end);
  }

  document(): PlainDocument | undefined {
    if (this.isAtEnd()) return undefined;
    const start = this.start;
    if (this.indent > 0) throw new NotPlain();
    const value = this.#map(0, 1);
    return this.isAtEnd() ? { value, start, repeated: this.#anchors.repeated } : refuse();
  }

  #map(indent: number, depth: number): PlainMap {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    const map: PlainMap = {};
    do {
      const from = this.start;
      this.at = from;
      const key = this.#key(map);
      map[key] = this.#valueOfEntry(indent, depth);
      this.#record(map, key, this.#scalarAt === -1 ? from : this.#scalarAt);
    } while (this.indent === indent && !this.isItem());
    if (this.indent > indent) throw new NotPlain();
    return map;
  }

  /** Reads a key of a map, and its colon. */
  #key(map: PlainMap): string {
    const text = this.match(KEY) ?? refuse();
    this.at += 1;
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
    this.skipSpaces();
    const anchor = this.#anchor();
    const value = this.endsLine() ? this.#nextLines(indent, depth) : this.#inline(indent, depth);
    return anchor === undefined ? value : this.#anchored(anchor, value);
  }

  #nextLines(indent: number, depth: number): unknown {
    this.nextLine(this.lineEnd + 1);
    const value = this.#valueBelow(indent, depth + 1);
    this.#scalarAt = -1;
    return value;
  }

  /** Reads the anchor of the value that follows, if it has one. */
  #anchor(): string | undefined {
    const name = anchorAt(this.text, this.at);
    if (name === undefined) return undefined;
    this.at += 1 + name.length;
    this.#anchors.open();
    return name;
  }

  /** Ends the value of an anchor, which must not be missing. */
  #anchored(anchor: string, value: unknown): unknown {
    if (value === null) throw new NotPlain();
    this.#anchors.close(anchor, value);
    return value;
  }

  #valueBelow(indent: number, depth: number): unknown {
    if (this.indent > indent) return this.isItem() ? this.#list(this.indent, depth) : this.#map(this.indent, depth);
    return this.indent === indent && this.isItem() ? this.#list(indent, depth) : null;
  }

  #list(indent: number, depth: number): unknown[] {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    const items: unknown[] = [];
    do this.#item(items, indent, depth);
    while (this.indent === indent && this.isItem());
    if (this.indent > indent) throw new NotPlain();
    return items;
  }

  /** Reads an item, and adds it to the list. */
  #item(items: unknown[], indent: number, depth: number): void {
    const lineStart = this.start - indent;
    this.at = this.start + 1;
    this.skipSpaces();
    const anchor = this.#anchor();
    if (anchor !== undefined) return this.#anchoredItem(items, anchor, [indent, depth]);
    this.#record(items, items.length, this.at);
    KEY.lastIndex = this.at;
    if (!KEY.test(this.text)) {
      items.push(this.#inline(indent, depth));
      return;
    }
    this.start = this.at;
    this.indent = this.at - lineStart;
    items.push(this.#map(this.indent, depth + 1));
  }

  #anchoredItem(items: unknown[], anchor: string, [indent, depth]: readonly [number, number]): void {
    const isBelow = this.endsLine();
    if (isBelow) this.nextLine(this.lineEnd + 1);
    else this.skipSpaces();
    if (isBelow && this.indent <= indent) throw new NotPlain();
    this.#record(items, items.length, isBelow ? this.start : this.at);
    const value = isBelow ? this.#valueBelow(indent, depth + 1) : this.#inline(indent, depth);
    items.push(this.#anchored(anchor, value));
  }

  /** Reads a value on the current line, and goes to the next one, which must not continue it. */
  #inline(indent: number, depth: number): unknown {
    this.skipSpaces();
    const alias = aliasAt(this.text, this.at);
    if (alias !== undefined) return this.#alias(alias, indent, depth);
    if (startsLiteral(this.text, this.at, this.lineEnd)) {
      this.#scalarAt = this.at;
      const { value, next } = readLiteral(this.text, this.at, { indent, end: this.end });
      this.nextLine(next);
      return this.#uncontinued(value, indent);
    }
    return this.#endOfValue(this.#scalarOrFlow(BLOCK_TEXT, depth), indent);
  }

  #alias(name: string, indent: number, depth: number): unknown {
    this.#scalarAt = this.at;
    this.at += 1 + name.length;
    const { maxDepth, maxRepeated = Infinity } = this.reading;
    const value = this.#anchors.repeat(name, { depth: maxDepth - depth, values: maxRepeated });
    return this.#endOfValue(value, indent);
  }

  /** Goes to the next line, which must not continue a value. */
  #endOfValue(value: unknown, indent: number): unknown {
    if (!this.endsLine()) throw new NotPlain();
    this.nextLine(this.lineEnd + 1);
    return this.#uncontinued(value, indent);
  }

  #uncontinued(value: unknown, indent: number): unknown {
    return this.indent > indent ? refuse() : value;
  }

  #scalarOrFlow(plain: RegExp, depth: number): unknown {
    const first = this.text.charCodeAt(this.at);
    if (first === BRACKET) return this.#flowList(depth + 1);
    if (first === BRACE) return this.#flowMap(depth + 1);
    this.#scalarAt = this.at;
    if (first === QUOTE) return unquote(this.match(DOUBLE_QUOTED) ?? refuse());
    if (first === APOSTROPHE) return unquote(this.match(SINGLE_QUOTED) ?? refuse());
    return resolvePlain((this.match(plain) ?? refuse()).trimEnd());
  }

  #flowList(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#flow(']', depth, () => {
      this.#record(items, items.length, this.at);
      items.push(this.#scalarOrFlow(FLOW_TEXT, depth));
    });
    return items;
  }

  #flowMap(depth: number): PlainMap {
    const map: PlainMap = {};
    this.#flow('}', depth, () => {
      const from = this.at;
      const key = this.#key(map);
      if (this.text.charCodeAt(this.at) !== SPACE) throw new NotPlain();
      this.skipSpaces();
      map[key] = this.#scalarOrFlow(FLOW_TEXT, depth);
      this.#record(map, key, this.#scalarAt === -1 ? from : this.#scalarAt);
    });
    return map;
  }

  /** Reads entries up to a closing bracket. */
  #flow(closing: string, depth: number, readEntry: () => void): void {
    if (depth > this.reading.maxDepth) throw new NotPlain();
    this.at += 1;
    this.skipSpaces();
    if (this.text[this.at] !== closing) {
      readEntry();
      this.skipSpaces();
      while (this.text[this.at] === ',') {
        this.at += 1;
        this.skipSpaces();
        readEntry();
        this.skipSpaces();
      }
    }
    if (this.text[this.at] !== closing) throw new NotPlain();
    this.at += 1;
    this.#scalarAt = -1;
  }
}

function refuse(): never {
  throw new NotPlain();
}
