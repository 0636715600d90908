import { Optional, type RegisteredFunctionHandler } from 'cel-js';
import { equals, isGreater, requireComparable, sortByKey } from '../values/comparison';
import { entriesOf, kindOf, numberOf } from '../values/kinds';
import { toInt64, toUint64 } from './conversions';

type List = readonly unknown[];

const MOST_ELEMENTS = 1_000_000n;

/** Functions on lists, sets and optionals that the library lacks, by signature. */
export const LIST_FUNCTIONS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'list<A>.isSorted(): bool': (list: List) =>
    requireComparable(list).every((value, i) => i === 0 || !isGreater(list[i - 1], value)),
  'list<A>.sum(): A': sum,
  'list<A>.min(): A': (list: List) => findExtreme(list, (value, found) => isGreater(found, value)),
  'list<A>.max(): A': (list: List) => findExtreme(list, (value, found) => isGreater(value, found)),
  'list<A>.IndexOf(dyn): int': (list: List, value: unknown) => BigInt(list.findIndex((item) => equals(item, value))),
  'list<A>.LastIndexOf(dyn): int': (list: List, value: unknown) =>
    BigInt(list.findLastIndex((item) => equals(item, value))),
  'list<A>.slice(int, int): list<A>': slice,
  'list<A>.distinct(): list<A>': (list: List) =>
    list.filter((value, i) => list.findIndex((item) => equals(item, value)) === i),
  'list<A>.sort(): list<A>': (list: List) => sortByKey(list, (value) => value),
  'list<A>.reverse(): list<A>': (list: List) => [...list].reverse(),
  'list<list<A>>.flatten(): list<A>': (list: List) => list.flat(),
  'list.flatten(int): list<dyn>': (list: List, depth: bigint) => list.flat(Number(depth)),
  'ListsNamespace.range(int): list<int>': (_: unknown, count: bigint) => range(count),
  ...createSetFunctions('list<A>'),
  'OptionalNamespace.ofNonZeroValue(A): optional<A>': (_: unknown, value: unknown) =>
    isZero(value) ? Optional.none() : Optional.of(value),
};

/** The set functions for lists whose element types are known to differ only during evaluation. */
export const MIXED_SET_FUNCTIONS = createSetFunctions('list');

function createSetFunctions(type: string): Readonly<Record<string, RegisteredFunctionHandler>> {
  const functions: Readonly<Record<string, (a: List, b: List) => boolean>> = {
    contains,
    intersects: (a, b) => b.some((value) => contains(a, [value])),
    equivalent: (a, b) => contains(a, b) && contains(b, a),
  };
  return Object.fromEntries(
    Object.entries(functions).map(([name, test]) => [
      `SetsNamespace.${name}(${type}, ${type}): bool`,
      (_: unknown, a: List, b: List) => test(a, b),
    ]),
  );
}

function contains(list: List, sublist: List): boolean {
  return sublist.every((value) => list.some((item) => equals(item, value)));
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !value || entriesOf(value)?.length === 0;
}

function findExtreme(list: List, better: (value: unknown, found: unknown) => boolean): unknown {
  if (list.length === 0) throw new Error('an empty list has no smallest or largest element');
  return requireComparable(list).reduce((found, value) => (better(value, found) ? value : found));
}

function sum(list: List): unknown {
  const [first = 0n, ...rest] = list;
  if (kindOf(first) === 'duration') return rest.reduce(addDurations, first);
  if (numberOf(first) === undefined) throw new Error('the elements are not numbers');
  return rest.reduce((total, value) => {
    if (typeof total === 'number' && typeof value === 'number') return total + value;
    const [x, y] = [numberOf(total), numberOf(value)];
    if (typeof x !== 'bigint' || typeof y !== 'bigint' || typeof total !== typeof value)
      throw new Error('the elements are not numbers');
    return typeof total === 'bigint' ? toInt64(x + y) : toUint64(x + y);
  }, first);
}

/** The library does not export its class of durations. */
function addDurations(total: unknown, value: unknown): unknown {
  if (kindOf(value) !== 'duration') throw new Error('the elements are not durations');
  return (total as { addDuration(other: unknown): unknown }).addDuration(value);
}

function slice(list: List, start: bigint, end: bigint): List {
  if (start < 0n || end < start || end > list.length) throw new Error(`index out of range: ${start} to ${end}`);
  return list.slice(Number(start), Number(end));
}

function range(count: bigint): bigint[] {
  if (count > MOST_ELEMENTS) throw new Error(`the list would have ${count} elements`);
  return Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i));
}
