import type { KubeObject } from '../harness/client';

/**
 * The forms of the objects that were sent. The API server treats objects of one form alike, but for what it says of a
 * single value: so one of each form is sent in all ways, and each update changes one.
 */
export class Forms {
  readonly #seen = new Set<string>();

  /** Whether no object of this form was seen before on the same occasion. */
  isNew(occasion: string, object: KubeObject): boolean {
    const form = `${occasion} ${JSON.stringify(formOf(object))}`;
    if (this.#seen.has(form)) return false;
    this.#seen.add(form);
    return true;
  }
}

/** Choices of Kubernetes, such as `Recreate` and `ALL`. */
const CHOICE = /^[A-Z][A-Za-z]*$/;

/** An object without texts and numbers: its fields, its choices, what is zero, and the different forms in each list. */
function formOf(value: unknown): unknown {
  if (typeof value === 'string') return CHOICE.test(value) ? value : '';
  if (typeof value === 'number') return Math.sign(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(formOf(one))))];
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, inner]) => [key, formOf(inner)]);
}
