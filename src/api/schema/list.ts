import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { duplicatesOf } from '../../base/keyed-lists';
import { rules } from './rules';

/**
 * Creates a check that no two items of a list have the same key.
 *
 * @param noun the noun for the key in messages: `the name`
 */
export function checkDistinct<T>(keyOf: (item: T) => string, noun: string, field?: string): z.core.CheckFn<T[]> {
  return rules(function* noDuplicates(items: T[]) {
    for (const { key, index, first } of duplicatesOf(items, keyOf)) {
      const what = `${noun} '${key}' is listed twice, first as item ${first + 1}`;
      yield errorAt('duplicate-name', field ? [index, field] : [index], what, 'Rename or remove one of the two');
    }
  });
}

/** Creates the schema of a list whose items have distinct names. */
export function namedList<T extends z.ZodType<{ readonly name: string }>>(
  item: T,
  { min = 0, max = Infinity } = {},
): z.ZodArray<T> {
  const list = z.array(item).check(checkDistinct((value: { readonly name: string }) => value.name, 'the name', 'name'));
  const bounded = min > 0 ? list.min(min) : list;
  return max < Infinity ? bounded.max(max) : bounded;
}
