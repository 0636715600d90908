import type { CounterSet } from '../api/counter-sets';
import type { ClassDevice } from '../api/device';
import type { RequestPolicy } from '../api/request-policy';
import { sortedBy } from '../base/order';
import type { ScalarAttribute } from '../cel/device';
import { parseQuantity } from '../cel/values/quantity';
import { isSemver, parseSemver } from '../cel/values/semver';
import { compareCounters, findUndeclaredCounters } from './compare-counters';
import type { DeviceDifference, DifferingDevice } from './device-difference';
import type { ClaimableDevice } from './node-info';
import type { PublishedDevice } from './recorded-objects';

/** The devices of a class, and the counters that partitions among them share. */
interface Hardware {
  readonly devices: readonly ClassDevice[];
  readonly counterSets?: readonly CounterSet[] | undefined;
}

interface DeviceMatch {
  /** Devices that the class declares and the node does not publish. */
  readonly short: readonly { readonly device: string; readonly declared: number; readonly shown: number }[];
  /** Devices that are paired with an entry of the class, but differ from it. */
  readonly differing: readonly DifferingDevice[];
}

/**
 * Pairs the devices of a node with the entries of its class: those with the fewest differences first, and among
 * equals the entry with the most facts. So partitions and other devices of the same driver are left out as long as
 * enough devices match. Synthetic devices are never published.
 */
export function matchDevices(
  { devices: entries, counterSets = [] }: Hardware,
  shown: readonly ClaimableDevice[],
): DeviceMatch {
  const claimed = entries.filter(({ claim }) => claim === 'DRA');
  const missingCounts = new Map(claimed.map((entry) => [entry, entry.count]));
  const free = new Set(shown);
  const pairs = claimed
    .flatMap((entry) =>
      shown
        .filter(({ driver }) => driver === entry.driver)
        .map((published) => ({ entry, published, differences: compareDevice(entry, published, counterSets) })),
    )
    .sort((a, b) => a.differences.length - b.differences.length || countFacts(b.entry) - countFacts(a.entry));
  const paired: DifferingDevice[] = [];
  for (const pair of pairs) {
    const wanted = missingCounts.get(pair.entry) ?? 0;
    if (wanted === 0 || !free.delete(pair.published)) continue;
    missingCounts.set(pair.entry, wanted - 1);
    paired.push(pair);
  }
  const undeclared = findUndeclaredCounters(paired);
  const differing = [...paired.filter(({ differences }) => differences.length > 0), ...undeclared];
  const short = claimed.flatMap((entry) => {
    const missing = missingCounts.get(entry) ?? 0;
    const { name: device, count: declared } = entry;
    return missing > 0 ? [{ device, declared, shown: declared - missing }] : [];
  });
  return { short, differing };
}

function countFacts({ attributes, capacity }: ClassDevice): number {
  return Object.keys(attributes).length + Object.keys(capacity).length;
}

/** Facts that the class omits are not compared, because no selector can match by them. */
function compareDevice(
  declared: ClassDevice,
  published: ClaimableDevice,
  sets: readonly CounterSet[],
): DeviceDifference[] {
  const { driver, device } = published;
  const attributes = sortedBy(Object.entries(declared.attributes), ([name]) => name).flatMap(([name, value]) => {
    const key = findKey(device.attributes, name, driver);
    const published = key === undefined ? undefined : device.attributes[key];
    if (published && isSameAttribute(value, published)) return [];
    const path = key === undefined ? [] : ['attributes', key];
    const shown = published && formatAttribute(published);
    return [
      { field: 'attribute', name, declared: formatAttribute(value), published: shown, less: false, path } as const,
    ];
  });
  const capacity = sortedBy(Object.entries(declared.capacity), ([name]) => name).flatMap(([name, { value }]) => {
    const key = findKey(device.capacity, name, driver);
    const published = key === undefined ? undefined : device.capacity[key]?.value;
    const order = published === undefined ? -1 : parseQuantity(published).compare(parseQuantity(value));
    if (order === 0) return [];
    const path = key === undefined ? [] : ['capacity', key, 'value'];
    return [{ field: 'capacity', name, declared: value, published, less: order < 0, path } as const];
  });
  return [
    ...attributes,
    ...capacity,
    ...comparePolicies(declared, { driver, device }),
    ...compareSharing(declared, device),
    ...compareCounters(declared, published, sets),
  ];
}

/** The plan counts the parts of shared devices by their policies, so replicas may not start with others. */
function comparePolicies(
  { capacity }: ClassDevice,
  { driver, device }: Pick<ClaimableDevice, 'driver' | 'device'>,
): DeviceDifference[] {
  return sortedBy(Object.entries(capacity), ([name]) => name).flatMap(([name, { requestPolicy }]) => {
    const key = findKey(device.capacity, name, driver);
    const [declared, published] = [
      requestPolicy,
      key === undefined ? undefined : device.capacity[key]?.requestPolicy,
    ].map(formatPolicy);
    if (declared === published || key === undefined) return [];
    const path = ['capacity', key, 'requestPolicy'];
    return [{ field: 'request policy', name, declared: declared ?? 'none', published, less: true, path }];
  });
}

function compareSharing(
  { allowMultipleAllocations = false }: ClassDevice,
  device: PublishedDevice,
): DeviceDifference[] {
  const published = device.allowMultipleAllocations;
  if (published === allowMultipleAllocations) return [];
  const name = 'allowMultipleAllocations';
  const at = {
    field: 'setting',
    name,
    declared: String(allowMultipleAllocations),
    published: String(published),
  } as const;
  return [{ ...at, less: allowMultipleAllocations, path: published ? [name] : [] }];
}

type Policy = NonNullable<PublishedDevice['capacity'][string]['requestPolicy']>;

function amountOf(quantity: string | undefined): number | undefined {
  return quantity === undefined ? undefined : parseQuantity(quantity).asApproximateFloat();
}

/** A policy as text, equal for equal amounts however they are written. */
function formatPolicy(policy: RequestPolicy | Policy | undefined): string | undefined {
  if (!policy) return undefined;
  const { validValues, validRange } = policy;
  const range = validRange && [amountOf(validRange.min), amountOf(validRange.max), amountOf(validRange.step)];
  return JSON.stringify({ default: amountOf(policy.default), values: validValues?.map(amountOf), range });
}

/** The key of a name in a map. A name without a domain has the domain of the driver, on either side. */
function findKey(values: Readonly<Record<string, unknown>>, name: string, driver: string): string | undefined {
  const prefix = `${driver}/`;
  const other = name.startsWith(prefix) ? name.slice(prefix.length) : `${prefix}${name}`;
  return [name, other].find((key) => Object.hasOwn(values, key));
}

type PublishedAttribute = PublishedDevice['attributes'][string];

function isSameAttribute(declared: ScalarAttribute, published: PublishedAttribute): boolean {
  if ('string' in declared) return published.string === declared.string;
  if ('bool' in declared) return published.bool === declared.bool;
  if ('int' in declared) return String(published.int) === String(declared.int);
  const { version } = published;
  if (version === undefined || !isSemver(version)) return false;
  return parseSemver(version).compare(parseSemver(declared.version)) === 0;
}

function formatAttribute({ string, version, bool, int }: PublishedAttribute): string {
  const value = [string, version, bool, int].find((form) => form !== undefined);
  return value === undefined ? 'a value of another form' : `'${value}'`;
}
