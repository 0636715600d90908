import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { parseQuantity } from '../cel/values/quantity';
import { fields } from './schema/fields';
import { wholeAmount } from './schema/quantity';
import { rules, type SchemaRule } from './schema/rules';

const validRange = fields({
  min: wholeAmount.describe('The least amount. Smaller requests are raised to it.'),
  max: wholeAmount.optional().describe('The most that one request gets. Default: all.'),
  step: wholeAmount.optional().describe('Requests are raised to a multiple of it above min. Default: none.'),
});

/** How a driver rounds what requests ask of a capacity, as in a ResourceSlice. */
export interface RequestPolicy {
  readonly default?: string | undefined;
  readonly validValues?: readonly string[] | undefined;
  readonly validRange?: z.output<typeof validRange> | undefined;
}

/** Kubernetes' limit for the values of a policy. */
const MOST_VALUES = 10;

const goodPolicy: SchemaRule<RequestPolicy> = function* ({ default: standard, validValues, validRange }) {
  if (validValues && validRange) {
    const what = 'the policy has both validValues and validRange';
    yield errorAt('not-exactly-one', ['validValues'], what, 'Keep the one that the driver publishes');
  }
  if (standard === undefined && (validValues ?? validRange) !== undefined) {
    yield errorAt('missing-field', ['default'], "the field 'default' is missing", 'Kubernetes requires it');
  }
  if (validRange?.step !== undefined && numberOf(validRange.step) === 0) {
    yield errorAt('out-of-bounds', ['validRange', 'step'], 'a step must be greater than 0', 'Remove it');
  }
  for (const [v, value] of (validValues ?? []).entries()) {
    if (v === 0 || numberOf(value) > numberOf(validValues?.[v - 1] ?? '0')) continue;
    const what = `'${value}' is not greater than the value before it`;
    yield errorAt('out-of-bounds', ['validValues', v], what, 'List the values in ascending order');
  }
};

/** The schema of the policy of a capacity. */
export const requestPolicy = fields({
  default: wholeAmount.optional().describe('The amount that a request takes that does not state one.'),
  validValues: z
    .array(wholeAmount)
    .min(1)
    .max(MOST_VALUES)
    .readonly()
    .optional()
    .describe('The amounts that requests can take, ascending. Requests are raised to the next.'),
  validRange: validRange.optional().describe('The range of amounts that requests can take.'),
})
  .check(rules(goodPolicy))
  .describe('How the driver rounds requests for the capacity, as it publishes it. Default: not at all.');

function numberOf(quantity: string): number {
  return parseQuantity(quantity).asApproximateFloat();
}

interface SharedDevice {
  readonly claim: string;
  readonly allowMultipleAllocations?: boolean | undefined;
  readonly capacity: Readonly<Record<string, { readonly value: string; readonly requestPolicy?: unknown }>>;
}

/** Checks that a device that pods share has capacities to share, in whole numbers. */
export const sharedCapacity: SchemaRule<SharedDevice> = function* ({ claim, allowMultipleAllocations, capacity }) {
  const ruled = Object.keys(capacity).find((name) => capacity[name]?.requestPolicy !== undefined);
  if (!allowMultipleAllocations && ruled !== undefined) {
    const what = 'a device that pods do not share has no policy for requests';
    const hint = "Set 'allowMultipleAllocations: true', as the driver publishes it, or remove the policy";
    yield errorAt('contradiction', ['capacity', ruled, 'requestPolicy'], what, hint);
  }
  if (!allowMultipleAllocations) return;
  if (claim !== 'DRA') {
    const what = `a device with claim ${claim} is not claimed, so pods cannot share it`;
    yield errorAt('contradiction', ['allowMultipleAllocations'], what, 'Remove it');
  }
  for (const [name, { value }] of Object.entries(capacity)) {
    if (Number.isSafeInteger(numberOf(value))) continue;
    const what = `'${value}' of a shared device is not a whole number`;
    yield errorAt('bad-quantity', ['capacity', name, 'value'], what, 'Use whole numbers');
  }
  if (Object.keys(capacity).length > 0) return;
  const what = 'pods cannot share a device without capacity';
  const hint = 'Declare the capacities that its driver publishes, or remove allowMultipleAllocations';
  yield errorAt('contradiction', ['allowMultipleAllocations'], what, hint);
};
