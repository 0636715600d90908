import type { InferenceClass } from '../../api/inference-class';
import { containsWords } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { type AttributeRow, type AttributeType, DRIVERS } from '../../catalog/drivers';
import type { DeviceField } from '../../cel/syntax-tree';

/** The type and the sources of an attribute or capacity name. */
export interface KnownAttribute {
  readonly type: AttributeType | undefined;

  /** The classes with a device that states the name. Empty if there are none. */
  readonly statedBy: readonly string[];

  /** The entry of the catalog. Absent for names of drivers that the catalog does not have. */
  readonly known?: AttributeRow;
}

/** A device of a class that does not state an attribute or capacity that its driver publishes. */
export interface UnstatedDevice {
  readonly className: string;
  readonly device: string;
}

type Device = InferenceClass['spec']['devices'][number];

/**
 * All names that selectors of a fleet can read: those that its classes state, and those that the catalog has of
 * drivers.
 */
export class KnownAttributes {
  readonly #attributes = new Map<string, KnownAttribute>();
  readonly #domains = new Set<string>();
  #ownValues: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  #values: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  readonly #devices: (UnstatedDevice & Pick<Device, 'driver' | 'attributes' | 'capacity'>)[] = [];

  /** @param listKnownDevices lists the devices of the catalog. It is called when values are compared first */
  constructor(
    classes: readonly InferenceClass[],
    private readonly listKnownDevices: () => readonly PublishedAttributes[] = () => [],
  ) {
    for (const { name, facts } of DRIVERS) {
      this.#domains.add(name);
      for (const fact of facts) this.#addKnown(name, fact);
    }
    for (const { metadata, spec } of classes) {
      for (const device of spec.devices) this.#addDevice(metadata.name, device);
    }
  }

  /** The domains of all devices and known drivers, sorted. */
  get domains(): string[] {
    return sortUnique(this.#domains);
  }

  /** The drivers of declared devices and of the catalog, sorted. */
  get drivers(): string[] {
    return sortUnique([...this.#devices.map(({ driver }) => driver), ...DRIVERS.map(({ name }) => name)]);
  }

  names(from: DeviceField, domain: string): string[] {
    const start = `${from} ${domain}/`;
    const keys = [...this.#attributes.keys()].filter((key) => key.startsWith(start));
    return sortUnique(keys.map((key) => key.slice(start.length)));
  }

  /** The type and the sources of a name. Nothing if no device and no known driver has it. */
  find(from: DeviceField, domain: string, name: string): KnownAttribute | undefined {
    return this.#attributes.get(keyOf(from, domain, name));
  }

  /** Whether a device of the fleet or of the catalog publishes a text for an attribute. */
  hasValue(domain: string, name: string, text: string): boolean {
    // The devices of the catalog are built where the fleet's own have no such value.
    this.#ownValues ??= indexValues(this.#devices);
    return this.#ownValues.get(`${domain}/${name}`)?.has(text) || this.values(domain, name).includes(text);
  }

  /** The texts that devices of the fleet and of the catalog publish for an attribute, sorted. */
  values(domain: string, name: string): readonly string[] {
    this.#values ??= indexValues([...this.#devices, ...this.listKnownDevices()]);
    return sortUnique(this.#values.get(`${domain}/${name}`) ?? []);
  }

  /** What devices publish for an attribute that have a text in another attribute, such as their product name. Sorted. */
  valuesOfDevices(domain: string, name: string, text: string): readonly string[] {
    const devices = [...this.#devices, ...this.listKnownDevices()].filter(({ driver, attributes }) => {
      const texts = Object.values(attributes).flatMap((value) => ('string' in value ? value.string : []));
      return driver === domain && texts.some((one) => containsWords(one, text));
    });
    return sortUnique(indexValues(devices).get(`${domain}/${name}`) ?? []);
  }

  /** The first device of a driver that publishes a name, whose class does not state it. */
  findUnstatedDevice(from: DeviceField, domain: string, name: string): UnstatedDevice | undefined {
    return this.#devices.find(
      (device) =>
        device.driver === domain && device[from][name] === undefined && device[from][`${domain}/${name}`] === undefined,
    );
  }

  #addKnown(driver: string, fact: AttributeRow): void {
    const domain = fact.domain ?? driver;
    this.#domains.add(domain);
    const from = fact.type === 'quantity' ? 'capacity' : 'attributes';
    const key = keyOf(from, domain, fact.name);
    // If several drivers publish the name, diagnostics use the first for which it is optional.
    const earlier = this.#attributes.get(key)?.known;
    const known = earlier?.optional ? earlier : fact;
    this.#attributes.set(key, { type: fact.type, statedBy: [], known });
  }

  #addDevice(className: string, device: Device): void {
    this.#domains.add(device.driver);
    const { driver, attributes, capacity } = device;
    this.#devices.push({ className, device: device.name, driver, attributes, capacity });
    for (const [name, value] of Object.entries(device.attributes)) {
      this.#add('attributes', device.driver, name, { className, type: attributeTypeOf(value) });
    }
    for (const name of Object.keys(device.capacity)) {
      this.#add('capacity', device.driver, name, { className, type: 'quantity' });
    }
  }

  #add(from: DeviceField, driver: string, name: string, stated: { className: string; type: AttributeType }): void {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    this.#domains.add(domain);
    const key = keyOf(from, domain, name.slice(slash + 1));
    const attribute = this.#attributes.get(key);
    const { className, type } = stated;
    // If classes state different types, the type is unknown.
    const first = attribute === undefined || attribute.statedBy.length === 0;
    const agreed = first || attribute.type === type ? type : undefined;
    const statedBy = [...new Set([...(attribute?.statedBy ?? []), className])];
    this.#attributes.set(key, { ...attribute, type: agreed, statedBy });
  }
}

/** The attributes that a device publishes. */
type PublishedAttributes = Pick<Device, 'driver' | 'attributes'>;

/** The texts of devices by the attribute with its domain. */
function indexValues(devices: readonly PublishedAttributes[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { driver, attributes } of devices) {
    for (const [name, value] of Object.entries(attributes)) {
      if (!('string' in value)) continue;
      const key = name.includes('/') ? name : `${driver}/${name}`;
      const texts = values.get(key) ?? new Set<string>();
      values.set(key, texts.add(value.string));
    }
  }
  return values;
}

function keyOf(from: DeviceField, domain: string, name: string): string {
  return `${from} ${domain}/${name}`;
}

function attributeTypeOf(value: Device['attributes'][string]): AttributeType {
  if ('string' in value) return 'string';
  if ('version' in value) return 'version';
  return 'bool' in value ? 'bool' : 'int';
}
