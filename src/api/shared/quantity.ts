import { z } from 'zod';
import { isQuantity } from '../../cel/quantity';
import { rules } from '../reading/rule';
import { shortened } from '../wording';

/** A Kubernetes quantity as text: `80Gi`, `500m`. */
export function quantity(maxLength: number): z.ZodString {
  return z
    .string()
    .max(maxLength)
    .check(
      rules(function* good(value: string) {
        if (isQuantity(value)) return;
        yield {
          code: 'bad-quantity',
          path: [],
          what: `'${shortened(value)}' is not a quantity`,
          hint: "Write a number and an optional unit without a space, as in '80Gi'",
        };
      }),
    );
}
