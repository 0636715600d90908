import { Optional, type RegisteredFunctionHandler } from 'cel-js';
import { entriesOf, equals } from './values';

/** The receiver of functions that make lists: `lists.range(3)`. */
export class ListsNamespace {
  readonly name = 'lists';
}

/** The receiver of functions that take lists for sets: `sets.contains([1, 2], [1])`. */
export class SetsNamespace {
  readonly name = 'sets';
}

type List = readonly unknown[];

const MOST_ELEMENTS = 1_000_000n;
const INT64_MAX = 2n ** 63n - 1n;

/** Functions on lists, as sets, and on optionals that the library does not have, by signature. */
export const LISTS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'list<A>.isSorted(): bool': (list: List) =>
    list.every((value, i) => compare(i === 0 ? value : list[i - 1], value) <= 0),
  'list<A>.sum(): A': sum,
  'list<A>.min(): A': (list: List) => best(list, -1),
  'list<A>.max(): A': (list: List) => best(list, 1),
  'list<A>.IndexOf(dyn): int': (list: List, value: unknown) =>
    BigInt(list.findIndex((item) => equals(item, value))),
  'list<A>.LastIndexOf(dyn): int': (list: List, value: unknown) =>
    BigInt(list.findLastIndex((item) => equals(item, value))),
  'list<A>.slice(int, int): list<A>': slice,
  'list<A>.distinct(): list<A>': (list: List) =>
    list.filter((value, i) => list.findIndex((item) => equals(item, value)) === i),
  'list<A>.sort(): list<A>': (list: List) => [...list].sort(compare),
  'list<A>.reverse(): list<A>': (list: List) => [...list].reverse(),
  'list<list<A>>.flatten(): list<A>': (list: List) => list.flat(),
  'list.flatten(int): list<dyn>': (list: List, depth: bigint) => list.flat(Number(depth)),
  'ListsNamespace.range(int): list<int>': (_: ListsNamespace, count: bigint) => range(count),
  'SetsNamespace.contains(list<A>, list<A>): bool': (_: SetsNamespace, a: List, b: List) => contains(a, b),
  'SetsNamespace.intersects(list<A>, list<A>): bool': (_: SetsNamespace, a: List, b: List) =>
    b.some((value) => contains(a, [value])),
  'SetsNamespace.equivalent(list<A>, list<A>): bool': (_: SetsNamespace, a: List, b: List) =>
    contains(a, b) && contains(b, a),
  'OptionalNamespace.ofNonZeroValue(A): optional<A>': (_: unknown, value: unknown) =>
    isZero(value) ? Optional.none() : Optional.of(value),
};

function contains(list: List, sublist: List): boolean {
  return sublist.every((value) => list.some((item) => equals(item, value)));
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !value || entriesOf(value)?.length === 0;
}

/** Orders two values of one type. Throws for types that CEL does not order. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  throw new Error('the elements of the list have no order');
}

function best(list: List, direction: 1 | -1): unknown {
  if (list.length === 0) throw new Error('an empty list has no smallest or largest element');
  return list.reduce((found, value) => (compare(value, found) * direction > 0 ? value : found));
}

function sum(list: List): unknown {
  const [first = 0n, ...rest] = list;
  return rest.reduce((total, value) => {
    if (typeof total === 'number' && typeof value === 'number') return total + value;
    if (typeof total !== 'bigint' || typeof value !== 'bigint')
      throw new Error('the elements are no numbers');
    const next = total + value;
    if (next > INT64_MAX || next < -INT64_MAX - 1n) throw new Error('integer overflow');
    return next;
  }, first);
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < start || end > list.length)
    throw new Error(`index out of range: ${start} to ${end}`);
  return list.slice(Number(start), Number(end));
}

function range(count: bigint): bigint[] {
  if (count > MOST_ELEMENTS) throw new Error(`the list would have ${count} elements`);
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i));
}
