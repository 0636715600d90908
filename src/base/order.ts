/** Compares by UTF-16 code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A sorted copy, by a text key. */
export function sortedBy<T>(items: Iterable<T>, key: (item: T) => string): T[] {
  return [...items].sort((a, b) => compareText(key(a), key(b)));
}

/** The texts of some, each once, sorted. */
export function sortUnique(texts: Iterable<string>): string[] {
  return sortedBy(new Set(texts), (text) => text);
}

/** The items in lists of those that follow each other with one key: of sorted items all of a key. */
export function runsOf<K, T>(items: readonly T[], key: (item: T) => K): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  let last: K | undefined;
  for (const item of items) {
    const own = key(item);
    if (run.length > 0 && own === last) run.push(item);
    else runs.push((run = [item]));
    last = own;
  }
  return runs;
}

/** The items of each key, keys in the order in which they first appear. */
export function groupBy<K, T>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let [last, group]: [K?, T[]?] = [];
  for (const item of items) {
    const own = key(item);
    // Of sorted items those of a key follow each other.
    if (!group || own !== last) {
      group = groups.get(own) ?? [];
      if (group.length === 0) groups.set(own, group);
      last = own;
    }
    group.push(item);
  }
  return groups;
}

/** The items of each key. */
export type Groups<K, T> = ReadonlyMap<K, readonly T[]>;

/**
 * As `groupBy`, for lists that several group by the same key: a list never changes once it is made, so it is grouped
 * once, however many ask.
 *
 * @param known the groups of lists that are grouped already. Default: of none
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

/** The last of `count` sorted items for which `holds`, given that it holds for a first part of them; or -1. */
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
