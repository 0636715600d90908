import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { SLO_QUANTILES, type SloQuantile } from './latency-bounds';
import type { Path } from './resource';
import { fields } from './schema/fields';
import { rules } from './schema/rules';
import { stringFormat } from './schema/string-formats';

const bound = stringFormat({
  noun: 'a latency',
  code: 'bad-duration',
  pattern: /^(?=.*[1-9])\d{1,6}(?:\.\d{1,3})?(?:ms|s)$/,
  max: 16,
  hint: "Write milliseconds or seconds, as in '500ms' or '2.5s'",
});

function* oneQuantile(bounds: Readonly<Partial<Record<SloQuantile, string | undefined>>>): Iterable<Diagnostic<Path>> {
  if (SLO_QUANTILES.some((quantile) => bounds[quantile] !== undefined)) return;
  yield errorAt('missing-field', [], 'a bound is missing', `Set one of ${SLO_QUANTILES.join(', ')}`);
}

const latency = fields({
  p90: bound.optional().describe('The bound that 90 % of requests keep: 500ms. Default: - none.'),
  p95: bound.optional().describe('The bound that 95 % of requests keep: 1s. Default: - none.'),
  p99: bound.optional().describe('The bound that 99 % of requests keep: 2.5s. Default: - none.'),
}).check(rules(oneQuantile));

function* oneObjective(slo: Readonly<Record<string, unknown>>): Iterable<Diagnostic<Path>> {
  if (Object.values(slo).some((objective) => objective !== undefined)) return;
  const hint = 'Set ttft, interTokenLatency, endToEndLatency or availability, or remove slo';
  yield errorAt('missing-field', [], 'it guarantees nothing', hint);
}

/** The schema of what a service guarantees its clients. */
export const slo = fields({
  ttft: latency
    .optional()
    .describe('The time to the first token. Each bound has to be one that its engines count at. Default: - no bound.'),
  interTokenLatency: latency
    .optional()
    .describe('The time between two tokens. Each bound has to be one that its engines count at. Default: - no bound.'),
  endToEndLatency: latency
    .optional()
    .describe('The time of a request. Each bound has to be one that its engines count at. Default: - no bound.'),
  availability: z
    .number()
    .min(50)
    .max(99.999)
    .optional()
    .describe('The percentage of requests without an error of the server: 99.5. Default: - none.'),
}).check(rules(oneObjective));

export type Slo = z.output<typeof slo>;
