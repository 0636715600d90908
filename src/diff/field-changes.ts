import type { Path } from '../api/resource';
import { redactValue } from '../api/secret-detection';
import { isDeepEqual } from '../base/deep-equal';
import { isMap } from '../base/json';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { compareText } from '../base/order';
import type { Json } from '../manifest/kubernetes/manifest';

/** A field that two documents have otherwise. */
export interface FieldChange {
  /** For people: `spec.template.spec.containers[engine].image`. Items of lists by their name, where they have one. */
  readonly field: string;

  /** Where it is in the document that has it; in the later one where both have. */
  readonly path: Path;

  /** Absent where the field is new. What seems to be a secret is hidden. */
  readonly before?: Json;

  /** Absent where the field is gone. What seems to be a secret is hidden. */
  readonly after?: Json;

  /** Only the earlier document writes it: `after` is its default. Absent: the later one writes it, or has none. */
  readonly removed?: true;
}

/**
 * The position in the two documents that the comparison has reached, from the inside to the outside. What it is called
 * is put together only where something differs.
 */
interface FieldPosition {
  /** Absent at the top, which has no name. */
  readonly within?: FieldPosition;
  readonly key: string | number;

  /** The name of an item of a list that is known by it. */
  readonly name?: string;

  /** The name of the variable that a `value` field belongs to. */
  readonly owner: string;
}

const TOP: FieldPosition = { key: '', owner: '' };

/** `spec.template.spec.containers[engine].image`. */
function nameField({ within, key, name }: FieldPosition): string {
  if (!within) return '';
  const outside = nameField(within);
  if (typeof key === 'number') return `${outside}[${name ?? key}]`;
  return outside === '' ? key : `${outside}${/^[\w-]+$/.test(key) ? `.${key}` : `['${key}']`}`;
}

function listKeys({ within, key }: FieldPosition): Path {
  return within ? [...listKeys(within), key] : [];
}

function isSamePosition(a: FieldPosition, b: FieldPosition): boolean {
  if (a === b) return true;
  if (a.key !== b.key || a.name !== b.name || a.owner !== b.owner) return false;
  return a.within && b.within ? isSamePosition(a.within, b.within) : a.within === b.within;
}

/**
 * Lists the fields in which two documents differ, in document order. List items are matched by name if all have a
 * unique name, so a moved or inserted item is not a change of the items after it.
 *
 * @example
 * diffFields({ replicas: 2 }, { replicas: 3 }); // [{ field: 'replicas', path: ['replicas'], before: 2, after: 3 }]
 */
export function diffFields(before: unknown, after: unknown): FieldChange[] {
  const changes: FieldChange[] = [];
  compareValues(before, after, TOP, changes);
  return changes;
}

function compareValues(before: unknown, after: unknown, place: FieldPosition, changes: FieldChange[]): void {
  if (Object.is(before, after)) return;
  if (isMap(before) && isMap(after)) {
    if (typeof place.key === 'number') changes.push(...compareItems(before, after, place));
    else compareMaps(before, after, place, changes);
  } else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, place, changes);
  else changes.push(toFieldChange(before, after, place));
}

type JsonMap = Readonly<Record<string, unknown>>;

/** The changes between two maps that are at a place. */
interface ChangesAt {
  readonly place: FieldPosition;
  readonly changes: readonly FieldChange[];
}

const KNOWN: WeakPairMap<JsonMap, JsonMap, ChangesAt> = new WeakMap();

/** Compares items of lists. Rendered objects share the containers of their pods, which are compared once. */
function compareItems(before: JsonMap, after: JsonMap, place: FieldPosition): readonly FieldChange[] {
  const compare = (): ChangesAt => {
    const changes: FieldChange[] = [];
    compareMaps(before, after, place, changes);
    return { place, changes };
  };
  const known = getOrComputeWeak(KNOWN, before, after, compare);
  return isSamePosition(known.place, place) ? known.changes : compare().changes;
}

function compareMaps(before: JsonMap, after: JsonMap, within: FieldPosition, changes: FieldChange[]): void {
  const named = typeof after['name'] === 'string' ? after['name'] : within.owner;
  for (const key of keysOf(before, after)) {
    const [was, is] = [ownValueOf(before, key), ownValueOf(after, key)];
    if (!Object.is(was, is)) compareValues(was, is, { within, key, owner: key === 'value' ? named : '' }, changes);
  }
}

