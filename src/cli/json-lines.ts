/** The text of a JSON document. */
export interface JsonText {
  /** One after the other. A document can have more than a hundred megabytes, which few have room for twice. */
  readonly parts: readonly string[];

  /** Each distinct line, with its line break. Absent if there are too many of them to remember. */
  readonly lines?: readonly string[];
}

/**
 * Formats a value as `JSON.stringify` does with an indentation of two spaces, and a new line at the end. What replicas take
 * and what that costs is on one line, if it is short. Maps are written as objects, and integers without bounds as texts.
 * Documents of large fleets have millions of lines, of which few are distinct: each is made once, and whoever looks at lines
 * can look at these.
 */
export function formatJsonLines(value: object): JsonText {
  const writer = new JsonLineWriter();
  writer.write(value, writer.headOf(0, undefined), LAST);
  return writer.finish();
}

/** What ends a line: another value of the same object or list follows, or none. */
const [MORE, LAST] = [0, 1];
const TAILS = [',\n', '\n'];

/** The distinct lines that are remembered. */
const MAX_LINES = 200_000;

/** The lines that are joined at a time. */
const PART = 8192;

/** Keys whose value is one object in many places of a plan: what replicas take, and what that costs. */
const SHARED_KEYS: ReadonlySet<string | undefined> = new Set(['usage', 'cost']);

/** Above, such keys have totals of the fleet. */
const SHARED_DEPTH = 3;

/** The longest text of a shared object that is on one line. */
const LONGEST_SHARED = 200;

/** What lines at one depth and of one key start with, and those lines. */
interface LineHead {
  readonly text: string;
  readonly depth: number;

  /** By value, for each tail. */
  readonly lines: readonly [Map<unknown, string>, Map<unknown, string>];

  /** Whether its objects are in many places. */
  readonly shared: boolean;
}

/** The key of the elements of a list. */
type Key = string | undefined;

class JsonLineWriter {
  /** By depth and key. */
  readonly #heads: Map<Key, LineHead>[] = [];
  #parts: string[] = [];
  #lines: string[] = [];
  #distinct = 0;

  /** The shared objects that are known to be too long for a line. */
  readonly #long = new WeakSet<object>();

  finish(): JsonText {
    const parts = [...this.#parts, this.#lines.join('')];
    if (this.#distinct > MAX_LINES) return { parts };
    const heads = this.#heads.flatMap((byKey) => [...byKey.values()]);
    return { parts, lines: heads.flatMap(({ lines }) => lines.flatMap((byValue) => [...byValue.values()])) };
  }

  headOf(depth: number, key: Key): LineHead {
    const byKey = (this.#heads[depth] ??= new Map<Key, LineHead>());
    let head = byKey.get(key);
    if (!head) {
      const text = '  '.repeat(depth) + (key === undefined ? '' : `${JSON.stringify(key)}: `);
      const shared = depth >= SHARED_DEPTH && SHARED_KEYS.has(key);
      byKey.set(key, (head = { text, depth, lines: [new Map(), new Map()], shared }));
    }
    return head;
  }

  write(value: unknown, head: LineHead, tail: number): void {
    if (typeof value !== 'object' || value === null) this.#writeLine(value, head, tail);
    else if (head.shared) this.#writeShared(value, head, tail);
    else this.#writeLines(value, head, tail);
  }

  #writeShared(value: object, head: LineHead, tail: number): void {
    if (this.#long.has(value)) return this.#writeLines(value, head, tail);
    if (head.lines[tail === MORE ? 0 : 1].has(value)) return this.#writeLine(value, head, tail);
    const text = formatOnOneLine(value);
    if (text.length <= LONGEST_SHARED) return this.#writeLine(value, head, tail, text);
    this.#long.add(value);
    this.#writeLines(value, head, tail);
  }

  #writeLines(given: object, head: LineHead, tail: number): void {
    const value = toPlain(given);
    if (Array.isArray(value)) this.#writeList(value, head, tail);
    else if (typeof value === 'object' && value !== null) this.#writeObject(value, head, tail);
    else this.#writeLine(value, head, tail);
  }

  #writeList(list: readonly unknown[], head: LineHead, tail: number): void {
    if (list.length === 0) return this.#writeLine(EMPTY_LIST, head, tail);
    this.#writeLine(OPEN_LIST, head, LAST);
    const inner = this.headOf(head.depth + 1, undefined);
    for (let i = 0; i < list.length; i++) this.write(list[i], inner, i === list.length - 1 ? LAST : MORE);
    this.#writeLine(CLOSE_LIST, this.headOf(head.depth, undefined), tail);
  }

  #writeObject(value: object, head: LineHead, tail: number): void {
    const entries = value as Readonly<Record<string, unknown>>;
    const keys = Object.keys(entries);
    let last = keys.length - 1;
    while (last >= 0 && isLeftOut(entries[keys[last] ?? ''])) last--;
    if (last < 0) return this.#writeLine(EMPTY_OBJECT, head, tail);
    this.#writeLine(OPEN_OBJECT, head, LAST);
    for (let i = 0; i <= last; i++) {
      const key = keys[i] ?? '';
      const inner = entries[key];
      if (!isLeftOut(inner)) this.write(inner, this.headOf(head.depth + 1, key), i === last ? LAST : MORE);
    }
    this.#writeLine(CLOSE_OBJECT, this.headOf(head.depth, undefined), tail);
  }

  /** @param text default: that of a scalar */
  #writeLine(value: unknown, head: LineHead, tail: number, text?: string): void {
    const known = head.lines[tail === MORE ? 0 : 1];
    let line = known.get(value);
    if (line === undefined) {
      line = head.text + (text ?? formatScalar(value)) + (TAILS[tail] ?? '');
      this.#distinct++;
      if (this.#distinct <= MAX_LINES) known.set(value, line);
    }
    this.#push(line);
  }

  #push(text: string): void {
    this.#lines.push(text);
    if (this.#lines.length === PART) {
      this.#parts.push(this.#lines.join(''));
      this.#lines = [];
    }
  }
}

/** Signs in place of scalars. A symbol is no value of JSON. */
const SIGNS: ReadonlyMap<unknown, string> = new Map(
  ['{', '}', '{}', '[', ']', '[]'].map((sign) => [Symbol.for(sign), sign]),
);
const [OPEN_OBJECT, CLOSE_OBJECT, EMPTY_OBJECT, OPEN_LIST, CLOSE_LIST, EMPTY_LIST] = SIGNS.keys();

function formatScalar(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString());
  return SIGNS.get(value) ?? (JSON.stringify(value) as string | undefined) ?? 'null';
}

function formatOnOneLine(value: object): string {
  // Texts have no line breaks of their own: these are escaped.
  return JSON.stringify(value, toJson, 1).replaceAll(/\n */g, ' ');
}

function toJson(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map ? Object.fromEntries(value) : value;
}

/** Whether JSON has no place for a value in an object. In a list it is `null`. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function toPlain(value: object): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
