/** Compares by UTF-16 code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * A sorted copy, by names as people read them: runs of digits as numbers, so that c2 comes before c10, and the rest by
 * `compareText`.
 */
export function sortedNaturally<T>(items: Iterable<T>, nameOf: (item: T) => string): T[] {
  return Array.from(items, (item) => ({ item, name: nameOf(item), parts: splitDigits(nameOf(item)) }))
    .sort((a, b) => compareSplit(a.parts, b.parts) || compareText(a.name, b.name))
    .map(({ item }) => item);
}

/** Splits a name into text and digits in turns, text first. */
function splitDigits(name: string): string[] {
  return name.split(/(\d+)/);
}

function compareSplit(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i] ?? '';
    const order = part === other ? 0 : compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return compareText(a, b);
  const [one, other] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return one.length - other.length || compareText(one, other);
}

/** A sorted copy, by a text key. */
export function sortedBy<T>(items: Iterable<T>, key: (item: T) => string): T[] {
  return Array.from(items, (item) => ({ item, key: key(item) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ item }) => item);
}

/** Sorts texts and drops duplicates. */
export function sortUnique(texts: Iterable<string>): string[] {
  return sortedBy(new Set(texts), (text) => text);
}

/**
 * Splits a list into runs of consecutive items with one key. If the list is sorted, a run has all items of its key.
 */
export function runsOf<K, T>(items: readonly T[], key: (item: T) => K): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  let last: K | undefined;
  for (const item of items) {
    const current = key(item);
    if (run.length > 0 && current === last) run.push(item);
    else runs.push((run = [item]));
    last = current;
  }
  return runs;
}

/** The items of each key, keys in the order in which they first appear. */
export function groupBy<K, T>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let [last, group]: [K?, T[]?] = [];
  for (const item of items) {
    const current = key(item);
    // In sorted items, those of one key are adjacent.
    if (!group || current !== last) {
      group = groups.get(current) ?? [];
      if (group.length === 0) groups.set(current, group);
      last = current;
    }
    group.push(item);
  }
  return groups;
}

/** The items of each key. */
export type Groups<K, T> = ReadonlyMap<K, readonly T[]>;

/**
 * Creates a `groupBy` that caches the groups of each list. Lists must not change after they are made.
 *
 * @param known the groups of lists that are grouped already. Default: none
 */
export function createCachedGroupBy<K, T>(
  key: (item: T) => K,
  known = new WeakMap<readonly T[], Groups<K, T>>(),
): (items: readonly T[]) => Groups<K, T> {
  return (items) => {
    let groups = known.get(items);
    if (!groups) known.set(items, (groups = groupBy(items, key)));
    return groups;
  };
}

/**
 * The last of `count` sorted items for which `holds` is true, or -1. `holds` must be true for a first part of the
 * items and false for the rest.
 */
export function bisectLast(count: number, holds: (index: number) => boolean): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
