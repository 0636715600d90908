import { z } from 'zod';
import { isQuantity } from '../../cel/quantity';
import { fields } from '../reading/fields';
import { duration } from '../shared/duration';
import { quantity } from '../shared/quantity';
import { rules } from '../reading/rule';

/** Envoy Gateway takes 16 rules of a route, and where tokens are asked for a limit by key is two of them. */
const MOST_LIMITS = 8;

/** How many requests a client, or a service, may send. */
export const rateLimits = z
  .array(
    fields({
      requests: z.int().min(1).max(1_000_000).describe('The most requests.'),
      per: z.enum(['Second', 'Minute', 'Hour']).default('Minute').describe('In which time. Default: Minute.'),
      by: z
        .enum(['Key', 'Service'])
        .default('Key')
        .describe('Key: counted for each client. Service: for all of them together. Default: Key.'),
    }),
  )
  .max(MOST_LIMITS);

/** Times of requests. What is left out is what the gateway has, then what is written here. */
export const timeouts = fields({
  request: duration
    .optional()
    .describe('From the request to the end of the answer. Default: no limit, for long answers.'),
  idle: duration.optional().describe('Without a byte in either direction. Default: 1h.'),
  connect: duration.optional().describe('Until a connection stands. Default: 5s.'),
});

/** Times of requests, as written. */
export type DeclaredTimeouts = z.output<typeof timeouts>;

/** The size of the body of a request: `32Mi`. */
export const bodySize = quantity(16).check(
  rules(function* whole(value: string) {
    if (!isQuantity(value) || /^[1-9]\d{0,9}(Ki|Mi|Gi|k|M|G)?$/.test(value)) return;
    yield {
      code: 'bad-quantity',
      path: [],
      what: `'${value}' is not the size of a body`,
      hint: "Write a whole number of bytes with a unit, as in '32Mi'",
    };
  }),
);
