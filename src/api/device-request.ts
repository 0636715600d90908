import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { hintAtName } from '../base/name-suggestion';
import { describeTypeOf, describeValue } from '../base/describe-value';
import { isQuantity } from '../cel/values/quantity';
import { minDevicesOf } from './request-alternatives';
import type { Path } from './resource';
import { fields, withDefault } from './schema/fields';
import { checkDistinct, namedList } from './schema/list';
import { integer, wholeAmount } from './schema/quantity';
import { findQuantityFault, isByteName, LEAST_MEMORY } from './schema/quantity-faults';
import { describeAboveMaximum, formatTextLength, requireExactlyOne, rules, type SchemaRule } from './schema/rules';
import { dnsLabel, dnsSubdomain, nonEmptyText, stringFormat } from './schema/string-formats';
import { deviceTolerations } from './schema/taints-and-tolerations';
import { DESCRIBE_DEVICE, readWhere, type Where } from './select/where';
import type { WhereValue } from './select/where-value';
import { IN_DEVICE_REQUEST, IN_NODE_SELECTOR } from './kubernetes-spellings';

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const scalarOrList: SchemaRule<unknown> = function* (value) {
  if (isValue(value)) return;
  const what = `expected a value or a list of texts, got ${describeTypeOf(value)}`;
  yield errorAt(
    'wrong-type',
    [],
    what,
    "Use a value, a list or a comparison: Hopper, [Hopper, Blackwell] or '>= 79Gi'",
  );
};

const value = z
  .custom<WhereValue>(() => true)
  .check(rules(scalarOrList))
  .meta({ type: ['string', 'number', 'boolean', 'array'], items: { type: 'string' } });

const readableWhere: SchemaRule<Where> = function* (form) {
  if (!Object.values(form).every(isValue)) return;
  const reading = readWhere(form);
  if ('findings' in reading) yield* reading.findings;
};

const where = z
  .record(z.string(), value)
  .check(rules(readableWhere))
  .describe(
    'Required values of a device, by the attribute names of its driver: architecture: Hopper, memory: ">= 79Gi", supports: FP8. The driver is gpu.nvidia.com, unless driver names another. Default: - see selectors.',
  );

type DriverParameters = Readonly<Record<string, unknown>>;

/** Kubernetes' limit for the parameters of one driver, as JSON. */
const LONGEST_PARAMETERS = 10_240;

const plainData: SchemaRule<DriverParameters> = function* (parameters) {
  const findings = [...findUnserializable(parameters, [])];
  yield* findings;
  const size = findings.length > 0 ? 0 : JSON.stringify(parameters).length;
  if (size <= LONGEST_PARAMETERS) return;
  yield describeAboveMaximum([], formatTextLength(size), LONGEST_PARAMETERS, 'Shorten the parameters');
};

/** Reports each value that JSON cannot represent. */
function* findUnserializable(value: unknown, path: Path): Iterable<Diagnostic<Path>> {
  if (typeof value === 'object' && value !== null) {
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, item] of entries) yield* findUnserializable(item, [...path, key]);
  } else if (!SCALARS.has(typeof value) && value !== null) {
    const what = `${describeValue(value)} is not allowed in the parameters of a driver`;
    yield errorAt('wrong-type', path, what, 'Use texts, numbers, true, false, lists and maps');
  }
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** The schema of device configuration that Kubernetes passes to a driver: `devices.config[].opaque` of a claim. */
const driverConfig = z
  .array(
    fields({
      driver: dnsSubdomain.describe('The driver that reads it: gpu.nvidia.com.'),
      parameters: z
        .record(z.string(), z.unknown())
        .check(rules(plainData))
        .describe('The configuration, with its apiVersion and kind.'),
    }),
  )
  .check(checkDistinct(({ driver }: { driver: string }) => driver, 'the driver', 'driver'))
  .default([]);

const count = withDefault(integer(1, 64), 1, 'The number of devices, all of one node, that each pod needs.');

const allocationMode = z
  .enum(['ExactCount', 'All'])
  .optional()
  .describe(
    'All: each pod takes every device of its node that matches, and needs one of which none is taken. Without count. Default: ExactCount.',
  );

const selectors = z
  .array(fields({ cel: nonEmptyText(10_240).describe('A CEL expression over one device, as in a DeviceClass.') }))
  .max(8);

const bytesHaveUnits: SchemaRule<Readonly<Record<string, string>>> = function* (requests) {
  for (const [name, value] of Object.entries(requests)) {
    // The field itself rejects other faults.
    const fault = isByteName(name) && isQuantity(value) ? findQuantityFault(value, { least: LEAST_MEMORY }) : undefined;
    if (fault) yield errorAt('bad-quantity', [name], fault.what, fault.hint);
  }
};

