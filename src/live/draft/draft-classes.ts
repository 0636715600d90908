import type { ClassDevice } from '../../api/device';
import { listAt, textAt } from '../../base/json';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import type { CounterSet } from '../../api/counter-sets';
import { DEVICE_CLASSES } from '../../catalog/device-classes';
import { DRIVERS } from '../../catalog/drivers';
import { parseQuantity } from '../../cel/values/quantity';
import type { ClaimableDevice } from '../../snapshot/node-info';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { draftCounterSets } from './draft-counter-sets';
import type { DraftNode, DraftPool } from './draft-pools';

/** A drafted class, and the pools that use it. */
export interface DraftClass {
  readonly name: string;
  readonly pools: readonly string[];
  readonly document: object;
}

type DraftDevice = Pick<
  ClassDevice,
  'name' | 'driver' | 'deviceClassName' | 'attributes' | 'capacity' | 'allowMultipleAllocations'
> &
  Partial<Pick<ClassDevice, 'count' | 'counterSet' | 'placements'>>;

export const DRAFT_API_VERSION = 'fleetwright.dev/v1alpha1';

/** Attributes that differ between devices of the same kind, or describe their location. */
const PER_DEVICE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'uuid',
  'parentUUID',
  'pciBusID',
  'resource.kubernetes.io/pciBusID',
  'resource.kubernetes.io/pcieRoot',
  'minor',
  'index',
  'parentIndex',
  'addressingMode',
]);

/** Drafts the classes of pools. Pools with equal nodes share a class. */
export function draftClasses(
  pools: readonly DraftPool[],
  deviceClasses: readonly LiveObject[],
): {
  readonly classes: readonly DraftClass[];
  readonly notes: readonly string[];

  /** The devices of each node that others hold, by pool and the name of the device. */
  readonly reserved: ReadonlyMap<string, Readonly<Record<string, number>>>;
} {
  const drafted = pools.map((pool) => ({ pool: pool.name, ...draftSpec(pool, deviceClasses) }));
  const bySpec = groupBy(drafted, ({ spec }) => JSON.stringify(spec));
  const names = new Map<string, number>();
  const classes = [...bySpec.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { spec } = first;
    const name = toUniqueName(classNameOf(spec.devices, spec.counterSets), names);
    const document = { apiVersion: DRAFT_API_VERSION, kind: 'InferenceClass', metadata: { name }, spec };
    return [{ name, pools: same.map(({ pool }) => pool), document }];
  });
  const reserved = new Map(drafted.map((one) => [one.pool, one.reserved]));
  return { classes, notes: drafted.flatMap(({ notes }) => notes), reserved };
}

