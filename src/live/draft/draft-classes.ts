import type { ClassDevice } from '../../api/device';
import { listAt, textAt } from '../../base/json';
import { groupBy, sortedBy, sortUnique } from '../../base/order';
import { pluralize } from '../../base/text';
import { parseQuantity } from '../../cel/values/quantity';
import type { ClaimableDevice } from '../../snapshot/node-info';
import type { LiveObject } from '../live-object';
import type { DraftNode, DraftPool } from './draft-pools';

/** A drafted class, and the pools that use it. */
export interface DraftClass {
  readonly name: string;
  readonly pools: readonly string[];
  readonly document: object;
}

type DraftDevice = Pick<ClassDevice, 'name' | 'driver' | 'deviceClassName' | 'count' | 'attributes' | 'capacity'>;

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
): { readonly classes: readonly DraftClass[]; readonly notes: readonly string[] } {
  const drafted = pools.map((pool) => ({ pool: pool.name, ...draftSpec(pool, deviceClasses) }));
  const bySpec = groupBy(drafted, ({ spec }) => JSON.stringify(spec));
  const names = new Map<string, number>();
  const classes = [...bySpec.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const name = toUniqueName(classNameOf(first.spec.devices), names);
    const document = {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'InferenceClass',
      metadata: { name },
      spec: first.spec,
    };
    return [{ name, pools: [first, ...others].map(({ pool }) => pool), document }];
  });
  return { classes, notes: drafted.flatMap(({ notes }) => notes) };
}

function draftSpec({ name, nodes }: DraftPool, deviceClasses: readonly LiveObject[]) {
  const kinds = sortUnique(nodes.flatMap((node) => [...deviceKindsOf(node).keys()]));
  const names = new Map<string, number>();
  const devices = kinds.map((kind) => {
    const perNode = nodes.map((node) => deviceKindsOf(node).get(kind) ?? []);
    return draftDevice({ pool: name, perNode }, deviceClasses, names);
  });
  const { cpu, memory } = minQuantities(nodes.map(({ allocatable }) => allocatable));
  const allocatable = { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  const partitions = nodes.flatMap((node) => node.devices).filter(isPartition).length;
  return {
    spec: {
      description: 'Drafted from what nodes show',
      devices: devices.flatMap(({ device }) => (device.count > 0 ? [device] : [])),
      ...(Object.keys(allocatable).length > 0 && { node: { allocatable } }),
    },
    notes: [
      ...devices.flatMap(({ notes }) => notes),
      ...(partitions > 0
        ? [
            `pool ${name}: ${pluralize(partitions, 'partition')} of devices left out: they share what whole devices have`,
          ]
        : []),
    ],
  };
}

interface DeviceKind {
  readonly pool: string;

  /** The devices of the kind on each node. */
  readonly perNode: readonly (readonly ClaimableDevice[])[];
}

/** The devices of a node by kind: driver, product, and the names of the published capacities. */
function deviceKindsOf({ devices }: DraftNode): Map<string, ClaimableDevice[]> {
  return groupBy(
    devices.filter((one) => !isPartition(one)),
    ({ driver, device: { attributes, capacity } }) =>
      JSON.stringify([
        driver,
        attributes['type']?.string ?? '',
        attributes['productName']?.string ?? '',
        Object.keys(capacity).sort(),
      ]),
  );
}

function isPartition({ device }: ClaimableDevice): boolean {
  return device.attributes['type']?.string === 'mig';
}

function draftDevice(
  { pool, perNode }: DeviceKind,
  deviceClasses: readonly LiveObject[],
  names: Map<string, number>,
): { readonly device: DraftDevice; readonly notes: readonly string[] } {
  const all = perNode.flat();
  const [first] = all;
  if (!first) throw new Error('bug: a kind of device without a device');
  const { driver } = first;
  const counts = perNode.map((some) => some.length);
  const count = Math.min(...counts);
  const device = {
    name: toUniqueName(deviceNameOf(first), names),
    driver,
    ...deviceClassOf(driver, deviceClasses),
    count,
    attributes: commonAttributes(all),
    capacity: minCapacity(all),
  };
  const uneven = count < Math.max(...counts);
  return {
    device,
    notes: [
      ...(uneven
        ? [
            `pool ${pool}: nodes have ${count} to ${Math.max(...counts)} devices '${device.name}'; the fewest are declared`,
          ]
        : []),
      ...(device.deviceClassName === driver
        ? []
        : [`class of '${device.name}': ${device.deviceClassName} is a guess; it has to select devices of ${driver}`]),
    ],
  };
}

function deviceNameOf({ driver, device }: ClaimableDevice): string {
  const word = device.attributes['type']?.string ?? driver.split('.')[0] ?? '';
  return toSlug(word) || 'device';
}

/** The device class with the name of the driver, else the first one whose selector contains the driver name. */
function deviceClassOf(driver: string, deviceClasses: readonly LiveObject[]): { readonly deviceClassName: string } {
  const all = sortedBy(deviceClasses, ({ metadata }) => metadata.name);
  const exact = all.find(({ metadata }) => metadata.name === driver);
  const naming = all.find((one) =>
    listAt(one, ['spec', 'selectors']).some((selector) => textAt(selector, ['cel', 'expression']).includes(driver)),
  );
  return { deviceClassName: (exact ?? naming)?.metadata.name ?? driver };
}

function commonAttributes(all: readonly ClaimableDevice[]): DraftDevice['attributes'] {
  const [first, ...others] = all;
  const entries = Object.entries(first?.device.attributes ?? {}).filter(
    ([key, value]) =>
      !PER_DEVICE_ATTRIBUTES.has(key) &&
      Object.keys(value).length > 0 &&
      others.every(({ device }) => isSameValue(device.attributes[key], value)),
  );
  return Object.fromEntries(sortedBy(entries, ([key]) => key)) as DraftDevice['attributes'];
}

/** Whether two attribute values are equal. Integers can exceed the range of JSON numbers. */
function isSameValue(one: unknown, other: unknown): boolean {
  return toComparableText(one) === toComparableText(other);
}

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
function classNameOf(devices: readonly DraftDevice[]): string {
  const [first] = devices;
  const product = first?.attributes['productName'];
  const word = product && 'string' in product ? product.string : (first?.driver ?? 'node');
  return `${toSlug(word)}-${first?.count ?? 0}x`;
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
}

/** The name, with a numeric suffix where the name is taken. */
function toUniqueName(name: string, taken: Map<string, number>): string {
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}
