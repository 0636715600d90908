import { z } from 'zod';
import { readWhere, type Where } from '../select/where';
import type { WhereValue } from '../select/where-value';
import { type Rule, rules } from './reading/rule';
import { typeOf } from './wording';

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const scalarOrList: Rule<unknown> = function* (value) {
  if (isValue(value)) return;
  const what = `expected a value or a list of texts, got ${typeOf(value)}`;
  yield { code: 'wrong-type', path: [], what, hint: "Write Hopper, [Hopper, Blackwell] or '>= 79Gi'" };
};

const value = z
  .custom<WhereValue>(() => true)
  .check(rules(scalarOrList))
  .meta({ type: ['string', 'number', 'boolean', 'array'], items: { type: 'string' } });

const sound: Rule<Where> = function* (form) {
  if (!Object.values(form).every(isValue)) return;
  const reading = readWhere(form);
  if ('findings' in reading) yield* reading.findings;
};

/** The short form of a selector. */
export const where = z
  .record(z.string(), value)
  .check(rules(sound))
  .describe(
    'What a device must be, by the names that its driver publishes: architecture: Hopper, memory: ">= 79Gi", supports: FP8. Of gpu.nvidia.com, unless driver says another. Default: - see selectors.',
  );
