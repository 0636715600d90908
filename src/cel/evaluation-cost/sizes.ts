import { type CelType, celTypeOf } from '../cel-js-internals';
import type { AstNode } from '../syntax-tree';

/** The steps that a node takes, and the facts known about its value. */
export interface Estimate {
  readonly steps: number;
  readonly size?: Size | undefined;

  /** The sizes of its elements, for a list or map that the expression creates. */
  readonly entries?: EntrySizes | undefined;

  /** The path to the value, if it is part of the device. */
  readonly path?: DevicePath | undefined;
}

export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

export type CostScope = ReadonlyMap<string, Estimate>;

export type Estimator = (node: AstNode, scope: CostScope) => Estimate;

const SCALARS = new Set(['int', 'uint', 'double', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

/** Adds the size to an estimate: the known size, else the maximum for the device path, else the size of its type. */
export function withSize(node: AstNode, { size, path, ...rest }: Estimate): Estimate {
  const known = size ?? (path && sizeOfDevicePath(path)) ?? scalarSizeOf(celTypeOf(node));
  return { ...rest, path, size: known };
}

/** Returns the size of an estimate, or the unknown size. */
export function estimatedSizeOf({ size = UNKNOWN_SIZE }: Estimate): Size {
  return size;
}

export function sumSteps(estimates: readonly Estimate[]): number {
  return estimates.reduce((steps, estimate) => steps + estimate.steps, 0);
}

function scalarSizeOf(type: CelType | undefined): Size | undefined {
  if (!type) return undefined;
  if (type.kind === 'optional') return scalarSizeOf(type.valueType);
  return SCALARS.has(type.name) ? toExactSize(1) : undefined;
}

/** The minimum and maximum number of elements, characters or bytes of a value. `Infinity` if it is unknown. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN_SIZE: Size = { min: 0, max: Infinity };

export function toExactSize(size: number): Size {
  return { min: size, max: size };
}

/** Returns the size of a value that is one of two values. */
export function unionSizes(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the size of a concatenation of two values. */
export function addSizes(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

/** Returns the size of repetitions of a value. */
export function multiplySizes(a: Size, b: Size): Size {
  return { min: multiplyFactors(a.min, b.min), max: multiplyFactors(a.max, b.max) };
}

/** Multiplies two factors. Zero times `Infinity` is zero. */
export function multiplyFactors(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** Returns the steps to read a size at a number of steps per element, rounded up. */
export function countSteps(size: number, factor: number): number {
  return Math.ceil(multiplyFactors(size, factor));
}

/** A path into the variable `device`. Maps have the steps `@values` and `@keys`, lists have `@items`. */
type DevicePath = readonly string[];

const MAP = 32;
const DOMAIN = 63;
const NAME = 32;
const ATTRIBUTE = 64;
const DRIVER = 63;

/** Returns the maximum size of a device path in ResourceSlices, where Kubernetes has an estimate. */
export function sizeOfDevicePath([root, field, domain, name, ...rest]: DevicePath): Size | undefined {
  if (root !== 'device' || rest.length > 0) return undefined;
  const max = sizeAt(field, domain, name);
  return max === undefined ? undefined : { min: 0, max };
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
  // A capacity is a quantity without elements: Kubernetes looks up only its own fields by name.
  return name === '@values' ? 0 : undefined;
}

const FIELDS: Readonly<Record<string, number>> = {
  driver: DRIVER,
  attributes: MAP,
  capacity: MAP,
  allowMultipleAllocations: 1,
};
