import { NotPlain } from './plain-scalars';

const ANCHOR = /&([A-Za-z0-9_][\w-]{0,100})(?=[ \n]|$)/y;
const ALIAS = /\*([A-Za-z0-9_][\w-]{0,100})(?=[ \n]|$)/y;

const [AMPERSAND, ASTERISK] = [38, 42];

/** A value that has an anchor, and what an alias adds to a document. */
interface Anchored {
  readonly value: unknown;
  readonly size: Size;
}

interface Size {
  /** The value itself and all that are in it, without keys. */
  readonly values: number;

  /** Levels of collections. A text has none. */
  readonly depth: number;
}

/** What an alias may repeat where it is. */
interface Room {
  /** Levels of collections below the alias. */
  readonly depth: number;

  /** The values that aliases of the document may repeat, all together. */
  readonly values: number;
}

/**
 * The anchors of a plain document. Each name stands for one value, which has no alias in it. Everything else is left to
 * the YAML library: a name that is given twice, an alias above its anchor, too much that is repeated.
 */
export class PlainAnchors {
  readonly #byName = new Map<string, Anchored>();

  /** The number of anchors whose value is being read. */
  #open = 0;

  #repeated = 0;

  /** The values that aliases have repeated so far. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Starts a value with an anchor. */
  open(): void {
    this.#open += 1;
  }

  /** Ends the value that was started last. */
  close(name: string, value: unknown): void {
    this.#open -= 1;
    if (this.#byName.has(name)) throw new NotPlain();
    this.#byName.set(name, { value, size: sizeOf(value) });
  }

  /** The value that an alias repeats. */
  repeat(name: string, room: Room): unknown {
    const anchored = this.#open === 0 ? this.#byName.get(name) : undefined;
    if (!anchored || anchored.size.depth > room.depth) throw new NotPlain();
    this.#repeated += anchored.size.values;
    if (this.#repeated > room.values) throw new NotPlain();
    return anchored.value;
  }
}

/** The anchor at an offset of a text. Undefined if none starts there. */
export function anchorAt(text: string, at: number): string | undefined {
  return text.charCodeAt(at) === AMPERSAND ? nameAt(ANCHOR, text, at) : undefined;
}

/** The alias at an offset of a text. Undefined if none starts there. */
export function aliasAt(text: string, at: number): string | undefined {
  return text.charCodeAt(at) === ASTERISK ? nameAt(ALIAS, text, at) : undefined;
}

function nameAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  const [, name] = pattern.exec(text) ?? [];
  if (name === undefined) throw new NotPlain();
  return name;
}

function sizeOf(value: unknown): Size {
  let [values, depth] = [1, 0];
  if (typeof value !== 'object' || value === null) return { values, depth };
  for (const inner of Object.values(value)) {
    const below = sizeOf(inner);
    values += below.values;
    depth = Math.max(depth, below.depth);
  }
  return { values, depth: depth + 1 };
}