const capacity = fields({
  requests: z
    .record(z.string(), wholeAmount)
    .check(rules(bytesHaveUnits))
    .describe('The amount of each capacity of one device, by the name that its driver publishes: memory: 4Gi.'),
})
  .optional()
  .describe(
    'The part of a shared device that each pod takes. A device that is not shared must have at least this much. Needs Kubernetes 1.36. Default: of each capacity what the driver sets, which may be all.',
  );

const SELECTORS = 'Conditions that a device must meet, all of them. Default: none in addition to where.';

interface Portion {
  readonly count: number;
  readonly allocationMode?: 'ExactCount' | 'All' | undefined;
  readonly capacity?: { readonly requests: Readonly<Record<string, string>> } | undefined;
}

/** A request for all devices states no number, nor a part of one. */
const allHasNoCount: SchemaRule<Portion> = function* ({ count, allocationMode: mode, capacity }) {
  if (mode !== 'All') return;
  const field = count > 1 ? 'count' : capacity ? 'capacity' : undefined;
  if (field === undefined) return;
  const what = `a request for all devices has no ${field}`;
  yield errorAt('contradiction', [field], what, "Remove it, or remove 'allocationMode: All'");
};

/** Two parts of devices for one pod may be parts of the same device, so a request takes a part of one. */
const takesPartOfOne: SchemaRule<Portion> = function* ({ count, capacity }) {
  if (!capacity || count === 1) return;
  const what = `a request with capacity takes a part of one device, not of ${count}`;
  const hint = 'Set count: 1. For parts of different devices, use several requests and a distinctAttribute';
  yield errorAt('contradiction', ['count'], what, hint);
};

interface Conditions {
  readonly where?: unknown;
  readonly selectors: readonly unknown[];
}

function isEmpty({ where, selectors }: Conditions): boolean {
  return where === undefined && selectors.length === 0;
}

function describeMissingSelectors(): Diagnostic<Path> {
  return errorAt('missing-field', ['selectors'], "neither 'where' nor 'selectors' is set", DESCRIBE_DEVICE);
}

const hasCondition: SchemaRule<Conditions> = function* (form) {
  if (isEmpty(form)) yield describeMissingSelectors();
};

const MISPLACED = { ...IN_DEVICE_REQUEST, driver: "Move it into where, as in 'where: { driver: gpu.amd.com }'" };

const alternative = fields(
  {
    name: dnsLabel.describe('The name of the alternative within the request.'),
    count,
    allocationMode,
    where: where.optional(),
    selectors: selectors.default([]).describe(SELECTORS),
    capacity,
  },
  MISPLACED,
)
  .check(rules(hasCondition))
  .check(rules(takesPartOfOne, allHasNoCount));

/** Kubernetes' limit for the alternatives of one request. */
const MOST_ALTERNATIVES = 8;

type Form = Conditions & Portion & { readonly firstAvailable: readonly unknown[] };

const hasOneForm: SchemaRule<Form> = function* ({
  count,
  capacity,
  allocationMode: mode,
  firstAvailable,
  ...conditions
}) {
  if (isEmpty(conditions) && firstAvailable.length === 0) {
    yield describeMissingSelectors();
  } else if (!isEmpty(conditions) && firstAvailable.length > 0) {
    const field = conditions.where === undefined ? 'selectors' : 'where';
    const what = `the request has both ${field} and firstAvailable`;
    yield errorAt('not-exactly-one', [field], what, `Set ${field} in each alternative`);
  } else if (firstAvailable.length > 0 && count > 1) {
    const what = 'the request has both count and firstAvailable';
    yield errorAt('not-exactly-one', ['count'], what, 'Set the count in each alternative');
  } else if (firstAvailable.length > 0 && capacity) {
    const what = 'the request has both capacity and firstAvailable';
    yield errorAt('not-exactly-one', ['capacity'], what, 'Set the capacity in each alternative');
  } else if (firstAvailable.length > 0 && mode) {
    const what = 'the request has both allocationMode and firstAvailable';
    yield errorAt('not-exactly-one', ['allocationMode'], what, 'Set the allocationMode in each alternative');
  }
};

const deviceRequest = fields(
  {
    name: dnsLabel.describe('The name of the request within the claim.'),
    count,
    allocationMode,
    where: where.optional(),
    selectors: selectors.default([]).describe(SELECTORS),
    capacity,
    firstAvailable: namedList(alternative, { max: MOST_ALTERNATIVES })
      .default([])
      .describe(
        'Instead of count and selectors: alternatives, in order of preference. The cluster uses the first that it has.',
      ),
    tolerations: deviceTolerations.describe(
      'Taints of devices that the request tolerates, for every alternative. Needs Kubernetes 1.36.',
    ),
    config: driverConfig.describe('Configuration of the devices, passed to their driver unchanged.'),
  },
  MISPLACED,
)
  .check(rules(hasOneForm))
  .check(rules(takesPartOfOne, allHasNoCount));

