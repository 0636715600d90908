import { z } from 'zod';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { type Rule, rules } from './reading/rule';
import { BOTH_GROUPS, type ResourceOf } from './resource';

/** The address itself is never shown: it may carry a password. */
const isHttpUrl: Rule<string> = function* (value) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    yield {
      code: 'bad-url',
      path: [],
      what: 'this is not an HTTP address',
      hint: "Write it as in 'https://api.example.com'",
    };
  } else if (url.username || url.password) {
    yield {
      code: 'bad-url',
      path: [],
      what: 'the address holds a credential',
      hint: 'Remove what stands before the @',
    };
  }
};

const spec = fields({
  url: z
    .string()
    .check(rules(isHttpUrl))
    .meta({ minLength: 1 })
    .describe('The address: https://api.example.com/v1.'),
  rewritePath: z
    .string()
    .optional()
    .describe('The path that replaces the path of the service in requests: /.'),
});

/** A server outside the fleet that speaks the API of the model. */
export const modelEndpoint = defineKind({
  kind: 'ModelEndpoint',
  scope: 'Namespaced',
  groups: BOTH_GROUPS,
  description: 'A server outside the fleet that speaks the API of the model.',
  spec,
});

/** A server outside the fleet. */
export type ModelEndpoint = ResourceOf<'ModelEndpoint', z.output<typeof spec>>;

/** The spec of a ModelEndpoint as it is written: what has a default may be left out. */
export type ModelEndpointInput = z.input<typeof spec>;