function draftSpec({ name, nodes }: DraftPool, deviceClasses: readonly LiveObject[]) {
  const kinds = sortUnique(nodes.flatMap((node) => [...deviceKindsOf(node).keys()]));
  const names = new Map<string, number>();
  const devices = kinds.map((kind) => {
    const perNode = nodes.map((node) => deviceKindsOf(node).get(kind) ?? []);
    const drafted = draftDevice(name, perNode, deviceClasses, names);
    return { ...drafted, reserved: countReserved(perNode, nodes, drafted.device.count) };
  });
  const divided = draftCounterSets(nodes, kindKeyOf);
  const partitions = divided.partitions.map(({ devices: same, counterSet, placements }) => {
    const { count: _, ...device } = draftDevice(name, [same], deviceClasses, names).device;
    return { ...device, counterSet, placements };
  });
  const { cpu, memory } = minQuantities(nodes.map(({ allocatable }) => allocatable));
  const allocatable = { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  const spec = {
    description: 'Drafted from what the nodes report',
    devices: [...devices.flatMap(({ device }) => (device.count > 0 ? [device] : [])), ...partitions],
    ...(divided.sets.length > 0 && { counterSets: divided.sets }),
    ...(Object.keys(allocatable).length > 0 && { node: { allocatable } }),
  };
  const notes = devices.flatMap((one) => one.notes);
  const omitted = nodes.flatMap((node) => node.devices).filter((one) => isPartition(one) && !one.counters).length;
  if (omitted > 0) {
    const what = `${pluralize(omitted, 'partition')} of devices left out`;
    notes.push(`pool ${name}: ${what}: they are parts of whole devices`);
  }
  if (divided.held > 0) {
    const what = `${pluralize(divided.held, 'counter set')} left out`;
    notes.push(`pool ${name}: ${what}: other workloads hold devices of them`);
  }
  const entangled = nodes.flatMap((node) => node.devices).filter((one) => !isPartition(one) && isUncounted(one)).length;
  if (entangled > 0) {
    const what = `${pluralize(entangled, 'device')} left out`;
    notes.push(`pool ${name}: ${what}: a class cannot state the counters that they draw on`);
  }
  const reserved = devices.flatMap((one) => (one.reserved > 0 ? [[one.device.name, one.reserved]] : []));
  return { spec, notes, reserved: Object.fromEntries(reserved) as Record<string, number> };
}

/** How many of the declared devices the node with the fewest free ones lacks. */
function countReserved(
  perNode: readonly (readonly ClaimableDevice[])[],
  nodes: readonly DraftNode[],
  count: number,
): number {
  const free = perNode.map((devices, i) => devices.filter((device) => !isInUse(device, nodes[i])).length);
  return Math.max(0, count - Math.min(...free));
}

/** Whether a device, or a partition of it, is held. */
function isInUse(device: ClaimableDevice, node: DraftNode | undefined): boolean {
  const uuid = device.device.attributes['uuid']?.string;
  return [...(node?.held ?? [])].some(
    (one) => one === device || (uuid !== undefined && one.device.attributes['parentUUID']?.string === uuid),
  );
}

/** The attributes by which drivers name the product: of GPUs, of Gaudi and Intel GPUs, of TPUs. */
const PRODUCT_ATTRIBUTES = ['productName', 'model', 'accelerator'];

function productOf(attributes: ClaimableDevice['device']['attributes']): string {
  return PRODUCT_ATTRIBUTES.map((name) => attributes[name]?.string).find((text) => text !== undefined) ?? '';
}

/**
 * The devices of a node by kind: driver, product, whether pods share them, and the published capacities with their
 * policies.
 */
function deviceKindsOf({ devices }: DraftNode): Map<string, ClaimableDevice[]> {
  const whole = devices.filter((one) => !isPartition(one) && one.draws.length === 0);
  return groupBy(whole, kindKeyOf);
}

function kindKeyOf({ driver, device }: ClaimableDevice): string {
  const { attributes, capacity, allowMultipleAllocations } = device;
  const profile = attributes['profile']?.string;
  const key = [driver, attributes['type']?.string ?? '', productOf(attributes), Object.keys(capacity).sort()];
  const policies = Object.entries(capacity).map(([name, { requestPolicy }]) => [name, requestPolicy]);
  const more = [...(allowMultipleAllocations ? [policies.sort()] : []), ...(profile === undefined ? [] : [profile])];
  return JSON.stringify([...key, ...more]);
}

/** Whether a device draws on several counter sets, or on one that no slice has. */
function isUncounted({ draws, counters }: ClaimableDevice): boolean {
  return draws.length > 0 && !counters;
}

function isPartition({ device }: ClaimableDevice): boolean {
  return device.attributes['type']?.string === 'mig';
}

/** Drafts a kind of device from the devices of the kind on each node of a pool. */
function draftDevice(
  pool: string,
  perNode: readonly (readonly ClaimableDevice[])[],
  deviceClasses: readonly LiveObject[],
  names: Map<string, number>,
): { readonly device: DraftDevice & { readonly count: number }; readonly notes: readonly string[] } {
  const all = perNode.flat();
  const [first] = all;
  if (!first) throw new Error('bug: a kind of device without a device');
  const { driver } = first;
  const counts = perNode.map((some) => some.length);
  const [count, most] = [Math.min(...counts), Math.max(...counts)];
  const name = toUniqueName(deviceNameOf(first), names);
  const deviceClassName = classOfPartition(first) ?? deviceClassOf(driver, deviceClasses);
  const attributes = commonAttributes(all);
  const sharing = first.device.allowMultipleAllocations;
  const device = {
    name,
    driver,
    deviceClassName,
    count,
    attributes,
    capacity: sharing ? withPolicies(minCapacity(all), first) : minCapacity(all),
    ...(sharing && { allowMultipleAllocations: true }),
  };
  const uneven = `pool ${pool}: nodes have ${count} to ${most} devices '${name}'; the smallest number is declared`;
  const guessed = `class of '${name}': ${deviceClassName} is a guess. It must select devices of ${driver}`;
  return {
    device,
    notes: [
      ...(count < most ? [uneven] : []),
      ...(deviceClassName === driver || classOfPartition(first) ? [] : [guessed]),
    ],
  };
}

function deviceNameOf({ driver, device, counters }: ClaimableDevice): string {
  const profile = counters && device.attributes['profile']?.string;
  const type = device.attributes['type']?.string ?? driver.split('.')[0] ?? '';
  return toSlug(profile === undefined ? type : `${type}-${profile}`) || 'device';
}

/** The class that the driver installs for its partitions, which the class of whole devices leaves out. */
function classOfPartition({ driver, device, counters }: ClaimableDevice): string | undefined {
  if (!counters) return undefined;
  const type = device.attributes['type']?.string;
  const row = DEVICE_CLASSES.find((one) => one.driver === driver && one.type === type && one.name !== driver);
  return row?.name;
}

/** The device class with the name of the driver, else the first one whose selector contains the driver name. */
function deviceClassOf(driver: string, deviceClasses: readonly LiveObject[]): string {
  const all = sortedBy(deviceClasses, ({ metadata }) => metadata.name);
  const exact = all.find(({ metadata }) => metadata.name === driver);
  const naming = all.find((one) =>
    listAt(one, ['spec', 'selectors']).some((selector) => textAt(selector, ['cel', 'expression']).includes(driver)),
  );
  return (exact ?? naming)?.metadata.name ?? driver;
}

/** Whether the driver is known to publish another value of the attribute for each device. */
function identifiesDevice(key: string, driver: string | undefined): boolean {
  const facts = DRIVERS.find(({ name }) => name === driver)?.facts ?? [];
  // Some drivers write their own domain before the names of attributes.
  const own = key.startsWith(`${driver}/`) ? key.slice(`${driver}/`.length) : key;
  return facts.some(({ name, domain, identity }) => identity && own === (domain ? `${domain}/${name}` : name));
}

function commonAttributes(all: readonly ClaimableDevice[]): DraftDevice['attributes'] {
  const [first, ...others] = all;
  const entries = Object.entries(first?.device.attributes ?? {}).filter(
    ([key, value]) =>
      !PER_DEVICE_ATTRIBUTES.has(key) &&
      !identifiesDevice(key, first?.driver) &&
      Object.keys(value).length > 0 &&
      others.every(({ device }) => toComparableText(device.attributes[key]) === toComparableText(value)),
  );
  return Object.fromEntries(sortedBy(entries, ([key]) => key)) as DraftDevice['attributes'];
}

/** An attribute value as text. Integers can exceed the range of JSON numbers. */
function toComparableText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
}

