import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import type { PriceRow, StorageRow } from '../catalog/row-types';
import { fields, withDefault } from './schema/fields';
import { rules, type SchemaRule } from './schema/rules';
import { date, nonEmptyText, stringFormat } from './schema/string-formats';

export const currency = stringFormat({
  noun: 'a currency',
  code: 'bad-name',
  pattern: /^[A-Z]{3}$/,
  max: 3,
  hint: "Write the three letters of ISO 4217, as in 'USD'",
});

const hasSomePrice: SchemaRule<Pick<PriceRow, 'perHour' | 'spotPerHour'>> = function* ({ perHour, spotPerHour }) {
  if (perHour !== undefined || spotPerHour !== undefined) return;
  const hint = 'Set perHour, spotPerHour or both; a price that nobody knows needs no row';
  yield errorAt('missing-field', [], 'the row has no price', hint);
};

const priceRow = fields({
  instanceType: nonEmptyText(128).describe('The name of an instance type of the catalogue: aws/p5.48xlarge.'),
  region: nonEmptyText(63).optional().describe('The region in which it holds. Default: all.'),
  perHour: z.number().min(0).optional().describe('What a node costs an hour. Default: unknown.'),
  spotPerHour: z.number().min(0).optional().describe('What it costs on spot. Default: unknown.'),
  source: nonEmptyText(253).describe('Where the price comes from: invoice 2026-10.'),
  asOf: date.describe('The day of the price: 2026-10-31.'),
  secondHand: z
    .array(nonEmptyText(63))
    .readonly()
    .optional()
    .describe('The fields that the source does not state itself.'),
}).check(rules(hasSomePrice)) satisfies z.ZodType<PriceRow>;

const discount = fields({
  name: nonEmptyText(63).describe('What it is called: three-year commitment.'),
  kind: z
    .enum(['Committed', 'Negotiated'])
    .describe('Committed: for a commitment, not on spot. Negotiated: on every price of the list.'),
  factor: z.number().gt(0).max(1).describe('What is left of the price: 0.62.'),
  instanceTypes: z
    .array(nonEmptyText(128))
    .default([])
    .describe("Instance types, '*' at the end for all that start so: aws/p5.*. Default: all."),
  regions: z.array(nonEmptyText(63)).default([]).describe('Regions. Default: all.'),
});

/** A discount: a factor on list prices of the catalogue. */
export type Discount = z.output<typeof discount>;

const storageRow = fields({
  fileSystem: nonEmptyText(253).describe(
    "What makes the volumes of caches: EFS, Filestore (enterprise) or another as a plan names it; or a cluster's storage class.",
  ),
  region: nonEmptyText(63).optional().describe('The region in which it holds. Default: all.'),
  perGiBMonth: z.number().min(0).describe('What a GiB costs a month.'),
  source: nonEmptyText(253).describe('Where the price comes from: invoice 2026-10.'),
  asOf: date.describe('The day of the price: 2026-10-31.'),
}) satisfies z.ZodType<StorageRow>;

/** The schema of the file that `Fleet.spec.prices` names, with the prices that the user pays. */
export const priceFile = fields({
  currency: withDefault(currency, 'USD', 'The currency of the fleet. Prices of the catalogue are in USD.'),
  prices: z
    .array(priceRow)
    .max(10_000)
    .default([])
    .describe('What is really paid. Discounts do not lower these. Default: none.'),
  discounts: z
    .array(discount)
    .max(100)
    .default([])
    .describe('Factors on prices of the catalogue; those that apply multiply. Default: none.'),
  storage: z
    .array(storageRow)
    .max(1000)
    .default([])
    .describe('What the volumes of caches cost. The catalogue knows EFS in us-east-1. Default: none.'),
}).describe('What nodes and storage really cost.');

export type PriceFile = z.output<typeof priceFile>;