/** An own property of a map. A label can be named `constructor`, a property that every object inherits. */
function ownValueOf(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The keys of the later document in its order, then the sorted keys that only the earlier one has. */
function keysOf(before: JsonMap, after: JsonMap): string[] {
  return [
    ...Object.keys(after),
    ...Object.keys(before)
      .filter((key) => !Object.hasOwn(after, key))
      .sort(compareText),
  ];
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  place: FieldPosition,
  changes: FieldChange[],
): void {
  const [earlier, later] = [indexByName(before), indexByName(after)];
  if (earlier && later) compareNamedItems(earlier, later, place, changes);
  else if (before.every(isMap) && after.every(isMap)) compareIndexedItems(before, after, place, changes);
  else if (JSON.stringify(before) !== JSON.stringify(after)) changes.push(toFieldChange(before, after, place));
}

interface Named {
  readonly index: number;
  readonly value: unknown;
}

/** The items of a list by name, or undefined if an item has no name or a name occurs twice. */
function indexByName(items: readonly unknown[]): ReadonlyMap<string, Named> | undefined {
  const named = new Map<string, Named>();
  for (const [index, value] of items.entries()) {
    const name = isMap(value) ? value['name'] : undefined;
    if (typeof name !== 'string' || named.has(name)) return undefined;
    named.set(name, { index, value });
  }
  return named;
}

function compareNamedItems(
  before: ReadonlyMap<string, Named>,
  after: ReadonlyMap<string, Named>,
  within: FieldPosition,
  changes: FieldChange[],
): void {
  const at = (name: string, key: number): FieldPosition => ({ within, key, name, owner: name });
  for (const [name, { index, value }] of after) {
    compareValues(before.get(name)?.value, value, at(name, index), changes);
  }
  for (const [name, { index, value }] of before) {
    if (!after.has(name)) compareValues(value, undefined, at(name, index), changes);
  }
  const kept = [...before.keys()].filter((name) => after.has(name));
  const order = [...after.keys()].filter((name) => before.has(name));
  if (kept.join('\n') !== order.join('\n')) {
    changes.push({ field: `the order of ${nameField(within)}`, path: listKeys(within), before: kept, after: order });
  }
}

/** Items at the end that both lists have are no change: one that is inserted or removed before them moves them. */
function compareIndexedItems(
  before: readonly unknown[],
  after: readonly unknown[],
  place: FieldPosition,
  changes: FieldChange[],
): void {
  const moved = before.length === after.length ? 0 : countEqualAtEnd(before, after);
  const [was, is] = [before, after].map((items) => items.slice(0, items.length - moved)) as [unknown[], unknown[]];
  for (let key = 0; key < Math.max(was.length, is.length); key++) {
    compareValues(was[key], is[key], { within: place, key, owner: place.owner }, changes);
  }
}

function countEqualAtEnd(before: readonly unknown[], after: readonly unknown[]): number {
  const most = Math.min(before.length, after.length);
  for (let count = 0; count < most; count++) {
    if (!isDeepEqual(before.at(-1 - count), after.at(-1 - count))) return count;
  }
  return most;
}

function toFieldChange(before: unknown, after: unknown, place: FieldPosition): FieldChange {
  const { owner } = place;
  return {
    field: nameField(place),
    path: listKeys(place),
    ...(before !== undefined && { before: withoutSecretValues(before, owner) }),
    ...(after !== undefined && { after: withoutSecretValues(after, owner) }),
  };
}

/** Hides secrets. A list of words is checked as a command line, since a flag and its value are two words. */
function withoutSecretValues(value: unknown, owner: string): Json {
  if (typeof value === 'string') return redactValue(value, owner);
  if (Array.isArray(value)) return withoutSecretWords(value, owner);
  if (!isMap(value)) return value as Json;
  const named = typeof value['name'] === 'string' ? value['name'] : owner;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutSecretValues(one, key === 'value' ? named : '')]));
}

function withoutSecretWords(items: readonly unknown[], owner: string): Json {
  const words = items.every((item) => typeof item === 'string') ? items : undefined;
  if (!words) return items.map((item) => withoutSecretValues(item, owner));
  return words.map((word, i) => redactValue(word, words[i - 1]?.startsWith('-') ? words[i - 1] : ''));
}

/** The index of the item of a list that another list has at an index. The length of the list if it has none. */
export function findItem(target: readonly unknown[], source: readonly unknown[], index: number): number {
  const name = nameOf(source[index]);
  if (name === undefined) return index;
  const found = target.findIndex((item) => nameOf(item) === name);
  return found === -1 ? target.length : found;
}

function nameOf(item: unknown): string | undefined {
  const name = isMap(item) ? item['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The path of a change in the earlier of two documents, in which items of lists can have another index. */
export function earlierPathOf(path: Path, before: unknown, after: unknown): Path {
  const [key, ...rest] = path;
  // An item that is gone has the index that it had.
  if (key === undefined || rest.length === 0) return path;
  const at = Array.isArray(before) && Array.isArray(after) ? findItem(before, after, Number(key)) : key;
  const [was, is] = [before, after] as (Readonly<Record<string | number, unknown>> | undefined | null)[];
  return [at, ...earlierPathOf(rest, was?.[at], is?.[key])];
}
