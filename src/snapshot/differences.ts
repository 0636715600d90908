import type { Attribute } from '../api/attribute';
import type { Device } from '../api/device';
import { parseQuantity } from '../cel/quantity';
import { isSemver, parseSemver } from '../cel/semver';
import { sortedBy } from '../order';
import type { Published } from './published';
import type { PublishedDevice } from './slice';

/** One fact of a device that is not as its class says. */
export interface Difference {
  /** `attribute` or `capacity`, and its name as the class writes it. */
  readonly field: 'attribute' | 'capacity';
  readonly name: string;
  readonly declared: string;
  /** Absent when the device publishes nothing of that name. */
  readonly published?: string;
  /** Less than the class promises: what is planned with it may not start. */
  readonly less: boolean;
  /** Where it is in the recorded device. */
  readonly path: readonly string[];
}

/**
 * How a device that was recorded differs from what its class declares. What the class leaves out is not compared:
 * no selector can match by it.
 */
export function differences(declared: Device, { driver, device }: Published): Difference[] {
  return [
    ...sortedBy(Object.entries(declared.attributes), ([name]) => name).flatMap(([name, value]) => {
      const key = keyIn(device.attributes, name, driver);
      const published = key === undefined ? undefined : device.attributes[key];
      if (published && sameAttribute(value, published)) return [];
      const shown = published && showAttribute(published);
      const path = key === undefined ? [] : ['attributes', key];
      return [difference('attribute', name, { declared: showAttribute(value), published: shown, path })];
    }),
    ...sortedBy(Object.entries(declared.capacity), ([name]) => name).flatMap(([name, { value }]) => {
      const key = keyIn(device.capacity, name, driver);
      const published = key === undefined ? undefined : device.capacity[key]?.value;
      const order = published === undefined ? -1 : parseQuantity(published).compare(parseQuantity(value));
      if (order === 0) return [];
      const path = key === undefined ? [] : ['capacity', key, 'value'];
      return [{ ...difference('capacity', name, { declared: value, published, path }), less: order < 0 }];
    }),
  ];
}

interface Values {
  readonly declared: string;
  readonly published: string | undefined;
  readonly path: readonly string[];
}

function difference(
  field: Difference['field'],
  name: string,
  { declared, published, path }: Values,
): Difference {
  return { field, name, declared, ...(published !== undefined && { published }), less: false, path };
}

/** The key under which a map has a name. A name without a domain belongs to the driver's, on either side. */
function keyIn(values: Readonly<Record<string, unknown>>, name: string, driver: string): string | undefined {
  const own = `${driver}/`;
  const other = name.startsWith(own) ? name.slice(own.length) : `${own}${name}`;
  return [name, other].find((key) => Object.hasOwn(values, key));
}

type PublishedAttribute = PublishedDevice['attributes'][string];

function sameAttribute(declared: Attribute, published: PublishedAttribute): boolean {
  if ('string' in declared) return published.string === declared.string;
  if ('bool' in declared) return published.bool === declared.bool;
  if ('int' in declared) return String(published.int) === String(declared.int);
  const { version } = published;
  if (version === undefined || !isSemver(version)) return false;
  return parseSemver(version).compare(parseSemver(declared.version)) === 0;
}

function showAttribute({ string, version, bool, int }: PublishedAttribute): string {
  const value = [string, version, bool, int].find((form) => form !== undefined);
  return value === undefined ? 'a value of another form' : `'${value}'`;
}
