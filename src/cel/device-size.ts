import { exactly, type Size } from './size';

/** A path into the variable `device`. Elements of a map are `@values`, its keys `@keys`; of a list, `@items`. */
export type Path = readonly string[];

const MAP = 32;
const DOMAIN = 63;
const NAME = 32;
const ATTRIBUTE = 64;
const DRIVER = 63;

/** The most that a ResourceSlice may hold at each path, as Kubernetes reckons; nothing where it knows nothing. */
export function deviceSize([root, field, domain, name, ...rest]: Path): Size | undefined {
  if (root !== 'device' || rest.length > 0) return undefined;
  const most = sizeAt(field, domain, name);
  return most === undefined ? undefined : { ...exactly(most), min: 0 };
}

function sizeAt(field?: string, domain?: string, name?: string): number | undefined {
  if (field === undefined) return 0;
  if (domain === undefined) return FIELDS[field];
  if (field !== 'attributes' && field !== 'capacity') return undefined;
  if (domain === '@keys') return name === undefined ? DOMAIN : undefined;
  if (domain !== '@values') return undefined;
  if (name === undefined) return MAP;
  if (name === '@keys') return NAME;
  if (field === 'attributes') return ATTRIBUTE;
  // A capacity is an amount, which has no elements: only Kubernetes' own fields are looked up by name.
  return name === '@values' ? 0 : undefined;
}

const FIELDS: Readonly<Record<string, number>> = {
  driver: DRIVER,
  attributes: MAP,
  capacity: MAP,
  allowMultipleAllocations: 1,
};
