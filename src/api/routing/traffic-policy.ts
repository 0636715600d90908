import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { shortenText } from '../../base/describe-value';
import { isQuantity } from '../../cel/values/quantity';
import { fields, sameHint, withDefault } from '../schema/fields';
import { duration, integer, quantity } from '../schema/quantity';
import { LEAST_FILE_SIZE } from '../schema/quantity-faults';
import { rules, type SchemaRule } from '../schema/rules';
import { stringFormat } from '../schema/string-formats';

/** Envoy Gateway allows 16 rules for a route. With JWT authentication, a limit by key takes two of them. */
const MOST_LIMITS = 8;

export const rateLimits = z
  .array(
    fields(
      {
        requests: integer(1, 1_000_000).describe('The number of requests.'),
        per: withDefault(z.enum(['Second', 'Minute', 'Hour']), 'Minute', 'The period.'),
        by: withDefault(z.enum(['Key', 'Service']), 'Key', 'Key: for each client. Service: for all clients together.'),
      },
      {
        ...sameHint(['rpm', 'requestsPerMinute', 'limit'], "Use 'requests', as in 'requests: 100, per: Minute'"),
        ...sameHint(
          ['rps', 'requestsPerSecond', 'requestsPerUnit'],
          "Use 'requests', as in 'requests: 10, per: Second'",
        ),
        unit: "Use 'per': Second, Minute or Hour",
      },
    ),
  )
  .max(MOST_LIMITS);

/** The timeouts of requests. Omitted fields default to those of the gateway, then to those in the descriptions. */
export const timeouts = fields({
  request: duration
    .optional()
    .describe('The time from the request to the end of the answer. Default: no limit, because answers can take long.'),
  idle: duration.optional().describe('The time without a byte in either direction. Default: 1h.'),
  connect: duration.optional().describe('The time to establish a connection. Default: 5s.'),
});

export type DeclaredTimeouts = z.output<typeof timeouts>;

/** The schema of the size of a request body: `32Mi`. */
export const bodySize = quantity(16, LEAST_FILE_SIZE).check(
  rules(function* wholeBytes(value: string) {
    if (!isQuantity(value) || /^[1-9]\d{0,9}(Ki|Mi|Gi|k|M|G)?$/.test(value)) return;
    const hint = "Use a whole number with a unit, as in '32Mi'";
    yield errorAt('bad-quantity', [], `'${value}' is not a size`, hint);
  }),
);

const NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;
const MAX_NAME_LENGTH = 256;
const MAX_VALUE_LENGTH = 4096;
const HINT = "Use letters, digits and '-', as in 'x-session'";

/** The schema of the name of an HTTP header. Names are case-insensitive. */
export const headerName = stringFormat({
  noun: 'the name of a header',
  code: 'bad-header',
  pattern: NAME,
  max: MAX_NAME_LENGTH,
  hint: HINT,
});

const validHeaders: SchemaRule<Readonly<Record<string, string>>> = function* (headers) {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
      const what = `'${shortenText(name)}' is not the name of a header`;
      yield errorAt('bad-header', [name], what, HINT);
    } else if (seen.has(name.toLowerCase())) {
      const what = `the header '${name}' is listed twice: names of headers are case-insensitive`;
      yield errorAt('duplicate-name', [name], what, 'Remove one of the two');
    } else if (value === '' || value.length > MAX_VALUE_LENGTH) {
      const what = `a header has a value of 1 to ${MAX_VALUE_LENGTH} characters`;
      yield errorAt('bad-header', [name], what, 'Set it to the value of the header in requests');
    }
    seen.add(name.toLowerCase());
  }
};

/** The schema of headers, by name, that a request must have with exactly the given values. At most 16. */
export const exactHeaders = z.record(z.string(), z.string()).check(rules(validHeaders, checkHeaderCount));

const MOST_HEADERS = 16;

function* checkHeaderCount(headers: Readonly<Record<string, string>>) {
  const { length } = Object.keys(headers);
  if (length >= 1 && length <= MOST_HEADERS) return;
  const what = `a match has 1 to ${MOST_HEADERS} headers, not ${length}`;
  yield errorAt('out-of-bounds', [], what, 'List the headers that select this entry');
}

export const externalEndpoints = z.enum(['Allowed', 'Forbidden']).default('Allowed');
