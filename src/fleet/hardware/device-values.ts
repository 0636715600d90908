import type { InferenceClass } from '../../api/inference-class';
import type { Path } from '../../api/resource';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { containsWords, editDistance } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { listCatalogueDevices } from './catalogue-devices';
import type { Catalogue } from './hardware';

type Attributes = InferenceClass['spec']['devices'][number]['attributes'];

/** The devices that a class writes itself. A device that it takes from the catalog may omit the driver. */
interface DeclaredDevices {
  readonly spec: {
    readonly devices?: readonly { readonly name: string; readonly attributes: Attributes }[] | undefined;
  };
}

/**
 * Finds texts that a class declares for attributes of a device, that no device of the catalog with this driver
 * publishes, and that are misspellings or parts of one that a device publishes. A selector with the text that drivers
 * publish does not match such a device. Other unknown texts are those of other hardware.
 *
 * @param expanded the class with the hardware of the catalog filled in
 */
export function* findMisspelledValues(
  { spec }: DeclaredDevices,
  expanded: InferenceClass,
  catalogue: Catalogue,
): Generator<Diagnostic<Path>> {
  for (const [index, { name: device, attributes }] of (spec.devices ?? []).entries()) {
    const driver = expanded.spec.devices.find(({ name }) => name === device)?.driver ?? '';
    for (const [name, value] of Object.entries(attributes)) {
      const text = 'string' in value ? value.string : undefined;
      const meant = text === undefined ? [] : findMeant(text, valuesOf(catalogue).get(keyOf(driver, name)) ?? []);
      if (meant.length === 0) continue;
      const path = ['spec', 'devices', index, 'attributes', name, 'string'];
      const hint = `Did you mean ${meant.map((one) => `'${one}'`).join(' or ')}?`;
      yield warningAt('unlisted-value', path, `no known device has the ${name} '${text}'`, hint);
    }
  }
}

const VALUES = new WeakMap<Catalogue, ReadonlyMap<string, readonly string[]>>();

/** The texts that devices of a catalog publish, by the attribute with its domain. */
function valuesOf(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const known = VALUES.get(catalogue) ?? indexValues(catalogue);
  VALUES.set(catalogue, known);
  return known;
}

function indexValues(catalogue: Catalogue): Map<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { driver, attributes } of listCatalogueDevices(catalogue)) {
    for (const [name, value] of Object.entries(attributes)) {
      const key = keyOf(driver, name);
      if ('string' in value) values.set(key, [...(values.get(key) ?? []), value.string]);
    }
  }
  return new Map([...values].map(([key, texts]) => [key, sortUnique(texts)]));
}

function keyOf(driver: string, name: string): string {
  return name.includes('/') ? name : `${driver}/${name}`;
}

/** The most values that a hint lists. */
const MOST_SUGGESTED = 6;

function findMeant(text: string, known: readonly string[]): readonly string[] {
  if (known.includes(text)) return [];
  const misspelled = known.filter((one) => isMisspelling(text, one));
  const meant = misspelled.length > 0 ? misspelled : known.filter((one) => containsWords(one, text));
  return meant.slice(0, MOST_SUGGESTED);
}

/** Fewer letters than these tell models apart: `L40` and `A40`, `B200` and `GB200`. */
const LETTERS_PER_MISTAKE = 3;

/**
 * Whether two texts differ in case and separators alone, or by few letters of long words. Texts with other numbers
 * name other hardware.
 */
function isMisspelling(text: string, known: string): boolean {
  const [words, others] = [text, known].map((one) => one.toLowerCase().match(/\p{L}+|\d+/gu) ?? []);
  if (!words || words.length !== others?.length) return false;
  return words.every((word, i) => isMisspelledWord(word, others[i] ?? ''));
}

function isMisspelledWord(word: string, other: string): boolean {
  const most = /\d/.test(word) ? 0 : Math.floor(Math.min(word.length, other.length) / LETTERS_PER_MISTAKE);
  return word === other || editDistance(word, other) <= most;
}
