import type { z } from 'zod';
import type { Finding } from '../resource';

/** One rule over one value. Paths of its findings start at that value. */
export type Rule<T> = (value: T) => Iterable<Finding>;

/**
 * Turns rules into a zod check, so that they stand next to the fields they are about.
 * They run when every field below has the right type; every rule then reports.
 *
 * @example
 * fields({ min: z.int(), max: z.int() }).check(rules(minIsAtMostMax));
 */
export function rules<T>(...all: readonly Rule<T>[]): z.core.CheckFn<T> {
  return (payload) => {
    for (const rule of all) {
      for (const finding of rule(payload.value)) {
        payload.issues.push({
          code: 'custom',
          input: payload.value,
          path: [...finding.path],
          params: { finding },
          continue: true,
        });
      }
    }
  };
}
