import { messageOf } from '../base/errors';
import { parseQuantity, Quantity } from './values/quantity';
import { parseSemver } from './values/semver';

/** The value of a device attribute that is not a list, in exactly one of the forms of a ResourceSlice. */
export type ScalarAttribute =
  | { readonly string: string }
  | { readonly version: string }
  | { readonly bool: boolean }
  | { readonly int: number | bigint };

/** The value of a device attribute, in exactly one of the forms of a ResourceSlice. */
export type AttributeValue =
  | ScalarAttribute
  | { readonly strings: readonly string[] }
  | { readonly versions: readonly string[] }
  | { readonly bools: readonly boolean[] }
  | { readonly ints: readonly (number | bigint)[] };

/**
 * The attributes and capacity of a device, as its driver publishes them.
 *
 * A name without a domain (`memory`) belongs to the domain of the driver. `other.example.com/name` has an explicit
 * domain.
 */
export interface DeviceFacts {
  /** The DRA driver: `gpu.nvidia.com`. */
  readonly driver: string;

  /** Read by selectors as `device.attributes[domain].name`. */
  readonly attributes: Readonly<Record<string, AttributeValue>>;

  /** Read by selectors as `device.capacity[domain].name`. */
  readonly capacity: Readonly<Record<string, { readonly value: string }>>;

  /** Whether several claims may share the device by capacity. Default: false. */
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** A device in the form that selectors evaluate. Create it with {@link prepareDevice}, and reuse it. */
export interface PreparedDevice {
  readonly device: DeviceVariable;
}

type ValuesByName = ReadonlyMap<string, unknown>;

const NO_VALUES: ValuesByName = new Map();

/** Attributes or capacities by domain. A domain that the device does not have reads as an empty map. */
export class DomainMap extends Map<string, ValuesByName> {
  override get(domain: string): ValuesByName {
    return super.get(domain) ?? NO_VALUES;
  }
}

export class DeviceVariable {
  constructor(
    readonly driver: string,
    readonly attributes: DomainMap,
    readonly capacity: DomainMap,
    readonly allowMultipleAllocations: boolean,
  ) {}
}

/**
 * Converts a device to the form that selectors read.
 *
 * @throws Error that names the attribute or capacity if its value is invalid
 */
export function prepareDevice(facts: DeviceFacts): PreparedDevice {
  const { driver, attributes, capacity, allowMultipleAllocations = false } = facts;
  return {
    device: new DeviceVariable(
      driver,
      groupByDomain(driver, attributes, 'attribute', toCelValue),
      groupByDomain(driver, capacity, 'capacity', ({ value }) => parseQuantity(value)),
      allowMultipleAllocations,
    ),
  };
}

/** Returns the device with the quantities as they were prepared, without the changes that selectors made to them. */
export function withOriginalQuantities({ device }: PreparedDevice): PreparedDevice {
  const { driver, attributes, capacity, allowMultipleAllocations } = device;
  const quantities = [...capacity].map(([domain, names]) => {
    const fresh = [...names].map(([name, value]) => [name, value instanceof Quantity ? value.fresh() : value] as const);
    return [domain, new Map(fresh)] as const;
  });
  return { device: new DeviceVariable(driver, attributes, new DomainMap(quantities), allowMultipleAllocations) };
}

function groupByDomain<T>(
  driver: string,
  values: Readonly<Record<string, T>>,
  noun: string,
  convert: (value: T) => unknown,
): DomainMap {
  const domains = new Map<string, Map<string, unknown>>();
  for (const [key, value] of Object.entries(values)) {
    const slash = key.indexOf('/');
    const domain = slash < 0 ? driver : key.slice(0, slash);
    const names = domains.get(domain) ?? new Map<string, unknown>();
    domains.set(domain, names);
    try {
      names.set(key.slice(slash + 1), convert(value));
    } catch (cause) {
      throw new Error(`${noun} '${key}': ${messageOf(cause)}`, { cause });
    }
  }
  return new DomainMap(domains);
}

/** Converts integers to bigint, because CEL integers have 64 bits, and versions to {@link Semver}. */
function toCelValue(value: AttributeValue): unknown {
  if ('string' in value) return value.string;
  if ('bool' in value) return value.bool;
  if ('int' in value) return BigInt(value.int);
  if ('version' in value) return parseSemver(value.version);
  if ('strings' in value) return [...value.strings];
  if ('bools' in value) return [...value.bools];
  if ('ints' in value) return value.ints.map(BigInt);
  return value.versions.map((version) => parseSemver(version));
}
