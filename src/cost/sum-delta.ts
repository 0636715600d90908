import { difference, type Sum, sumOf } from './sum';

/** Unknown where a side has parts without a price, unless there are as many on both, which are taken for the same. */
export function sumDelta(before: Sum, after: Sum): Sum {
  return before.unknown === after.unknown ? sumOf([difference(before, after)]) : { unknown: 1 };
}

/** Whether two amounts are the same, whatever the day of their prices. */
export function isSame(a: Sum, b: Sum): boolean {
  return a.perHour === b.perHour && a.unknown === b.unknown;
}
