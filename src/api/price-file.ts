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
  hint: "Use three letters of ISO 4217, as in 'USD'",
});

const hasSomePrice: SchemaRule<Pick<PriceRow, 'perHour' | 'spotPerHour'>> = function* ({ perHour, spotPerHour }) {
  if (perHour !== undefined || spotPerHour !== undefined) return;
  const hint = 'Set perHour, spotPerHour or both, or remove the row';
  yield errorAt('missing-field', [], 'the row has no price', hint);
};

const priceRow = fields({
  instanceType: nonEmptyText(128).describe('The name of an instance type of the catalog: aws/p5.48xlarge.'),
  region: nonEmptyText(63).optional().describe('The region of the price. Default: all regions.'),
  perHour: z.number().min(0).optional().describe('The price of a node for an hour. Default: unknown.'),
  spotPerHour: z.number().min(0).optional().describe('The price of spot capacity. Default: unknown.'),
  source: nonEmptyText(253).describe('The source of the price: invoice 2026-10.'),
  asOf: date.describe('The day of the price: 2026-10-31.'),
  secondHand: z
    .array(nonEmptyText(63))
    .readonly()
    .optional()
    .describe('The fields that the source does not state, and that are inferred.'),
}).check(rules(hasSomePrice)) satisfies z.ZodType<PriceRow>;

const discount = fields({
  name: nonEmptyText(63).describe('The name of the discount: three-year commitment.'),
  kind: z
    .enum(['Committed', 'Negotiated'])
    .describe('Committed: for a commitment; does not apply to spot. Negotiated: applies to all list prices.'),
  factor: z.number().gt(0).max(1).describe('The factor of the price: 0.62 for 38 % less.'),
  instanceTypes: z
    .array(nonEmptyText(128))
    .default([])
    .describe('Instance types, or prefixes with * at the end: aws/p5.*. Default: all.'),
  regions: z.array(nonEmptyText(63)).default([]).describe('Regions. Default: all.'),
});

/** A discount: a factor on list prices of the catalog. */
export type Discount = z.output<typeof discount>;

const storageRow = fields({
  fileSystem: nonEmptyText(253).describe(
    'The file system of the volumes of caches, as plans name it: EFS, Filestore (enterprise); or a storage class of a cluster.',
  ),
  region: nonEmptyText(63).optional().describe('The region of the price. Default: all regions.'),
  perGiBMonth: z.number().min(0).describe('The price of a GiB for a month.'),
  source: nonEmptyText(253).describe('The source of the price: invoice 2026-10.'),
  asOf: date.describe('The day of the price: 2026-10-31.'),
}) satisfies z.ZodType<StorageRow>;

/** The schema of the file that `Fleet.spec.prices` names, with the prices that the user pays. */
export const priceFile = fields({
  currency: withDefault(currency, 'USD', 'The currency of the fleet. Prices of the catalog are in USD.'),
  prices: z
    .array(priceRow)
    .max(10_000)
    .default([])
    .describe('Actual prices of nodes. Discounts do not apply to them. Default: none.'),
  discounts: z
    .array(discount)
    .max(100)
    .default([])
    .describe(
      'Discounts on prices of the catalog. Discounts that apply to the same price are multiplied. Default: none.',
    ),
  storage: z
    .array(storageRow)
    .max(1000)
    .default([])
    .describe('Prices of the volumes of caches. The catalog has the price of EFS in us-east-1. Default: none.'),
}).describe('Actual prices of nodes and storage.');

export type PriceFile = z.output<typeof priceFile>;
