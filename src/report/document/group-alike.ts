import { formatCount } from '../../base/figures';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { type Block, styledLines } from './document';

/** The most items that are shown one by one. */
export const MAX_SINGLE_ITEMS = 12;

/** The fewest items, messages or findings of one kind that are shown as one. */
export const MIN_GROUP = 3;

/** The most names of items that are not shown. */
export const MAX_GROUP_NAMES = 3;

/** Groups items that are alike, where there are too many to read. Single ones come first, each a group of its own. */
export function groupAlike<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  if (items.length <= MAX_SINGLE_ITEMS) return items.map((item) => [item]);
  const groups = [...groupBy(items, keyOf).values()];
  const odd = groups.filter((group) => group.length < MIN_GROUP).flat();
  return [...odd.map((item) => [item]), ...groups.filter((group) => group.length >= MIN_GROUP)];
}

/** The text of blocks without names, which is the same for blocks that differ in names alone. */
export function templateOf(blocks: readonly Block[], names: readonly string[]): string {
  const longestFirst = sortedBy(new Set(names), (name) => name).sort((a, b) => b.length - a.length);
  return longestFirst.reduce(
    (text, name) => (name === '' ? text : text.replaceAll(name, '\0')),
    JSON.stringify(blocks),
  );
}

/** How items that are alike are found and shown. */
interface AlikeItems<T> {
  /** What items that are alike have in common. */
  readonly keyOf: (item: T) => string;
  readonly nameOf: (item: T) => string;
  readonly blocksOf: (item: T) => readonly Block[];

  /** What follows each item. Default: nothing. */
  readonly after?: readonly Block[];
}

/** Shows each item, but of many that are alike the first, with the number and some names of the others. */
export function showFirstOfAlike<T>(
  items: readonly T[],
  { keyOf, nameOf, blocksOf, after = [] }: AlikeItems<T>,
): Block[] {
  return groupAlike(items, keyOf).flatMap(([first, ...others]) => {
    const blocks = first === undefined ? [] : blocksOf(first);
    if (others.length === 0) return [...blocks, ...after];
    const names = joinNames(others.map(nameOf), MAX_GROUP_NAMES);
    return [...blocks, ...styledLines('faint', [`${formatCount(others.length)} more like it: ${names}`]), ...after];
  });
}

/** How items that are alike become one. */
interface MergedItems<T, B> {
  /** What items that are alike have in common. */
  readonly keyOf: (item: T) => string;

  /** What those have in common that are alike in no more than that. */
  readonly kindOf: (item: T) => string;
  readonly one: (item: T) => B;

  /** @param isAlike whether they have their key in common, or else only their kind */
  readonly several: (items: readonly [T, ...T[]], isAlike: boolean) => B;
}

/**
 * Shows each item, but of many one for all that are alike. Where there are still too many, the largest groups are
 * shown, and one for all others of a kind.
 */
export function mergeAlike<T, B>(items: readonly T[], { keyOf, kindOf, one, several }: MergedItems<T, B>): B[] {
  const groups = groupAlike(items, keyOf);
  const isShort = groups.length <= MAX_SINGLE_ITEMS;
  const large = groups.filter(({ length }) => length >= MIN_GROUP).sort((a, b) => b.length - a.length);
  const kept = new Set(isShort ? groups : large.slice(0, MAX_SINGLE_ITEMS));
  const rest = groups.filter((group) => !kept.has(group)).flat();
  const show = ([first, ...others]: readonly T[], isAlike: boolean): B[] => {
    if (first === undefined) return [];
    return [others.length === 0 ? one(first) : several([first, ...others], isAlike)];
  };
  return [
    ...groups.filter((group) => kept.has(group)).flatMap((group) => show(group, true)),
    ...[...groupBy(rest, kindOf).values()].flatMap((group) => show(group, false)),
  ];
}

/** `us, eu`, `997 clusters`: where items are. */
export function nameClusters(clusters: readonly string[]): string {
  const names = sortUnique(clusters);
  return names.length > MAX_GROUP_NAMES ? pluralize(names.length, 'cluster') : joinNames(names);
}
