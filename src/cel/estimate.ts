import { deviceSize, type Path } from './device-size';
import type { Type } from './macro';
import { exactly, type Size, UNKNOWN } from './size';
import type { Node } from './syntax';

/** What the value of a part takes, and what is known of the value. */
export interface Estimate {
  readonly steps: number;
  readonly size?: Size | undefined;

  /** Of its elements, for a list or map that is made in the expression. */
  readonly entries?: Entries | undefined;

  /** Where it comes from, if it is a part of the device. */
  readonly path?: Path | undefined;
}

/** The keys and values of a list or a map. */
export interface Entries {
  readonly container: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

/** The variables in sight. */
export type Scope = ReadonlyMap<string, Estimate>;

/** Estimates a part with other variables in sight. */
export type Estimator = (node: Node, scope: Scope) => Estimate;

const SCALARS = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/** The type of a part of an expression that has been checked. */
export function typeOf(node: Node): Type | undefined {
  return (node as { readonly checkedType?: Type }).checkedType;
}

/** Whether a part can only be told by evaluation to be of a type. */
export function isDynamic(node: Node): boolean {
  const kind = typeOf(node)?.kind;
  return kind === undefined || kind === 'dyn';
}

/** The size of a value: what was found out, else what the device may hold there, else what its type says. */
export function sized(node: Node, { size, path, ...rest }: Estimate): Estimate {
  const known = size ?? (path && deviceSize(path)) ?? scalarSize(typeOf(node));
  return { ...rest, path, size: known };
}

export function sizeOf({ size = UNKNOWN }: Estimate): Size {
  return size;
}

function scalarSize(type: Type | undefined): Size | undefined {
  if (!type) return undefined;
  if (type.kind === 'optional') return scalarSize(type.valueType);
  return SCALARS.has(type.name) ? exactly(1) : undefined;
}
