import { type CelType, celTypeOf } from '../cel-js-internals';
import type { AstNode } from '../syntax-tree';

/** What the value of a part takes, and what is known of the value. */
export interface Estimate {
  readonly steps: number;
  readonly size?: Size | undefined;

  /** Of its elements, for a list or map that is made in the expression. */
  readonly entries?: EntrySizes | undefined;

  /** Where it comes from, if it is a part of the device. */
  readonly path?: DevicePath | undefined;
}

/** The keys and values of a list or a map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

/** The variables in sight. */
export type CostScope = ReadonlyMap<string, Estimate>;

/** Estimates a part with other variables in sight. */
export type Estimator = (node: AstNode, scope: CostScope) => Estimate;

const SCALARS = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/** The size of a value: what was found out, else what the device may hold there, else what its type says. */
export function withSize(node: AstNode, { size, path, ...rest }: Estimate): Estimate {
  const known = size ?? (path && sizeOfDevicePath(path)) ?? scalarSize(celTypeOf(node));
  return { ...rest, path, size: known };
}

export function estimatedSizeOf({ size = UNKNOWN_SIZE }: Estimate): Size {
  return size;
}

function scalarSize(type: CelType | undefined): Size | undefined {
  if (!type) return undefined;
  if (type.kind === 'optional') return scalarSize(type.valueType);
  return SCALARS.has(type.name) ? toExactSize(1) : undefined;
}

/** The least and the most elements, characters or bytes that a value can have. `Infinity`: nobody knows. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN_SIZE: Size = { min: 0, max: Infinity };

export function toExactSize(size: number): Size {
  return { min: size, max: size };
}

/** A value that is one of two. */
export function unionSizes(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Two values, one behind the other. */
export function addSizes(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

/** As many of one value as another tells. */
export function multiplySizes(a: Size, b: Size): Size {
  return { min: multiplyFactors(a.min, b.min), max: multiplyFactors(a.max, b.max) };
}

/** A product in which nothing, however often, is nothing. */
export function multiplyFactors(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Steps to go over a size, rounded up, when each element takes a part of a step. */
export function countSteps(size: number, factor: number): number {
  return Math.ceil(multiplyFactors(size, factor));
}

/** A path into the variable `device`. Elements of a map are `@values`, its keys `@keys`; of a list, `@items`. */
export type DevicePath = readonly string[];

const MAP = 32;
const DOMAIN = 63;
const NAME = 32;
const ATTRIBUTE = 64;
const DRIVER = 63;

/** The most that a ResourceSlice may hold at each path, as Kubernetes reckons; nothing where it knows nothing. */
export function sizeOfDevicePath([root, field, domain, name, ...rest]: DevicePath): Size | undefined {
  if (root !== 'device' || rest.length > 0) return undefined;
  const most = sizeAt(field, domain, name);
  return most === undefined ? undefined : { ...toExactSize(most), min: 0 };
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