/** The minimum of each capacity, so that every device meets its class. */
function minCapacity(all: readonly ClaimableDevice[]): DraftDevice['capacity'] {
  const values = minQuantities(
    all.map(({ device }) =>
      Object.fromEntries(Object.entries(device.capacity).map(([key, { value }]) => [key, value])),
    ),
  );
  return Object.fromEntries(sortedBy(Object.entries(values), ([key]) => key).map(([key, value]) => [key, { value }]));
}

/** Capacities with the policies of a device: all devices of a kind have the same ones. */
function withPolicies(capacities: DraftDevice['capacity'], { device }: ClaimableDevice): DraftDevice['capacity'] {
  const entries = Object.entries(capacities).map(([key, { value }]) => {
    const requestPolicy = device.capacity[key]?.requestPolicy;
    return [key, { value, ...(requestPolicy && { requestPolicy }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The minimum of each quantity that all maps contain. */
function minQuantities(maps: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const [first = {}, ...others] = maps;
  return Object.fromEntries(
    Object.entries(first)
      .filter(([key]) => others.every((map) => Object.hasOwn(map, key)))
      .map(([key, value]) => [key, others.reduce((low, map) => minQuantity(low, map[key] ?? low), value)]),
  );
}

function minQuantity(one: string, other: string): string {
  return parseQuantity(other).compare(parseQuantity(one)) < 0 ? other : one;
}

/** The name of a class, such as `nvidia-h100-80gb-hbm3-8x`. Users can change it. */
function classNameOf(devices: readonly DraftDevice[], sets: readonly CounterSet[] = []): string {
  const [first] = devices;
  const product = first && productOf(first.attributes as ClaimableDevice['device']['attributes']);
  const word = product || (first?.driver ?? 'node');
  return `${toSlug(word)}-${first?.count ?? sets[0]?.count ?? 0}x`;
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 40);
}

/** The name, with a numeric suffix where the name is taken. */
function toUniqueName(name: string, taken: Map<string, number>): string {
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}
