import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { minDevicesOf } from './request-alternatives';
import { fields } from './schema/fields';
import { requireExactlyOne, rules, type SchemaRule } from './schema/rules';
import { dnsLabel, stringFormat } from './schema/string-formats';

const attributeName = stringFormat({
  noun: 'the name of an attribute with its domain',
  code: 'bad-name',
  pattern: /^[a-z0-9][-a-z0-9.]*\/[A-Za-z_][A-Za-z0-9_]*$/,
  max: 96,
  hint: "Write domain and name: 'resource.kubernetes.io/pcieRoot'",
});

export const constraint = fields({
  matchAttribute: attributeName.optional().describe('All devices of the requests have one value of this attribute.'),
  distinctAttribute: attributeName
    .optional()
    .describe('No two devices of the requests share a value of this attribute.'),
  requests: z.array(dnsLabel).max(32).default([]).describe('The names of requests. Default: all of the pod.'),
}).check(rules(requireExactlyOne('the constraint', ['matchAttribute', 'distinctAttribute'])));

/** A constraint that the devices of a pod must, or must not, share a value of an attribute. */
export type DeviceConstraint = z.output<typeof constraint>;

interface Constrained {
  readonly devices: readonly (Parameters<typeof minDevicesOf>[0] & { readonly name: string })[];
  readonly constraints: readonly DeviceConstraint[];
}

/** Checks that no two constraints require the same devices both to match and to differ in an attribute. */
export const constraintsAgree: SchemaRule<Constrained> = function* ({ devices, constraints }) {
  for (const [c, { distinctAttribute, requests }] of constraints.entries()) {
    const matching = constraints.filter(({ matchAttribute }) => matchAttribute === distinctAttribute);
    const least = Math.max(0, ...matching.map((other) => countSharedDevices(devices, [requests, other.requests])));
    if (distinctAttribute === undefined || least < 2) continue;
    const what = `${least} devices cannot both share and not share a value of '${distinctAttribute}'`;
    const hint = 'Keep one of the two constraints, or name the requests that each is about';
    yield errorAt('contradiction', ['constraints', c, 'distinctAttribute'], what, hint);
  }
};

/** The fewest devices to which several lists of requests all apply. An empty list means all requests. */
function countSharedDevices(devices: Constrained['devices'], lists: readonly (readonly string[])[]): number {
  return devices
    .filter(({ name }) => lists.every((requests) => requests.length === 0 || requests.includes(name)))
    .reduce((sum, request) => sum + minDevicesOf(request), 0);
}
