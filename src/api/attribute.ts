import { z } from 'zod';
import { isSemver } from '../cel/semver';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import { exactlyOne } from './shared/exactly-one';
import { quantity } from './shared/quantity';
import { shortened, shown } from './wording';

const goodVersion: Rule<string> = function* (value) {
  if (isSemver(value)) return;
  yield {
    code: 'bad-version',
    path: [],
    what: `'${shortened(value)}' is not a semantic version`,
    hint: "Write three numbers, as in '9.0.0', or use a string",
  };
};

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const int64: Rule<unknown> = function* (value) {
  const whole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!whole) {
    yield { code: 'wrong-type', path: [], what: `expected a whole number, got ${shown(value)}` };
  } else if (BigInt(value) < INT64.min || BigInt(value) > INT64.max) {
    yield { code: 'out-of-bounds', path: [], what: `${value} does not fit into 64 bits` };
  }
};

/** The value of an attribute, in the one form that it has. */
export type Attribute =
  | { readonly string: string }
  | { readonly version: string }
  | { readonly bool: boolean }
  | { readonly int: number | bigint };

/** An attribute of a device, as in a ResourceSlice: exactly one form of value. */
export const attribute = fields({
  string: z.string().max(253).optional().describe('Text.'),
  version: z.string().max(32).check(rules(goodVersion)).optional().describe('A semantic version: 9.0.0.'),
  bool: z.boolean().optional().describe('True or false.'),
  int: z
    .custom<number | bigint>(() => true)
    .check(rules(int64))
    .meta({ type: 'integer' })
    .optional()
    .describe('A whole number of 64 bits.'),
})
  .check(rules(exactlyOne('the attribute', ['string', 'version', 'bool', 'int'])))
  .transform((value) => value as Attribute);

/** A capacity of a device. */
export const capacity = fields({ value: quantity(32).describe('A Kubernetes quantity: 81559Mi.') });
