import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/describe-value';
import { parseQuantity } from '../../cel/values/quantity';
import { findQuantityFault } from './quantity-faults';
import { rules } from './rules';

/** Creates the schema of a whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodInt {
  return z.int().min(min).max(max);
}

/**
 * Creates the schema of a Kubernetes quantity as text: `80Gi`, `500m`.
 *
 * @param least the least amount in bytes, for a quantity that counts bytes: smaller ones without a unit are rejected
 */
export function quantity(maxLength: number, least?: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .check(
      rules(function* good(value: string) {
        const fault = findQuantityFault(value, { least });
        if (fault) yield errorAt('bad-quantity', [], fault.what, fault.hint);
      }),
    );
}

/**
 * Lets the schema of a text take a number too, which stands for its text. A conversion before the schema would do as
 * much, but fields around a conversion have no default in JSON Schema.
 */
function takeNumbers(text: z.ZodString): z.ZodType<string, string | number> {
  const { run, constr } = text._zod;
  const taking = text.meta({ type: ['string', 'number'] });
  taking._zod.run = (payload, context) => {
    const given: unknown = payload.value;
    return run(typeof given === 'number' ? Object.assign(payload, { value: String(given) }) : payload, context);
  };
  // Checks and descriptions are added to copies.
  taking._zod.constr = function copy(def: typeof text._zod.def) {
    return takeNumbers(new constr(def) as z.ZodString);
  } as unknown as typeof constr;
  return taking;
}

/**
 * The schema of a quantity that need not count bytes: `500m`, `16`. A number stands for its text, as on a Kubernetes API
 * server.
 */
export const amount = takeNumbers(quantity(32));

/** The schema of such a quantity that is a whole number: `4Gi`, `1`. */
export const wholeAmount = amount.check(
  rules(function* whole(value: string) {
    // The schema of quantities reports other faults.
    if (findQuantityFault(value, {}) || Number.isSafeInteger(parseQuantity(value).asApproximateFloat())) return;
    const what = `'${shortenText(value)}' is not a whole number below 8Pi`;
    yield errorAt('bad-quantity', [], what, "Use a whole number with a unit, as in '4Gi'");
  }),
);

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
