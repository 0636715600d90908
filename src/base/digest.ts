import { hash } from 'node:crypto';
import { isPlain } from './plain-data';

/**
 * Creates a function that digests plain data and maps with all that is in them: values with the same digest are equal, down
 * to the order of their keys. What is anything else, or holds it, has no digest: a function can depend on anything.
 *
 * A value must not change between calls. Objects that values share are digested once.
 */
export function createDigester(): (value: unknown) => string | undefined {
  const texts = new PlainTexts();
  return (value) => {
    const text = texts.textOf(value);
    return text === undefined ? undefined : digestText(text);
  };
}

export function digestText(text: string | Uint8Array): string {
  return hash('sha256', text);
}

/** The length of a text from which its digest takes its place. */
const LONG_TEXT = 100;

/** A text for each value, another one for each other value. */
class PlainTexts {
  readonly #known = new WeakMap<object, string>();

  textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value !== 'object' || value === null) return isNamed(value) ? String(value) : undefined;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = this.#textOfObject(value);
    const short = text !== undefined && text.length > LONG_TEXT ? `#${digestText(text)}` : text;
    if (short !== undefined) this.#known.set(value, short);
    return short;
  }

  #textOfObject(value: object): string | undefined {
    if (Array.isArray(value)) return this.#textOfItems(value);
    if (Object.getPrototypeOf(value) === Map.prototype) {
      const entries = this.#textOfItems([...(value as ReadonlyMap<unknown, unknown>)]);
      return entries === undefined ? undefined : `Map${entries}`;
    }
    return isPlain(value) ? this.#textOfEntries(value) : undefined;
  }

  #textOfItems(items: readonly unknown[]): string | undefined {
    let all = '[';
    for (const item of items) {
      const text = this.textOf(item);
      if (text === undefined) return undefined;
      all += `${text},`;
    }
    return `${all}]`;
  }

  #textOfEntries(holder: object): string | undefined {
    let all = '{';
    for (const key in holder) {
      const text = this.textOf((holder as Readonly<Record<string, unknown>>)[key]);
      if (text === undefined) return undefined;
      all += `${JSON.stringify(key)}:${text},`;
    }
    return `${all}}`;
  }
}

/** Whether a value that is no object is its name. */
function isNamed(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
}
