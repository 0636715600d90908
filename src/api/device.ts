import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { describeValue, shortenText } from '../base/describe-value';
import type { ScalarAttribute } from '../cel/device';
import { isQuantity } from '../cel/values/quantity';
import { isSemver } from '../cel/values/semver';
import { counterSet, countFollows, partitionFields, placements } from './counter-sets';
import { fields } from './schema/fields';
import { namedList } from './schema/list';
import { amount, integer } from './schema/quantity';
import { requestPolicy, sharedCapacity } from './request-policy';
import { findQuantityFault, isByteName, LEAST_MEMORY } from './schema/quantity-faults';
import { describeAboveMaximum, describeMissingField, requireExactlyOne, rules, type SchemaRule } from './schema/rules';
import { deviceClassName, dnsLabel, nonEmptyText, stringFormat } from './schema/string-formats';

const goodVersion: SchemaRule<string> = function* (value) {
  if (isSemver(value)) return;
  const hint = "Use three numbers, as in '9.0.0', or use a string";
  yield errorAt('bad-version', [], `'${shortenText(value)}' is not a semantic version`, hint);
};

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const int64: SchemaRule<unknown> = function* (value) {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!isInteger) {
    yield errorAt('wrong-type', [], `expected a whole number, got ${describeValue(value)}`, 'Write a whole number');
  } else if (BigInt(value) < INT64.min || BigInt(value) > INT64.max) {
    yield errorAt(
      'out-of-bounds',
      [],
      `${value} does not fit into 64 bits`,
      `Use at most ${value > 0 ? INT64.max : INT64.min}`,
    );
  }
};

/** The schema of an attribute of a device, as in a ResourceSlice: exactly one form of value. */
export const attribute = fields({
  string: z.string().max(253).optional().describe('Text.'),
  version: z.string().max(32).check(rules(goodVersion)).optional().describe('A semantic version: 9.0.0.'),
  bool: z.boolean().optional().describe('True or false.'),
  int: z
    .custom<number | bigint>(() => true)
    .check(rules(int64))
    .meta({ type: 'integer' })
    .optional()
    .describe('A whole number of 64 bits.'),
})
  .check(rules(requireExactlyOne('the attribute', ['string', 'version', 'bool', 'int'])))
  .transform((value) => value as ScalarAttribute);

const capacity = fields({
  value: amount.describe('A Kubernetes quantity: 81559Mi.'),
  requestPolicy: requestPolicy.optional(),
});

const bytesHaveUnits: SchemaRule<Readonly<Record<string, { readonly value: string }>>> = function* (capacities) {
  for (const [name, { value }] of Object.entries(capacities)) {
    // The field itself rejects other faults.
    const fault = isByteName(name) && isQuantity(value) ? findQuantityFault(value, { least: LEAST_MEMORY }) : undefined;
    if (fault) yield errorAt('bad-quantity', [name, 'value'], fault.what, fault.hint);
  }
};

const extendedResource = stringFormat({
  noun: 'the name of an extended resource',
  code: 'bad-name',
  pattern:
    /^(?!(.*\.)?kubernetes\.io\/|requests\.)[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  // A quota for it, `requests.NAME`, must also be a valid label key.
  max: 253,
  hint: "Use the domain of the plugin and a name, as in 'nvidia.com/gpu'",
});

const claim = z
  .enum(['DRA', 'Synthetic'])
  .describe('DRA: pods claim it. Synthetic: it narrows placement and is never claimed. Default: DRA.');
const driver = nonEmptyText(253).describe('The DRA driver, also the domain of attributes without one: gpu.nvidia.com.');
const count = integer(1, 64).describe('The number of these devices of a node. Default: 1.');

const declared = fields({
  name: dnsLabel.describe('The name of the device within the class: gpu.'),
  claim: claim.optional(),
  driver: driver.optional(),
  deviceClassName: deviceClassName.optional().describe('The DeviceClass that claims name. Required with claim DRA.'),
  extendedResource: extendedResource
    .optional()
    .describe('The extended resource that a device plugin offers it as, for clusters with dra: false: nvidia.com/gpu.'),
  count: count.optional(),
  attributes: z.record(z.string(), attribute).default({}).describe('What selectors read as device.attributes.'),
  capacity: z
    .record(z.string(), capacity)
    .check(rules(bytesHaveUnits))
    .default({})
    .describe('What selectors read as device.capacity.'),
  allowMultipleAllocations: z
    .boolean()
    .optional()
    .describe(
      'Several pods share one such device, each with a part of its capacity. The driver must publish it, and clusters need Kubernetes 1.36. Default: false.',
    ),
  counterSet,
  placements,
});

const complete = declared.extend({ claim: claim.default('DRA'), driver, count: count.default(1) });

/** A kind of device, and how many of them a node has. */
export type ClassDevice = z.output<typeof complete>;

/** A device as declared in a class: for a device of the catalog, only the fields that differ. */
export type DeclaredDevice = z.output<typeof declared>;

export const declaredDevices = namedList(declared.check(rules(countFollows)), { max: 16 }).describe(
  'The devices of a node, one entry for each kind. With from: what differs from the catalog, by name.',
);

const resourceForClaim: SchemaRule<ClassDevice> = function* ({ claim, extendedResource: resource }) {
  if (claim === 'DRA' || resource === undefined) return;
  const what = `a device with claim ${claim} is not a resource that pods can request`;
  yield errorAt('contradiction', ['extendedResource'], what, "Remove it, or set 'claim: DRA'");
};

const classForClaim: SchemaRule<ClassDevice> = function* ({ claim, deviceClassName }) {
  if (claim !== 'DRA' || deviceClassName !== undefined) return;
  yield describeMissingField(
    ['deviceClassName'],
    "Set it to the DeviceClass that the driver installs, or set 'claim: Synthetic' for a device that pods never claim",
  );
};

/** Kubernetes' limit for a device of a ResourceSlice. */
const MOST_ATTRIBUTES = 32;

const fewAttributes: SchemaRule<ClassDevice> = function* ({ attributes, capacity }) {
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count <= MOST_ATTRIBUTES) return;
  yield describeAboveMaximum(
    [],
    `a device with ${count} attributes and capacities`,
    MOST_ATTRIBUTES,
    'Keep only those that selectors read',
  );
};

export const device = complete.check(
  rules(classForClaim, resourceForClaim, fewAttributes, sharedCapacity, partitionFields),
);
export const devices = namedList(device, { min: 1, max: 16 });
