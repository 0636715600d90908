import { formatCount } from '../../base/figures';
import { groupBy, sortedBy } from '../../base/order';
import { joinNames } from '../../base/text';
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