/** A request of each pod of a member for devices of one kind. */
export type DeviceRequest = z.output<typeof deviceRequest>;

/** Kubernetes' limit for the devices of one claim. */
const MOST_DEVICES = 32;

/** The most devices that a request can take. Of alternatives, it takes only one. */
function maxDevicesOf({ count, firstAvailable }: DeviceRequest): number {
  return Math.max(count, ...firstAvailable.map((alternative) => alternative.count));
}

const fitsOneClaim: SchemaRule<readonly DeviceRequest[]> = function* (requests) {
  const total = requests.reduce((sum, request) => sum + maxDevicesOf(request), 0);
  if (total <= MOST_DEVICES) return;
  yield describeAboveMaximum([], `a claim of ${total} devices`, MOST_DEVICES, 'Request fewer devices for each pod');
};

const deviceRequests = namedList(deviceRequest, { min: 1, max: 16 })
  .check(rules(fitsOneClaim))
  .describe('The devices that each pod claims.');

const attributeName = stringFormat({
  noun: 'the name of an attribute with its domain',
  code: 'bad-name',
  pattern: /^[a-z0-9][-a-z0-9.]*\/[A-Za-z_][A-Za-z0-9_]*$/,
  max: 96,
  hint: "Use DOMAIN/NAME, as in 'resource.kubernetes.io/pcieRoot'",
});

const constraint = fields({
  matchAttribute: attributeName
    .optional()
    .describe('All devices of the requests must have the same value of this attribute.'),
  distinctAttribute: attributeName
    .optional()
    .describe('No two devices of the requests may have the same value of this attribute.'),
  requests: z.array(dnsLabel).max(32).default([]).describe('The names of requests. Default: all of the pod.'),
}).check(rules(requireExactlyOne('the constraint', ['matchAttribute', 'distinctAttribute'])));

/** A constraint that the devices of a pod must, or must not, share a value of an attribute. */
export type DeviceConstraint = z.output<typeof constraint>;

interface Selector {
  readonly devices: readonly DeviceRequest[];
  readonly constraints: readonly DeviceConstraint[];
}

const requestsExist: SchemaRule<Selector> = function* ({ devices, constraints }) {
  const known = devices.map(({ name }) => name);
  for (const [c, { requests }] of constraints.entries()) {
    for (const [r, name] of requests.entries()) {
      if (known.includes(name)) continue;
      const hint = hintAtName(name, known);
      yield errorAt('unknown-reference', ['constraints', c, 'requests', r], `there is no request '${name}'`, hint);
    }
  }
};

/** Kubernetes' limit for the configurations of one claim. */
const MOST_CONFIGS = 32;

const fewConfigs: SchemaRule<Selector> = function* ({ devices }) {
  const count = devices.reduce((sum, { config }) => sum + config.length, 0);
  if (count <= MOST_CONFIGS) return;
  yield describeAboveMaximum(
    ['devices'],
    `a claim with ${count} configurations`,
    MOST_CONFIGS,
    'Remove some, or join them',
  );
};

/** Checks that no two constraints require the same devices both to match and to differ in an attribute. */
const constraintsAgree: SchemaRule<Selector> = function* ({ devices, constraints }) {
  for (const [c, { distinctAttribute, requests }] of constraints.entries()) {
    const matching = constraints.filter(({ matchAttribute }) => matchAttribute === distinctAttribute);
    const least = Math.max(0, ...matching.map((other) => countSharedDevices(devices, [requests, other.requests])));
    if (distinctAttribute === undefined || least < 2) continue;
    const what = `${least} devices must have the same value and different values of '${distinctAttribute}'`;
    const hint = 'Keep one of the two constraints, or name the requests that each applies to';
    yield errorAt('contradiction', ['constraints', c, 'distinctAttribute'], what, hint);
  }
};

/** The fewest devices to which several lists of requests all apply. An empty list means all requests. */
function countSharedDevices(devices: readonly DeviceRequest[], lists: readonly (readonly string[])[]): number {
  return devices
    .filter(({ name }) => lists.every((requests) => requests.length === 0 || requests.includes(name)))
    .reduce((sum, request) => sum + minDevicesOf(request), 0);
}

/** The schema of the devices that each pod of a member needs from its node. */
export const nodeSelector = fields(
  {
    devices: deviceRequests,
    constraints: z
      .array(constraint)
      .max(32)
      .default([])
      .describe('The attributes that the devices must, or must not, have in common.'),
  },
  IN_NODE_SELECTOR,
).check(rules(requestsExist, fewConfigs, constraintsAgree));
