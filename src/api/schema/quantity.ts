import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/describe-value';
import { isQuantity } from '../../cel/values/quantity';
import { rules } from './rules';

/** Creates the schema of a whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodInt {
  return z.int().min(min).max(max);
}

/** Creates the schema of a Kubernetes quantity as text: `80Gi`, `500m`. */
export function quantity(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .check(
      rules(function* good(value: string) {
        if (isQuantity(value)) return;
        const hint = "Write a number and an optional unit without a space, as in '80Gi'";
        yield errorAt('bad-quantity', [], `'${shortenText(value)}' is not a quantity`, hint);
      }),
    );
}

const FORM = /^(?=.)(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?$/;

/** The schema of a duration in Go's notation, in whole seconds: `90s`, `30m`, `1h30m`. */
export const duration = z
  .string()
  .max(32)
  .check(
    rules(function* good(value: string) {
      if (FORM.test(value)) return;
      const hint = "Write hours, minutes and seconds, as in '90s', '30m' or '1h30m'";
      yield errorAt('bad-duration', [], `'${shortenText(value)}' is not a duration`, hint);
    }),
  );
