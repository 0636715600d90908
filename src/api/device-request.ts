import { z } from 'zod';
import { aboveMaximum } from './reading/common-findings';
import { constraint, type DeviceConstraint, noContradiction } from './device-constraint';
import { deviceTolerations } from './device-toleration';
import { driverConfig } from './driver-config';
import { nearest } from '../nearest';
import { fields } from './reading/fields';
import { type Rule, rules } from './reading/rule';
import type { Finding } from './resource';
import { namedList } from './shared/list';
import { dnsLabel, text } from './shared/names';
import { where } from './where';

const count = z
  .int()
  .min(1)
  .max(64)
  .default(1)
  .describe('Devices of one node that each pod needs. Default: 1.');

const selectors = z
  .array(fields({ cel: text(10_240).describe('A CEL expression over one device, as in a DeviceClass.') }))
  .max(8);

const SELECTORS = 'What a device must be, all of it. Default: none beside where.';

/** What says which devices will do. */
interface Conditions {
  readonly where?: unknown;
  readonly selectors: readonly unknown[];
}

function isEmpty({ where, selectors }: Conditions): boolean {
  return where === undefined && selectors.length === 0;
}

function missingSelectors(): Finding {
  const hint = 'Say what a device must be, here or in where';
  return { code: 'missing-field', path: ['selectors'], what: "the field 'selectors' is missing", hint };
}

const someCondition: Rule<Conditions> = function* (form) {
  if (isEmpty(form)) yield missingSelectors();
};

const alternative = fields({
  name: dnsLabel.describe('The name of the alternative within the request.'),
  count,
  where: where.optional(),
  selectors: selectors.default([]).describe(SELECTORS),
}).check(rules(someCondition));

/** Kubernetes' limit for the alternatives of one request. */
const MOST_ALTERNATIVES = 8;

interface Form extends Conditions {
  readonly count: number;
  readonly firstAvailable: readonly unknown[];
}

const oneForm: Rule<Form> = function* ({ count, firstAvailable, ...conditions }) {
  if (isEmpty(conditions) && firstAvailable.length === 0) {
    yield missingSelectors();
  } else if (!isEmpty(conditions) && firstAvailable.length > 0) {
    const field = conditions.where === undefined ? 'selectors' : 'where';
    yield {
      code: 'not-exactly-one',
      path: [field],
      what: `the request has both ${field} and firstAvailable`,
      hint: `Write ${field} in each alternative`,
    };
  } else if (firstAvailable.length > 0 && count > 1) {
    yield {
      code: 'not-exactly-one',
      path: ['count'],
      what: 'the request has both count and firstAvailable',
      hint: 'Write the count in each alternative',
    };
  }
};

const deviceRequest = fields({
  name: dnsLabel.describe('The name of the request within the claim.'),
  count,
  where: where.optional(),
  selectors: selectors.default([]).describe(SELECTORS),
  firstAvailable: namedList(alternative, { max: MOST_ALTERNATIVES })
    .default([])
    .describe(
      'Instead of count and selectors: alternatives, the best first. The cluster takes the first that it has.',
    ),
  tolerations: deviceTolerations.describe(
    'Taints of devices that the request puts up with, in every form. Needs Kubernetes 1.36.',
  ),
  config: driverConfig.describe('Configuration of the devices, passed to their driver as it is.'),
}).check(rules(oneForm));

/** Devices of one kind that each pod of a member needs. */
export type DeviceRequest = z.output<typeof deviceRequest>;

/** Kubernetes' limit for the devices of one claim. */
const MOST_DEVICES = 32;

/** The most devices that a request can take: of alternatives it takes one. */
function mostOf({ count, firstAvailable }: DeviceRequest): number {
  return Math.max(count, ...firstAvailable.map((alternative) => alternative.count));
}

const fitsOneClaim: Rule<readonly DeviceRequest[]> = function* (requests) {
  const total = requests.reduce((sum, request) => sum + mostOf(request), 0);
  if (total <= MOST_DEVICES) return;
  yield aboveMaximum([], `a claim of ${total} devices`, MOST_DEVICES, 'Ask for fewer devices a pod');
};

const deviceRequests = namedList(deviceRequest, { min: 1, max: 16 })
  .check(rules(fitsOneClaim))
  .describe('The devices that each pod claims.');

interface Selector {
  readonly devices: readonly DeviceRequest[];
  readonly constraints: readonly DeviceConstraint[];
}

const requestsExist: Rule<Selector> = function* ({ devices, constraints }) {
  const known = devices.map(({ name }) => name);
  for (const [c, { requests }] of constraints.entries()) {
    for (const [r, name] of requests.entries()) {
      if (known.includes(name)) continue;
      const meant = nearest(name, known);
      yield {
        code: 'unknown-reference',
        path: ['constraints', c, 'requests', r],
        what: `there is no request '${name}'`,
        hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
      };
    }
  }
};

/** Kubernetes' limit for the configurations of one claim. */
const MOST_CONFIGS = 32;

const fewConfigs: Rule<Selector> = function* ({ devices }) {
  const count = devices.reduce((sum, { config }) => sum + config.length, 0);
  if (count <= MOST_CONFIGS) return;
  yield aboveMaximum(['devices'], `a claim with ${count} configurations`, MOST_CONFIGS);
};

/** What each pod of a member needs from its node. */
export const nodeSelector = fields({
  devices: deviceRequests,
  constraints: z
    .array(constraint)
    .max(32)
    .default([])
    .describe('What the devices must have in common, or may not.'),
}).check(rules(requestsExist, fewConfigs, noContradiction));
